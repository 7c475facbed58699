#include "cases/near_literal.h"

#include <array>
#include <cmath>

#include "oracle/allowed_range.h"
#include "oracle/judge.h"
#include "spec/text/number.h"
#include "spec/types/float_format.h"

namespace assay {
namespace {

// Returns a number of which values that are neighbours differ by one; the zeros
// have the same.
__int128 Place(ElementType type, ElementBits bits) {
  const FloatFormat format = FormatOf(type);
  const auto magnitude = static_cast<__int128>(bits & format.magnitude_mask());
  return (bits & format.sign_bit()) != 0 ? -magnitude : magnitude;
}

// Moves element `i` part by part: each part stays or becomes an end of the
// range. Returns whether one such element is allowed and near.
bool MoveInto(const judging::Range& range, const Nearness& nearness,
              const Expectation& expectation, const Tensor& literal, int64_t i,
              Tensor* moved) {
  const ElementType type = literal.element_type();
  const ElementType part_type = PartType(type);
  const std::array<ElementBits, 3> choices = {literal.Bits(i), range.lo,
                                              range.hi};
  const int parts = PartCount(type);
  const size_t imaginary_choices = parts == 2 ? choices.size() : 1;
  for (const ElementBits real : choices) {
    for (size_t k = 0; k < imaginary_choices; ++k) {
      const std::array<ElementBits, 2> from = {real, choices[k]};
      ElementBits bits = 0;
      bool is_near = true;
      for (int part = 0; part < parts; ++part) {
        const ElementBits of_part =
            PartOf(type, from[static_cast<size_t>(part)], part);
        is_near &= IsNear(part_type, PartOf(type, literal.Bits(i), part),
                          of_part, nearness);
        bits |= of_part << (part * Info(part_type).bits);
      }
      moved->SetBits(i, bits);
      if (is_near && Accepts(expectation, *moved, i)) return true;
    }
  }
  moved->SetBits(i, literal.Bits(i));
  return false;
}

}  // namespace

bool IsNear(ElementType type, ElementBits a, ElementBits b,
            const Nearness& nearness) {
  const bool a_is_nan = judging::IsNan(type, a);
  if (a_is_nan || judging::IsNan(type, b))
    return a_is_nan && judging::IsNan(type, b);
  const double x = text::FloatValue(type, a), y = text::FloatValue(type, b);
  if (x == y) return true;
  if (std::isinf(x) || std::isinf(y)) return false;
  const __int128 apart = Place(type, a) - Place(type, b);
  return std::fabs(x - y) <= nearness.absolute ||
         (apart < 0 ? -apart : apart) <= nearness.ulps;
}

Tensor MovedToAllowed(const Tensor& literal, const Nearness& nearness,
                      const Expectation& expectation) {
  Tensor moved(literal.type());
  for (int64_t i = 0; i < literal.size(); ++i) {
    moved.SetBits(i, literal.Bits(i));
    if (Accepts(expectation, literal, i)) continue;
    judging::AnyRange(expectation, i, [&](const judging::Range& range) {
      return MoveInto(range, nearness, expectation, literal, i, &moved);
    });
  }
  return moved;
}

}  // namespace assay
