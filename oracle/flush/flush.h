// Hardware flushes subnormals in several ways; each way is one choice, which
// must explain every result of a backend, op and type.
//
// The text wants subnormals (IEEE 754), and policy `preserve` judges so. Under
// `flush_uniformly` a backend may flush, but by one rule: a result is judged
// under every choice, and the choices that accept all results so far survive.
#ifndef ASSAY_ORACLE_FLUSH_FLUSH_H_
#define ASSAY_ORACLE_FLUSH_FLUSH_H_

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "oracle/judge.h"
#include "oracle/oracle.h"
#include "spec/types/element.h"

namespace assay {

template <class T>
inline constexpr bool kHasSubnormals = [] {
  if constexpr (T::kKind == ElementKind::kFloat) {
    return T::kFormat.has_subnormals();
  } else {
    return T::kKind == ElementKind::kComplex;
  }
}();

struct FlushChoice {
  // The last two are for ops that compare their operands and return one of
  // them: the comparison reads zeros, and the returned operand is as it was. If
  // two operands are read as equal, the first is returned; or the second,
  // unless the first is the zero that the op prefers, +0 for a maximum and -0
  // for a minimum (as x86's MAX and MIN instructions are used). For other ops,
  // they do not differ from kKept.
  enum class Inputs : uint8_t {
    kKept,
    kSignedZero,
    kPositiveZero,
    kComparedFirst,
    kComparedSecond
  };
  // A result is tiny never; when the real result is; when its rounding with
  // unbounded exponent is; or when the delivered value is subnormal.
  enum class Results : uint8_t { kKept, kBefore, kAfter, kDelivered };
  Inputs inputs = Inputs::kKept;
  Results results = Results::kKept;
  bool keeps_sign = true;  // of a flushed result

  std::string Text() const;
  bool OnlyCompares() const {
    return inputs == Inputs::kComparedFirst ||
           inputs == Inputs::kComparedSecond;
  }

  // Returns a computed result as it is delivered.
  template <class T>
  T Result(T value, Tininess tininess) const {
    if constexpr (T::kKind == ElementKind::kComplex) {
      // Sums and moved parts are tiny only if they are subnormal.
      return T(Result(value.real(), Tininess::kNone),
               Result(value.imag(), Tininess::kNone));
    } else {
      const bool is_tiny =
          value.IsSubnormal() ||
          (results == Results::kBefore && tininess != Tininess::kNone) ||
          (results == Results::kAfter && tininess == Tininess::kAfterRounding);
      if (results == Results::kKept || !is_tiny) return value;
      return T::Zero(keeps_sign && value.SignBit());
    }
  }
  // Returns the operands as the operation reads them.
  Tensor Operand(const Tensor& tensor) const;
};

// Returns what a comparison reads if it alone flushes.
template <class T>
T AsCompared(T value, const FlushChoice* flush) {
  if constexpr (T::kKind == ElementKind::kFloat) {
    if (flush != nullptr && flush->OnlyCompares() && value.IsSubnormal())
      return T::Zero(value.SignBit());
  }
  return value;
}

// Returns all choices; the first flushes nothing.
std::span<const FlushChoice> FlushChoices();

// A FlushSet is a set of choices: bit n is FlushChoices()[n].
using FlushSet = uint32_t;
inline constexpr FlushSet kAllFlushChoices = (FlushSet{1} << 23) - 1;
std::string FlushSetText(FlushSet set);

// Returns whether results of the op can tell flushing from keeping: it
// computes itself, not by a region, on a type with subnormals, or with values
// that the policy counts as subnormal.
bool CanFlush(const OpSpec& spec, const Op& op, const Policy& policy);

// Returns whether the policy lets a backend flush results of the op.
bool MayBeFlushed(const Op& op, const Policy& policy);

// A FlushWitness is an element that does not agree with every choice.
struct FlushWitness {
  int64_t index = 0;
  FlushSet survivors = 0;
};

struct FlushJudgement {
  FlushSet survivors = kAllFlushChoices;
  // A few elements whose survivors have the same intersection as those of the
  // whole result; if there is no survivor, elements that contradict one
  // another.
  std::vector<FlushWitness> witnesses;
  // The number of elements, and those that fail under the choice that fails
  // fewest.
  Judgement best;
  // The elements that no choice explains, judged as without flushing. Others
  // may be wrong without flushing, and right by some choice.
  Judgement unexplained;
  // For each element, this says whether the ways may differ in it.
  std::vector<uint8_t> affected;
};

// Judges result number `n` of an op under every choice. Precondition: CanFlush.
FlushJudgement JudgeFlush(const Op& op, const std::vector<Tensor>& inputs,
                          const Policy& policy, const Tensor& actual,
                          size_t n = 0);

}  // namespace assay

#endif  // ASSAY_ORACLE_FLUSH_FLUSH_H_
