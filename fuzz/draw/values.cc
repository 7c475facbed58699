#include "fuzz/draw/values.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "cases/read/data.h"

namespace assay {
namespace {

ElementBits MaskOf(ElementType type) {
  const int bits = IsBoolean(type) ? 1 : Info(type).bits;
  return bits == 128 ? ~ElementBits{0} : (ElementBits{1} << bits) - 1;
}

ElementBits AnyBits(Choices* choices, ElementType type) {
  const int bits = Info(type).bits;
  if (bits <= 16)
    return choices->Below(Topic::kValues, 1u << (IsBoolean(type) ? 1 : bits));
  if (bits == 32) return choices->Word(Topic::kValues);
  ElementBits drawn = choices->Bits(Topic::kValues);
  if (bits > 64)
    drawn |= static_cast<ElementBits>(choices->Bits(Topic::kValues)) << 64;
  return drawn;
}

// Returns a number as programs have them: between -16 and 16, with a fraction.
ElementBits OrdinaryBits(Choices* choices, ElementType type) {
  const auto word =
      static_cast<int64_t>(choices->Below(Topic::kValues, 1u << 30));
  return BitsOfNumber(type,
                      static_cast<double>(word - (int64_t{1} << 29)) * 0x1p-25);
}

// Returns a value half way between two values of some narrower format, or next
// to it: there, a conversion that rounds twice, or truncates, or rounds ties
// otherwise, is wrong. Sometimes it is a subnormal of more than one bit.
ElementBits HalfwayBits(Choices* choices, ElementType type) {
  const int width = std::min(Info(type).bits, 64);
  // A tie of f32 has 25 bits.
  constexpr uint32_t kKept = 25;
  const uint32_t drawn = choices->Below(Topic::kValues, kKept * 32 * 40);
  const int kept = static_cast<int>(drawn % kKept);
  const uint32_t shape = drawn / kKept % 32;
  const auto place = static_cast<int>(drawn / (kKept * 32));
  const uint32_t head = (choices->Word(Topic::kValues) >> (31 - kept)) | 1;
  const int64_t off = static_cast<int64_t>(shape % 4 == 0) -
                      static_cast<int64_t>(shape % 4 == 1);
  if (IsInteger(type)) {
    // The value may have any top bit: integers above 2^54 are beside ties that
    // f64 cannot tell from them.
    const int room = std::max(width - kept, 1);
    const uint64_t value =
        (uint64_t{head} << place * room / 40) + static_cast<uint64_t>(off);
    return (shape & 4 ? -value : value) & MaskOf(type);
  }
  if (!IsFloat(type)) return AnyBits(choices, type);
  const ElementBits near = BitsOfNumber(
      type, std::ldexp(static_cast<double>(head), place - 20 - kept) *
                (shape & 4 ? -1 : 1));
  const ElementBits mantissa = FormatOf(type).mantissa_mask();
  if (shape >= 28) return near & (mantissa | FormatOf(type).sign_bit());
  return (near + static_cast<ElementBits>(off)) & MaskOf(type);
}

// Returns a value that tends to break something beside `bits`: the same, its
// neighbours, its negation, its complement.
ElementBits Relative(uint32_t which, ElementType type, ElementBits bits) {
  const ElementBits mask = MaskOf(type);
  switch (which) {
    case 0:
      return bits;
    case 1:
      return (bits + 1) & mask;
    case 2:
      return (bits - 1) & mask;
    case 3:
      if (IsInteger(type) || IsBoolean(type)) return -bits & mask;
      return bits ^ (mask ^ mask >> 1);  // the top bit: the sign, or a part's
    default:
      return ~bits & mask;
  }
}

template <class F>  // F(i): the bits of element i
Tensor Filled(const TensorType& type, F element) {
  Tensor tensor(type);
  WithWord(type.element_type, [&]<class Word>(Word) {
    std::byte* at = tensor.data();
    for (int64_t i = 0, n = tensor.size(); i < n; ++i, at += sizeof(Word)) {
      const auto bits = static_cast<Word>(element(i));
      std::memcpy(at, &bits, sizeof(bits));
    }
  });
  return tensor;
}

Tensor Adversarial(Choices* choices, const TensorType& type,
                   const Tensor* beside) {
  const ElementType t = type.element_type;
  const bool has_beside =
      beside != nullptr && beside->size() > 0 && beside->element_type() == t;
  const uint32_t style = choices->Below(Topic::kValues, has_beside ? 8 : 6);
  const std::vector<ElementBits>& special = BoundaryBits(t);
  const ElementBits one = choices->Of(Topic::kValues, special);
  switch (style) {
    case 0:  // one value everywhere
      return Filled(type, [&](int64_t) { return one; });
    case 1: {  // one that differs
      const ElementBits other = choices->Of(Topic::kValues, special);
      const auto count = static_cast<uint32_t>(
          std::max<int64_t>(1, *ElementCount(type.shape)));
      const int64_t at = choices->Below(Topic::kValues, count);
      return Filled(type, [&](int64_t i) { return i == at ? other : one; });
    }
    case 2:  // small whole numbers, as counts and exponents are
      return Filled(type, [&](int64_t) {
        return BitsOfNumber(
            t, static_cast<double>(choices->Below(Topic::kValues, 80)) - 8);
      });
    case 3:  // every element another: shows what is taken from where
      return Filled(type, [&](int64_t i) {
        return BitsOfNumber(t, static_cast<double>(i));
      });
    case 4: {  // powers of two
      return Filled(type, [&](int64_t) {
        const int power =
            static_cast<int>(choices->Below(Topic::kValues, 130)) - 65;
        return BitsOfNumber(t, std::ldexp(power % 2 == 0 ? 1 : -1, power));
      });
    }
    case 5:
      return Filled(type, [&](int64_t) { return HalfwayBits(choices, t); });
    default:
      return Filled(type, [&](int64_t i) {
        const uint32_t which =
            style == 6 ? 0 : choices->Below(Topic::kValues, 5);
        return Relative(which, t, beside->Bits(i % beside->size()));
      });
  }
}

// Integers wrap to their type.
ElementBits WrappedBits(ElementType type, int64_t number) {
  return static_cast<ElementBits>(number) & MaskOf(type);
}

// The period is a prime, so that a mistake by a power of two does not end at an
// equal element.
constexpr int64_t kPeriod = 4093;

}  // namespace

Tensor DrawValues(Choices* choices, Profile profile, const TensorType& type,
                  const Tensor* beside) {
  const ElementType t = type.element_type;
  if (*ElementCount(type.shape) > kManyElements) {
    const Tensor period = DrawValues(choices, profile, {{kPeriod}, t}, beside);
    Tensor tensor(type);
    for (int64_t at = 0; at < tensor.byte_size(); at += period.byte_size())
      std::memcpy(tensor.data() + at, period.data(),
                  static_cast<size_t>(
                      std::min(period.byte_size(), tensor.byte_size() - at)));
    return tensor;
  }
  if (profile == Profile::kAdversarial)
    return Adversarial(choices, type, beside);
  if (profile == Profile::kUniform) {
    const bool is_ordinary = choices->OneIn(Topic::kValues, 2);
    return Filled(type, [&](int64_t) {
      return is_ordinary ? OrdinaryBits(choices, t) : AnyBits(choices, t);
    });
  }
  const std::vector<ElementBits>& special = BoundaryBits(t);
  const auto count = static_cast<uint32_t>(special.size());
  return Filled(type, [&](int64_t) {
    const uint32_t drawn = choices->Below(Topic::kValues, 4 * count);
    if (drawn < 3 * count) return special[drawn / 3];
    return drawn % 2 == 0 ? AnyBits(choices, t) : HalfwayBits(choices, t);
  });
}

Tensor DrawIndices(Choices* choices, const TensorType& type,
                   const Shape& shape) {
  const ElementType t = type.element_type;
  // Few different indices are often the same.
  const uint32_t style = choices->Below(Topic::kValues, 8);
  int64_t running = 0;
  return Filled(type, [&](int64_t) {
    const int64_t size = shape.empty() ? 1 : choices->Of(Topic::kValues, shape);
    const auto bound =
        static_cast<uint32_t>(std::clamp<int64_t>(size, 1, int64_t{1} << 30));
    const int64_t within = choices->Below(Topic::kValues, bound);
    switch (style) {
      case 0:  // in the order of a promise
        running += choices->Below(Topic::kValues, 2);
        return WrappedBits(t, running);
      case 1:  // far outside
        if (choices->OneIn(Topic::kValues, 3)) {
          const std::vector<ElementBits>& special = BoundaryBits(t);
          return choices->Of(Topic::kValues, special);
        }
        return WrappedBits(
            t, within +
                   (choices->OneIn(Topic::kValues, 4)
                        ? int64_t{1} << (7 + choices->Below(Topic::kValues, 26))
                        : 0));
      case 2:
      case 3: {  // next to the bounds
        constexpr int64_t kBeside[] = {-2, -1, 0, 1};
        const int64_t beside = kBeside[choices->Below(Topic::kValues, 4)];
        return WrappedBits(
            t, choices->OneIn(Topic::kValues, 2) ? size + beside : beside);
      }
      default:
        return WrappedBits(t, within);
    }
  });
}

}  // namespace assay
