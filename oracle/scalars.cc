#include "oracle/scalars.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "oracle/allowed_range.h"
#include "spec/error.h"

namespace assay {
namespace {

using judging::IsNan;
using judging::OrderedKey;

// Returns the bits that stand for all NaNs of a type.
ElementBits CanonicalNan(ElementType type) { return FormatOf(type).nan_code(); }

// Widens a range to another, part by part. Precondition: no part is NaN.
void Widen(ElementType type, const Possible::Range& other,
           Possible::Range* range) {
  const ElementType part = PartType(type);
  Possible::Range wide = {0, 0};
  for (int p = 0; p < PartCount(type); ++p) {
    const auto end = [&](ElementBits a, ElementBits b, bool is_upper) {
      const ElementBits x = PartOf(type, a, p), y = PartOf(type, b, p);
      const bool is_below = OrderedKey(part, x) < OrderedKey(part, y);
      return (is_below == is_upper ? y : x) << (p * Info(part).bits);
    };
    wide.lo |= end(range->lo, other.lo, false);
    wide.hi |= end(range->hi, other.hi, true);
  }
  *range = wide;
}

// Makes one range of all numbers, beside which NaN stands.
void Hull(ElementType type, Possible* possible) {
  std::vector<Possible::Range> ranges;
  std::optional<Possible::Range> nan;
  for (const Possible::Range& range : possible->ranges) {
    if (HasNan(type, range.lo) || HasNan(type, range.hi)) {
      nan = range;
    } else if (ranges.empty()) {
      ranges.push_back(range);
    } else {
      Widen(type, range, &ranges[0]);
    }
  }
  if (nan && IsComplex(type)) {
    *possible = Possible::Undecided();
    return;
  }
  if (nan) {
    possible->any_nan = true;
    ranges.push_back({CanonicalNan(type), CanonicalNan(type)});
  }
  possible->ranges = std::move(ranges);
}

void AddRange(ElementType type, Possible::Range range, Possible* possible,
              size_t most = Possible::kMost) {
  if (possible->any_nan && IsNan(type, range.lo))
    range.lo = range.hi = CanonicalNan(type);
  if (std::ranges::find(possible->ranges, range) != possible->ranges.end())
    return;
  possible->ranges.push_back(range);
  if (possible->ranges.size() > most) Hull(type, possible);
}

// Adds the values that flags allow besides a range of floats.
void AddBeside(ElementType type, ElementFlags flags, Possible* possible) {
  const auto add = [&](ElementBits bits) {
    AddRange(type, {bits, bits}, possible);
  };
  const FloatFormat format = FormatOf(type);
  if (flags & Expectation::kOrPlusZero) add(0);
  if (flags & Expectation::kOrMinusZero)
    add(format.has_negative_zero() ? format.sign_bit() : 0);
  if (flags & Expectation::kOrInfinity)
    add(format.has_infinity() ? format.infinity_code() : format.max_code());
  if (flags & Expectation::kOrNan) {
    possible->any_nan = true;
    add(CanonicalNan(type));
  }
}

// Calls `f` with the position of each element of which a part is NaN.
template <class F>
void ForEachNan(const Tensor& values, F f) {
  const ElementType type = values.element_type();
  if (!IsFloat(type) && !IsComplex(type)) return;
  VisitKinds<kFloats | kComplexes>(type, [&]<class T>() {
    const typename T::Bits* bits = values.As<T>();
    for (int64_t i = 0; i < values.size(); ++i) {
      if (T::FromBits(bits[i]).IsNan()) f(i);
    }
  });
}

constexpr ElementFlags kBeside =
    Expectation::kEitherZero | Expectation::kOrInfinity | Expectation::kOrNan;

// Adds one range of an expectation. `is_kept` says whether NaNs have the bits
// that they have there.
void AddAllowed(ElementType type, const judging::Range& range, bool is_kept,
                Possible* possible) {
  constexpr ElementFlags kOpen = Expectation::kOpen | Expectation::kPartsOpen;
  if (range.Has(kOpen)) {
    *possible = Possible::Open();
  } else if (IsComplex(type) && range.Has(kBeside | Expectation::kEither)) {
    *possible = Possible::Undecided();
  }
  if (possible->kind != Possible::Kind::kRanges) return;
  if (HasNan(type, range.lo) && !is_kept) possible->any_nan = true;
  if (range.lo == range.hi || IsComplex(type) || IsNan(type, range.lo)) {
    AddRange(type, {range.lo, range.hi}, possible);
  } else if (range.Has(Expectation::kEither)) {
    AddRange(type, {range.lo, range.lo}, possible);
    if (IsNan(type, range.hi) && !is_kept) possible->any_nan = true;
    AddRange(type, {range.hi, range.hi}, possible);
  } else {
    possible->AddBetween(type, {range.lo, range.hi});
  }
  if (IsFloat(type)) AddBeside(type, range.flags, possible);
}

}  // namespace

bool HasNan(ElementType type, ElementBits bits) {
  const ElementType part = PartType(type);
  for (int p = 0; p < PartCount(type); ++p) {
    if (IsNan(part, PartOf(type, bits, p))) return true;
  }
  return false;
}

bool Possible::IsFinite() const {
  return kind == Kind::kRanges &&
         std::ranges::all_of(ranges,
                             [](const Range& r) { return r.lo == r.hi; });
}

void Possible::Add(ElementType type, const Possible& other, size_t most) {
  if (kind == Kind::kUndecided) return;
  if (other.kind != Kind::kRanges) {
    *this = {other.kind, false, {}};
    return;
  }
  if (kind != Kind::kRanges) return;
  any_nan |= other.any_nan;
  for (const Range& range : other.ranges) {
    if (kind == Kind::kRanges) AddRange(type, range, this, most);
  }
}

void Possible::AddBetween(ElementType type, const Range& range) {
  const __int128 lo = OrderedKey(type, range.lo);
  const __int128 hi = OrderedKey(type, range.hi);
  if (hi < lo || hi - lo >= __int128{kMost}) {
    AddRange(type, range, this);
    return;
  }
  for (__int128 key = lo; key <= hi; ++key) {
    if (!judging::HasKey(type, key)) continue;
    const ElementBits bits = judging::BitsOfKey(type, key);
    AddRange(type, {bits, bits}, this);
  }
}

Possible PossibleAt(const Expectation& expectation, int64_t i) {
  const ElementType type = expectation.lo.element_type();
  Possible possible;
  judging::AnyRange(expectation, i, [&](const judging::Range& range) {
    AddAllowed(type, range, expectation.KeepsNan(i), &possible);
    return false;
  });
  for (const Tensor& reading : expectation.readings)
    possible.Add(type, Possible::Value(reading.Bits(i)));
  return possible;
}

void Scalars::SetState(int64_t i, State state) {
  if (states_.empty()) {
    if (state == State::kKnown) return;
    states_.resize(static_cast<size_t>(size()));
  }
  states_[static_cast<size_t>(i)] = state;
}

Possible Scalars::At(int64_t i) const {
  const State state = StateAt(i);
  if (state == State::kSeveral) return several_.at(i);
  Possible possible = Possible::Value(values_.Bits(i));
  possible.any_nan = state == State::kAnyNan;
  return possible;
}

void Scalars::Set(int64_t i, const Possible& possible) {
  several_.erase(i);
  if (!possible.ranges.empty()) {
    values_.Unshare();
    values_.SetBits(i, possible.ranges[0].lo);
  }
  if (possible.IsFinite() && possible.ranges.size() == 1) {
    const bool is_any_nan =
        possible.any_nan && HasNan(type(), possible.ranges[0].lo);
    SetState(i, is_any_nan ? State::kAnyNan : State::kKnown);
    return;
  }
  SetState(i, State::kSeveral);
  several_.emplace(i, possible);
}

Scalars Scalars::Of(const Expectation& expectation) {
  Scalars scalars(expectation.lo);
  const ElementType type = scalars.type();
  if (expectation.IsDetermined()) {
    if (!expectation.keeps_nans) {
      ForEachNan(scalars.values_,
                 [&](int64_t i) { scalars.SetState(i, State::kAnyNan); });
    }
    return scalars;
  }
  for (int64_t i = 0; i < scalars.size(); ++i) {
    if (!expectation.IsExact(i)) {
      scalars.Set(i, PossibleAt(expectation, i));
    } else if (!expectation.KeepsNan(i) &&
               HasNan(type, expectation.lo.Bits(i))) {
      scalars.SetState(i, State::kAnyNan);
    }
  }
  return scalars;
}

Scalars Scalars::Repeated(ElementType type, const Possible& value,
                          int64_t size) {
  Scalars scalars(Tensor(TensorType{{size}, type}));
  const ElementBits bits = value.ranges.empty() ? 0 : value.ranges[0].lo;
  WithWord(type, [&]<class Word>(Word) {
    std::fill_n(reinterpret_cast<Word*>(scalars.values_.data()), size,
                static_cast<Word>(bits));
  });
  const bool is_known = value.IsFinite() && value.ranges.size() == 1 &&
                        !(value.any_nan && HasNan(type, bits));
  for (int64_t i = 0; i < size && !is_known; ++i) scalars.Set(i, value);
  return scalars;
}

void ResultOfScalars::AddPossible(int64_t i, const Possible& possible) {
  if (possible.kind != Possible::Kind::kRanges) {
    result_.SetOpen(i);
    undecided_ += possible.kind == Possible::Kind::kUndecided;
    return;
  }
  if (possible.any_nan) any_nans_.push_back(i);
  has_kept_nan_ |=
      keeps_nans_ && !possible.any_nan &&
      std::ranges::any_of(possible.ranges, [&](const Possible::Range& range) {
        return HasNan(result_.lo.element_type(), range.lo);
      });
  const Possible::Range& first = possible.ranges[0];
  if (first.hi != first.lo) upper_ends_.emplace_back(i, first.hi);
  for (size_t n = 1; n < possible.ranges.size(); ++n)
    result_.alternatives.push_back(
        {i, possible.ranges[n].lo, possible.ranges[n].hi});
}

void ResultOfScalars::Add(int64_t begin, const Scalars& scalars) {
  const ElementType type = scalars.type();
  const bool may_be_nan = keeps_nans_ && (IsFloat(type) || IsComplex(type));
  if (scalars.AllKnown() && !may_be_nan) return;
  for (int64_t i = 0; i < scalars.size(); ++i) {
    const ElementBits bits = result_.lo.Bits(begin + i);
    const Scalars::State state = bits == scalars.values().Bits(i)
                                     ? scalars.StateAt(i)
                                     : Scalars::State::kKnown;
    if (state == Scalars::State::kSeveral) {
      AddPossible(begin + i, scalars.At(i));
    } else if (state == Scalars::State::kAnyNan) {
      any_nans_.push_back(begin + i);
    } else if (may_be_nan && !has_kept_nan_) {
      has_kept_nan_ = HasNan(type, bits);
    }
  }
}

int64_t ResultOfScalars::Finish() {
  if (!upper_ends_.empty()) {
    result_.hi = Tensor(result_.lo.type());
    std::memcpy(result_.hi.data(), result_.lo.data(),
                static_cast<size_t>(result_.lo.byte_size()));
    for (const auto& [i, bits] : upper_ends_) result_.hi.SetBits(i, bits);
  }
  result_.keeps_nans = has_kept_nan_;
  if (has_kept_nan_) {
    for (const int64_t i : any_nans_) result_.Set(Expectation::kAnyNan, i);
  }
  return undecided_;
}

}  // namespace assay
