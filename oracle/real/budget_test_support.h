// These functions return what a policy's budgets allow for one element.
#ifndef ASSAY_ORACLE_REAL_BUDGET_TEST_SUPPORT_H_
#define ASSAY_ORACLE_REAL_BUDGET_TEST_SUPPORT_H_

#include <cmath>
#include <string>
#include <vector>

#include "oracle/elementwise/float_test_support.h"

namespace assay {

// Evaluates the operands' values, which the type has, with and without marks,
// which must agree.
inline Expectation ExpectedByFast(const std::string& op, ElementType type,
                                  const std::vector<double>& operands,
                                  const char* policy = "cuda_fast") {
  std::vector<Tensor> inputs;
  for (const double x : operands) {
    Tensor& input = inputs.emplace_back(TensorType{{1}, type});
    VisitKinds<kFloats>(type, [&]<class T>() {
      EXPECT_TRUE(T::Round(x).value.ToDouble() == x || std::isnan(x)) << x;
      input.SetBits(0, T::Round(x).value.ToBits());
    });
  }
  const FloatCall call = MakeFloatCall(op, inputs, TensorType{{1}, type});
  const Policy& p = Policy::Find(policy);
  const Expectation counted =
      Evaluate(call.op, inputs, p, Marks::kCounted).outputs[0];
  const Expectation silent =
      Evaluate(call.op, inputs, p, Marks::kNone).outputs[0];
  EXPECT_EQ(counted.lo.Bits(0), silent.lo.Bits(0));
  EXPECT_EQ(counted.hi.Bits(0), silent.hi.Bits(0));
  EXPECT_EQ(counted.flags, silent.flags);
  return counted;
}

}  // namespace assay

#endif  // ASSAY_ORACLE_REAL_BUDGET_TEST_SUPPORT_H_
