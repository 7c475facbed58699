#include "oracle/reduction/column_rows.h"

#include <type_traits>

namespace assay {

void CopyRows(const Scalars& from, Rows source, int64_t first, int64_t step,
              int64_t rows, int64_t count, int64_t to_length, int64_t at,
              Scalars* to) {
  Tensor values = to->values();
  const int64_t begin = source.begin + first;
  WithWord(from.type(), [&]<class Word>(Word) {
    const auto copy = [&](auto by) {
      for (int64_t row = 0; row < rows; ++row) {
        const auto* in = reinterpret_cast<const Word*>(from.values().data()) +
                         begin + row * source.length;
        auto* out =
            reinterpret_cast<Word*>(values.data()) + row * to_length + at;
        for (int64_t i = 0; i < count; ++i) out[i] = in[i * by];
      }
    };
    if (step == 1) {
      copy(std::integral_constant<int64_t, 1>());
    } else {
      copy(std::integral_constant<int64_t, 2>());
    }
  });
  if (from.AllKnown()) return;
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t i = 0; i < count; ++i) {
      const int64_t position = begin + row * source.length + step * i;
      if (from.StateAt(position) != Scalars::State::kKnown)
        to->Set(row * to_length + at + i, from.At(position));
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
