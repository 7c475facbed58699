// An elementwise op of the oracle is a function of one element, applied to
// every element.
//
//   Evaluation Add(const OpCall& op) {
//     return Binary(op, [&]<class T>(auto& clause, T lhs, T rhs) -> Allowed<T>
//     { .. return clause("S2", lhs + rhs); });
//   }
//
// `clause(label, value)` returns the value, and marks that the clause decided
// it. Marks are counted in the suite and compile to nothing in sweeps and
// benchmarks. Allowed<T> is a value, one of two (EitherOf), or Any where the
// policy accepts every value.
#ifndef ASSAY_ORACLE_ELEMENTWISE_ELEMENTWISE_H_
#define ASSAY_ORACLE_ELEMENTWISE_ELEMENTWISE_H_

#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "oracle/broken_clause.h"
#include "oracle/flush/flush.h"
#include "oracle/oracle.h"
#include "spec/types/element.h"

namespace assay {

struct AnyValue {};
inline constexpr AnyValue kAny;

template <class T>
struct Allowed {
  constexpr Allowed(T v) : value(v) {}  // implicit: most results are one value
  constexpr Allowed(AnyValue) : value(), any(true) {}
  constexpr Allowed(T v, Tininess tininess) : value(v), tininess(tininess) {}
  // If one result is a NaN and the other a number, the number is `value`.
  bool either() const { return (flags & Expectation::kEither) != 0; }
  T value;
  bool any = false;
  ElementFlags flags = 0;               // of the Expectation's element
  Tininess tininess = Tininess::kNone;  // for oracle/flush/flush.h
  T other = {};                         // if either()
};

// Returns one of two results; two equal ones are one.
template <class T>
Allowed<T> EitherOf(T a, T b) {
  if (a.ToBits() == b.ToBits()) return a;
  if constexpr (IsFloatType<T>) {
    if (a.IsNan()) std::swap(a, b);
  }
  Allowed<T> either(a);
  either.other = b;
  either.flags = Expectation::kEither;
  return either;
}

// Returns either of two sets of results, or any value if they are more than two
// together.
template <class T>
Allowed<T> EitherOf(const Allowed<T>& a, const Allowed<T>& b) {
  if (a.any || b.any) return kAny;
  Allowed<T> either = a;
  for (const T value : {b.value, b.either() ? b.other : b.value}) {
    const auto bits = value.ToBits();
    if (bits == either.value.ToBits()) continue;
    if (either.either() && bits != either.other.ToBits()) return kAny;
    either = EitherOf(either.value, value);
  }
  either.flags = static_cast<ElementFlags>(either.flags | a.flags | b.flags);
  either.tininess = a.tininess;
  return either;
}

// A ClauseNumber is a clause label as a number, at compile time: "S6" and
// "SH-06" are 6.
struct ClauseNumber {
  consteval ClauseNumber(const char* label) : number(*ClauseNumberOf(label)) {}
  int number;
};

struct CountMarks {
  template <class V>
  V operator()(ClauseNumber clause, V value) {
    marks |= uint64_t{1} << clause.number;
    return value;
  }
  uint64_t marks = 0;
};

#ifdef ASSAY_BREAK_CLAUSES
// BreakingMarks count marks, and clause `broken` decides for another value.
struct BreakingMarks : CountMarks {
  explicit BreakingMarks(int broken) : broken(broken) {}
  template <class V>
  V operator()(ClauseNumber clause, V value) {
    CountMarks::operator()(clause, value);
    return clause.number == broken ? Broken(value) : value;
  }
  int broken;
};
#endif

struct NoMarks {
  template <class V>
  V operator()(ClauseNumber, V value) {
    return value;
  }
  static constexpr uint64_t marks = 0;
};

// Elements of an input are read by position. An operand of rank 0 is the same
// element everywhere.
template <class T>
class Elements {
 public:
  explicit Elements(const Tensor& tensor)
      : data_(tensor.As<T>()), step_(tensor.type().shape.empty() ? 0 : 1) {}
  T operator[](int64_t i) const { return T::FromBits(data_[i * step_]); }

 private:
  const typename T::Bits* data_;
  int64_t step_;
};

// Calls `loop(clause)` with the marks that the call wants, and keeps them.
template <class F>
void WithMarks(const OpCall& op, Evaluation* evaluation, F loop) {
  const auto run = [&](auto clause) {
    loop(clause);
    evaluation->marks = clause.marks;
  };
  if (op.marks == Marks::kNone) return run(NoMarks());
#ifdef ASSAY_BREAK_CLAUSES
  run(BreakingMarks(BrokenClauseOf(op.op.op)));
#else
  run(CountMarks());
#endif
}

// Fills a result of scalar type R with `element(clause, i)`.
template <class R, class F>
Evaluation ForEachElement(const OpCall& op, F element) {
  Evaluation evaluation;
  Expectation& result = evaluation.outputs.emplace_back(op.ResultType());
  std::vector<std::pair<int64_t, R>> others;
  WithMarks(op, &evaluation, [&](auto& clause) {
    typename R::Bits* out = result.lo.As<R>();
    const auto delivered = [&](R value, Tininess tininess) {
      if constexpr (kHasSubnormals<R>) {
        if (op.flush != nullptr) return op.flush->Result(value, tininess);
      }
      return value;
    };
    for (int64_t i = op.Begin(), n = op.End(result.lo.size()); i < n; ++i) {
      const Allowed<R> allowed = element(clause, i);
      out[i] = delivered(allowed.value, allowed.tininess).ToBits();
      if (allowed.any) result.SetOpen(i);
      if (allowed.flags != 0) [[unlikely]] {
        result.Set(allowed.flags, i);
        if (allowed.either())
          others.emplace_back(i, delivered(allowed.other, allowed.tininess));
      }
    }
  });
  if (!others.empty()) {
    result.hi = Tensor(op.ResultType());
    std::memcpy(result.hi.data(), result.lo.data(),
                static_cast<size_t>(result.lo.byte_size()));
    for (const auto& [i, other] : others) result.hi.As<R>()[i] = other.ToBits();
  }
  return evaluation;
}

// Returns one element of each operand. The operand's shape is right-aligned
// with that of the result, and repeated where its size is 1.
Sources ElementwiseSources(const OpCall& op, size_t output, int64_t index);

// Sets result[i] = f(clause, operand[i]), of the operand's type. `kKinds` are
// the types that the constraints of the op admit; `f` is not compiled for
// others.
template <unsigned kKinds, class F>
Evaluation Unary(const OpCall& op, F f) {
  return VisitKinds<kKinds>(op.inputs[0].element_type(), [&]<class T>() {
    const Elements<T> x(op.inputs[0]);
    return ForEachElement<T>(
        op, [&](auto& clause, int64_t i) { return f(clause, x[i]); });
  });
}

// Sets result[i] = f(clause, lhs[i], rhs[i]), of the operands' type.
template <unsigned kKinds, class F>
Evaluation Binary(const OpCall& op, F f) {
  return VisitKinds<kKinds>(op.inputs[0].element_type(), [&]<class T>() {
    const Elements<T> x(op.inputs[0]), y(op.inputs[1]);
    return ForEachElement<T>(
        op, [&](auto& clause, int64_t i) { return f(clause, x[i], y[i]); });
  });
}

// Returns whether a value that is moved is NaN: the text says nothing about a
// NaN's bits.
template <class T>
bool IsNan(T value) {
  if constexpr (IsFloatType<T> || IsComplexType<T>) return value.IsNan();
  return false;
}

// Ops that move values keep the bits of NaNs, unless the policy says otherwise.
inline void KeepNans(const OpCall& op, Evaluation* evaluation) {
  evaluation->outputs[0].keeps_nans =
      op.policy.Get("nan_payload_in_movement") == "keep";
}

// Policy integer_overflow decides a mathematical result that is outside of its
// type.
class Overflow {
 public:
  explicit Overflow(const Policy& policy)
      : any_(policy.Get("integer_overflow") == "any") {}
  template <class T>
  Allowed<T> operator()(T wrapped) const {
    if (any_) return kAny;
    return wrapped;
  }

 private:
  bool any_;
};

}  // namespace assay

#endif  // ASSAY_ORACLE_ELEMENTWISE_ELEMENTWISE_H_
