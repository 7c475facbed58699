#include "oracle/reduction/column_rows.h"

#include <type_traits>

namespace assay {

void CopyRows(const Scalars& from, RowElements source, int64_t rows,
              int64_t count, RowElements target, Scalars* to) {
  Tensor values = to->values();
  WithWord(from.type(), [&]<class Word>(Word) {
    const auto* in = reinterpret_cast<const Word*>(from.values().data());
    auto* out = reinterpret_cast<Word*>(values.data());
    // Loops of a step that is known use vectors.
    const auto copy = [&](auto step) {
      for (int64_t row = 0; row < rows; ++row) {
        const Word* x = in + source.begin + row * source.length;
        Word* y = out + target.begin + row * target.length;
        for (int64_t i = 0; i < count; ++i) y[i] = x[i * step];
      }
    };
    if (source.step == 1) {
      copy(std::integral_constant<int64_t, 1>());
    } else {
      copy(std::integral_constant<int64_t, 2>());
    }
  });
  if (from.AllKnown()) return;
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t i = 0; i < count; ++i) {
      const int64_t at = source.begin + row * source.length + i * source.step;
      if (from.StateAt(at) != Scalars::State::kKnown)
        to->Set(target.begin + row * target.length + i, from.At(at));
    }
  }
}

Scalars Uninitialised(ElementType type, int64_t size) {
  return Scalars(Tensor(TensorType({size}, type)));
}

TupleValue ValueAt(const Scalars& column, int64_t i) {
  return CanonicalValue(column.type(), column.values().Bits(i),
                        column.StateAt(i) == Scalars::State::kAnyNan);
}

bool IsSameValue(const Scalars& a, const Scalars& b, int64_t i) {
  using enum Scalars::State;
  if (a.StateAt(i) == kSeveral || b.StateAt(i) == kSeveral) return false;
  if (a.StateAt(i) == kKnown && b.StateAt(i) == kKnown)
    return a.values().Bits(i) == b.values().Bits(i);
  return ValueAt(a, i) == ValueAt(b, i);
}

}  // namespace assay
