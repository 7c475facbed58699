// Tests write calls of one element on complex numbers with these functions:
// operands are text.
#ifndef ASSAY_ORACLE_ELEMENTWISE_COMPLEX_TEST_SUPPORT_H_
#define ASSAY_ORACLE_ELEMENTWISE_COMPLEX_TEST_SUPPORT_H_

#include <complex>
#include <string>
#include <vector>

#include "oracle/elementwise/float_test_support.h"
#include "oracle/judge.h"

namespace assay {

inline FloatCall ComplexCall(const std::string& id,
                             const std::vector<std::string>& operands,
                             ElementType type) {
  std::vector<Tensor> inputs;
  for (const std::string& operand : operands)
    inputs.push_back(RowOfTexts(type, {operand}));
  const ElementType result = id == "abs" ? PartType(type) : type;
  return MakeFloatCall(id, std::move(inputs), TensorType{{1}, result});
}

inline Expectation Expected(const std::string& id,
                            const std::vector<std::string>& operands,
                            const Policy& policy,
                            ElementType type = ElementType::kComplexF64) {
  const FloatCall call = ComplexCall(id, operands, type);
  return Evaluate(call.op, call.inputs, policy, Marks::kCounted).outputs[0];
}
inline Expectation Expected(const std::string& id,
                            const std::vector<std::string>& operands,
                            const std::string& policy,
                            ElementType type = ElementType::kComplexF64) {
  return Expected(id, operands, Policy::Find(policy), type);
}

// Returns a result of one element of complex<f64>.
inline Tensor ComplexRow(std::complex<double> value) {
  Tensor row(TensorType{{1}, ElementType::kComplexF64});
  row.SetBits(0, ComplexF64(F64::Round(value.real()).value,
                            F64::Round(value.imag()).value)
                     .ToBits());
  return row;
}

struct Answer {
  bool open;
  std::complex<double> near;
  std::string labels;
};
inline Answer Ask(const std::string& id,
                  const std::vector<std::string>& operands,
                  const std::string& policy = "assay",
                  ElementType type = ElementType::kComplexF64) {
  const FloatCall call = ComplexCall(id, operands, type);
  const Evaluation e =
      Evaluate(call.op, call.inputs, Policy::Find(policy), Marks::kCounted);
  const Expectation& expectation = e.outputs[0];
  const ElementType result = expectation.lo.element_type();
  const auto part = [&](int p) {
    const ElementBits bits = PartOf(result, expectation.reals->near.Bits(0), p);
    return type == ElementType::kComplexF32
               ? F32::FromBits(static_cast<uint32_t>(bits)).ToDouble()
               : F64::FromBits(static_cast<uint64_t>(bits)).ToDouble();
  };
  return {expectation.IsOpen(0),
          {part(0), PartCount(result) == 2 ? part(1) : 0},
          LabelsOf(call, e)};
}

}  // namespace assay

#endif  // ASSAY_ORACLE_ELEMENTWISE_COMPLEX_TEST_SUPPORT_H_
