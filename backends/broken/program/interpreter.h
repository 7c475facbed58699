// The interpreter runs a program op by op, each as a call of the kernel on
// tensors in row-major order, and control flow by itself.
//
// A value is kept until its last use. What is alive at a time takes at most
// kMostBytes, and loops go round at most kMostRounds times in all: a program
// that asks for more is declined.
#ifndef ASSAY_BACKENDS_BROKEN_PROGRAM_INTERPRETER_H_
#define ASSAY_BACKENDS_BROKEN_PROGRAM_INTERPRETER_H_

#include <stdint.h>

#include <memory>
#include <string>
#include <vector>

#include "backends/broken/program/program.h"

namespace assay::broken::program {

class Interpreter {
 public:
  static constexpr size_t kMostBytes = size_t{1} << 30;
  static constexpr int64_t kMostRounds = int64_t{1} << 16;

  // A TensorValue is a value of a program while it is needed.
  class TensorValue;
  using Shared = std::shared_ptr<const TensorValue>;

  // Runs the entry of a program, whose arguments and results are tensors in
  // row-major order.
  Refusal Run(const Function& function, const AssayTensor* inputs,
              const AssayTensor* outputs);

 private:
  using Values = std::vector<Shared>;

  // Each of these returns the results, or nothing after Refuse.
  Values Call(const Function& function, const Values& arguments);
  Values RunProgramOp(const Op& op, const Values& inputs);
  Values RunControl(const Op& op, const Values& inputs);
  Values RunWhile(const Op& op, Values state);
  Values RunKernel(const Op& op, const Values& inputs);
  // Returns nullptr after a refusal, which names the user of the value.
  std::shared_ptr<TensorValue> Make(const std::string& user,
                                    const TensorType& type);
  void Refuse(const std::string& user, const std::string& text);
  bool IsRefused() const { return refusal_.status != ASSAY_OK; }

  Refusal refusal_;
  size_t bytes_ = 0;  // of the values that are alive
  int64_t rounds_ = 0;
};

}  // namespace assay::broken::program

#endif  // ASSAY_BACKENDS_BROKEN_PROGRAM_INTERPRETER_H_
