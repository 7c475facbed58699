// A test can break one clause of the oracle on purpose, in builds with
// ASSAY_BREAK_CLAUSES (preset dev).
//
// A case that executes a clause would not necessarily notice if the clause were
// wrong. So a test breaks each one and checks whether some verdict changes.
// Without the option the switch compiles to nothing.
#ifndef ASSAY_ORACLE_BROKEN_CLAUSE_H_
#define ASSAY_ORACLE_BROKEN_CLAUSE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "spec/types/float.h"

namespace assay {

#ifdef ASSAY_BREAK_CLAUSES

inline constexpr bool kClausesBreak = true;

// While the object lives, clause number `clause` of `op` decides for another
// value in evaluations whose marks are counted. Backends are judged by those,
// so a break shows as `fail`; literals are compared without marks and keep
// their verdict. Only one may live at a time.
class ScopedBrokenClause {
 public:
  ScopedBrokenClause(std::string op, int clause);
  ~ScopedBrokenClause();
  ScopedBrokenClause(const ScopedBrokenClause&) = delete;
  ScopedBrokenClause& operator=(const ScopedBrokenClause&) = delete;
};

// Returns another value of the same type: the lowest bit is flipped; any value
// becomes one value; an int, which is a width, becomes one less; an int64_t,
// which is an index, becomes a neighbour (which need not exist, so the caller
// must check).
template <class V>
V Broken(V value) {
  if constexpr (std::is_same_v<V, bool>) {
    return !value;
  } else if constexpr (std::is_same_v<V, int>) {
    return value - 1;
  } else if constexpr (std::is_same_v<V, int64_t>) {
    return value ^ 1;
  } else if constexpr (requires { value.real.near; }) {
    value.real = Broken(value.real);
    return value;
  } else if constexpr (requires { value.near; }) {
    // A range moves far from where it was, whatever the budget.
    using T = decltype(value.near);
    using Bits = typename T::Bits;
    constexpr Bits kFar = static_cast<Bits>(Bits{1} << (T::kBitWidth - 2));
    const T far = T::FromBits(static_cast<Bits>(value.near.ToBits() ^ kFar));
    value.lo.value = value.hi.value = far;
    value.lo.unencodable = value.hi.unencodable = Unencodable::kNot;
    return value;
  } else if constexpr (requires { value.unencodable; }) {
    value.value = Broken(value.value);
    value.unencodable = Unencodable::kNot;
    return value;
  } else if constexpr (requires { value.any; }) {
    using T = decltype(value.value);
    if (!value.any) return Broken(value.value);
    return T::FromBits(static_cast<typename T::Bits>(0x5555'5555'5555'5555));
  } else {
    if constexpr (requires { value.IsNan(); }) {
      // Any other NaN counts as the same.
      if (value.IsNan()) return V::FromBits(0);
    }
    return V::FromBits(static_cast<typename V::Bits>(value.ToBits() ^ 1));
  }
}

// Returns the number of the clause of `op` that is broken; -1 if none is.
int BrokenClauseOf(std::string_view op);

#else

inline constexpr bool kClausesBreak = false;

#endif

}  // namespace assay

#endif  // ASSAY_ORACLE_BROKEN_CLAUSE_H_
