// Flushing of subnormals: the ways in which hardware does it, as one choice
// that must explain every result of a backend, op and type.
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
  // The last two are of ops that compare their operands and return one of
  // them: the comparison reads zeros, and what is returned is as it was. Of two
  // that it reads as equal that is the first; or the second, unless the first
  // is the zero that the op prefers, +0 for a maximum and -0 for a minimum (as
  // x86's MAX and MIN instructions are used). Other ops know no difference to
  // kKept.
  enum class Inputs : uint8_t {
    kKept,
    kSignedZero,
    kPositiveZero,
    kComparedFirst,
    kComparedSecond
  };
  // When a result is tiny: never; when the real result is; when its rounding
  // with unbounded exponent is; when what is delivered is subnormal.
  enum class Results : uint8_t { kKept, kBefore, kAfter, kDelivered };
  Inputs inputs = Inputs::kKept;
  Results results = Results::kKept;
  bool keeps_sign = true;  // of a flushed result

  std::string Text() const;
  bool OnlyCompares() const {
    return inputs == Inputs::kComparedFirst ||
           inputs == Inputs::kComparedSecond;
  }

  // A computed result as it is delivered.
  template <class T>
  T Result(T value, Tininess tininess) const {
    if constexpr (T::kKind == ElementKind::kComplex) {
      // Sums and moved parts: tiny only if subnormal.
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
  // The operands as the operation reads them.
  Tensor Operand(const Tensor& tensor) const;
};

// What a comparison reads where it alone flushes.
template <class T>
T AsCompared(T value, const FlushChoice* flush) {
  if constexpr (T::kKind == ElementKind::kFloat) {
    if (flush != nullptr && flush->OnlyCompares() && value.IsSubnormal())
      return T::Zero(value.SignBit());
  }
  return value;
}

// All choices; the first flushes nothing.
std::span<const FlushChoice> FlushChoices();

// A set of choices: bit n is FlushChoices()[n].
using FlushSet = uint32_t;
inline constexpr FlushSet kAllFlushChoices = (FlushSet{1} << 23) - 1;
std::string FlushSetText(FlushSet set);

// Whether flushing can be told from keeping in results of the op: it computes,
// on a type with subnormals, or with what the policy counts as one.
bool CanFlush(const OpSpec& spec, const Op& op, const Policy& policy);

// Whether the policy lets a backend flush results of the op.
bool MayBeFlushed(const Op& op, const Policy& policy);

// An element that does not agree with every choice.
struct FlushWitness {
  int64_t index = 0;
  FlushSet survivors = 0;
};

struct FlushJudgement {
  FlushSet survivors = kAllFlushChoices;
  // Few elements whose survivors have those of the result in common; if there
  // are none, elements that contradict one another.
  std::vector<FlushWitness> witnesses;
  // Elements, and those that fail under the choice that fails fewest.
  Judgement best;
  // Of each element whether the ways may differ in it.
  std::vector<uint8_t> affected;
};

// Judges one result of an op, the n-th, under every choice. Precondition:
// CanFlush.
FlushJudgement JudgeFlush(const Op& op, const std::vector<Tensor>& inputs,
                          const Policy& policy, const Tensor& actual,
                          size_t n = 0);

}  // namespace assay

#endif  // ASSAY_ORACLE_FLUSH_FLUSH_H_
