// Philox4x32-10 has the seed for its key and the index for its counter.
#include "cases/read/draw_random.h"

#include <Random123/philox.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cases/read/data.h"

namespace assay {
namespace {

using SeedKey = r123::Philox4x32::key_type;
using RandomWords = r123::Philox4x32::ctr_type;

SeedKey KeyOf(uint64_t seed) {
  return {{static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)}};
}

RandomWords WordsAt(const SeedKey& key, uint64_t index, uint32_t number) {
  return r123::Philox4x32()({{static_cast<uint32_t>(index),
                              static_cast<uint32_t>(index >> 32), number, 0}},
                            key);
}

class Drawer {
 public:
  Drawer(ElementType type, const DrawRandom& draw)
      : type_(type),
        part_(IsComplex(type) ? PartType(type) : type),
        profile_(draw.profile),
        key_(KeyOf(draw.seed)),
        boundary_(&BoundaryBits(
            draw.profile == DrawRandom::Profile::kOrdinary ? part_ : type)) {}

  ElementBits At(uint64_t index) const {
    if (profile_ == DrawRandom::Profile::kOrdinary) {
      const ElementBits real = Ordinary(WordsAt(key_, index, 1));
      return IsComplex(type_)
                 ? Ordinary(WordsAt(key_, index, 2)) << Info(part_).bits | real
                 : real;
    }
    const RandomWords random = WordsAt(key_, index, 0);
    // The words that choose a boundary value are the high half of a pair for
    // f64, and that half must stay uniform where no boundary value is taken.
    if (profile_ == DrawRandom::Profile::kBoundary && random[2] % 4 != 0)
      return (*boundary_)[random[3] % boundary_->size()];
    ElementBits bits = 0;
    for (size_t word = 4; word-- > 0;) bits = bits << 32 | random[word];
    return bits & BitMask(type_);
  }

 private:
  // Returns an element of a type that is not complex, or one component of a
  // complex one.
  ElementBits Ordinary(const RandomWords& random) const {
    const uint64_t any = uint64_t{random[1]} << 32 | random[0];
    const uint32_t choice = random[2] % 8;
    if (IsBoolean(part_)) return any & 1;
    if (IsInteger(part_)) {
      const auto width = static_cast<uint64_t>(Info(part_).bits);
      return choice < 4 ? BitsOf(part_, static_cast<int64_t>(any % width))
                        : any & BitMask(part_);
    }
    if (choice < 4)
      return BitsOfNumber(
          part_, (static_cast<double>(random[0] >> 2) - 0x1p29) * 0x1p-25);
    if (choice < 6) return (*boundary_)[random[3] % boundary_->size()];
    if (choice == 6) return any & BitMask(part_);
    return BitsOfNumber(part_, any % 2 == 0 ? INFINITY : NAN);
  }

  ElementType type_, part_;
  DrawRandom::Profile profile_;
  SeedKey key_;
  const std::vector<ElementBits>* boundary_;
};

}  // namespace

Tensor DrawElements(const TensorType& type, int64_t begin,
                    const DrawRandom& draw) {
  Tensor tensor(type);
  const Drawer drawer(type.element_type, draw);
  // If there are several periods, one is drawn and repeated.
  std::vector<ElementBits> period;
  if (draw.period > 0 && static_cast<uint64_t>(tensor.size()) > draw.period) {
    for (uint64_t index = 0; index < draw.period; ++index)
      period.push_back(drawer.At(index));
  }
  const auto set = [&](int64_t i, int64_t at) {
    auto index = static_cast<uint64_t>(at);
    if (draw.period > 0) index %= draw.period;
    tensor.SetBits(i, period.empty() ? drawer.At(index) : period[index]);
  };
  if (!draw.place) {
    for (int64_t i = 0; i < tensor.size(); ++i) set(i, begin + i);
    return tensor;
  }
  // Places are computed once for each row, because that costs more than a step
  // along it.
  Shape rows = type.shape;
  const int64_t size = rows.empty() ? 1 : rows.back();
  const int64_t step = rows.empty() ? 0 : draw.place->strides.back();
  if (!rows.empty()) rows.back() = std::min<int64_t>(size, 1);
  int64_t i = 0;
  Index index;
  for (IndexSpace space(rows); space.Next(&index);) {
    const int64_t first = draw.place->At(index);
    for (int64_t k = 0; k < size; ++k) set(i++, first + k * step);
  }
  return tensor;
}

Tensor DrawElements(const TensorType& type, int64_t begin,
                    const DrawBelow& draw) {
  Tensor tensor(type);
  const SeedKey key = KeyOf(draw.seed);
  for (int64_t i = 0; i < tensor.size(); ++i) {
    const RandomWords random =
        WordsAt(key, static_cast<uint64_t>(begin + i), 0);
    const uint64_t any = uint64_t{random[1]} << 32 | random[0];
    tensor.SetBits(i, any % draw.below);
  }
  if (!draw.sorted) return tensor;
  std::vector<uint64_t> values;
  values.reserve(static_cast<size_t>(tensor.size()));
  for (int64_t i = 0; i < tensor.size(); ++i)
    values.push_back(static_cast<uint64_t>(tensor.Bits(i)));
  std::ranges::sort(values);
  for (int64_t i = 0; i < tensor.size(); ++i)
    tensor.SetBits(i, values[static_cast<size_t>(i)]);
  return tensor;
}

ElementBits BitsOfNumber(ElementType type, double number) {
  return VisitElementType(type, [&]<class T>() -> ElementBits {
    if constexpr (T::kKind == ElementKind::kFloat) {
      return T::Round(number).value.ToBits();
    } else if constexpr (T::kKind == ElementKind::kComplex) {
      using Part = typename T::Part;
      const Part part = Part::Round(number).value;
      return T(part, -part).ToBits();
    } else if constexpr (T::kKind == ElementKind::kBoolean) {
      return std::fmod(std::fabs(number), 2) >= 1;  // also beyond 64 bits
    } else {
      // The processor has no instruction that converts to 128 bits.
      return T::Wrap(std::fabs(number) < 0x1p63
                         ? static_cast<__int128>(static_cast<int64_t>(number))
                         : static_cast<__int128>(number))
          .ToBits();
    }
  });
}

}  // namespace assay
