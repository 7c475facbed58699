// Ops of control, and the few ops that steer them, made of functions and values
// that a drawer of programs has.
#ifndef ASSAY_FUZZ_PROPOSALS_CONTROL_OPS_H_
#define ASSAY_FUZZ_PROPOSALS_CONTROL_OPS_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "spec/program.h"
#include "spec/types/tensor.h"

namespace assay {

using TypedNames = std::vector<TypedName>;

enum class ControlKind : uint8_t {
  kIf,
  kCase,
  kWhile,
  kCall,
  kComposite,
  kBarrier,
  kTuple,
  kToken
};
inline constexpr size_t kControlKinds = 8;
std::string_view IdOf(ControlKind kind);
// Returns whether programs are drawn with this op of control.
bool IsDrawnInPrograms(std::string_view op);

// `branches` are those of an if, true first, or of a case.
Op BranchOp(ControlKind kind, const TypedName& selector,
            std::vector<Function> branches, const TypedNames& results);
Op WhileOp(const TypedNames& operands, Function cond, Function body,
           const TypedNames& results);
// A call of a function by name, or by a composite, whose decomposition it is.
Op FunctionCallOp(ControlKind kind, std::shared_ptr<const Function> callee,
                  const TypedNames& operands, const TypedNames& results);
Op BarrierOp(const TypedNames& operands, const TypedNames& results);
Op TupleOp(const TypedNames& members, const TypedName& result);
Op MemberOp(const TypedName& tuple, size_t member, const TypedName& result);
Op TokenOp(const std::string& result);

bool IsConstant(std::string_view op);
Op ConstantOp(Tensor value, const TypedName& result);
// Ops on scalars of one type of integers. A comparison is one of values.
Op AdditionOp(const TypedName& lhs, const TypedName& rhs,
              const TypedName& result);
Op ComparisonOp(std::string_view direction, const TypedName& lhs,
                const TypedName& rhs, const TypedName& result);

}  // namespace assay

#endif  // ASSAY_FUZZ_PROPOSALS_CONTROL_OPS_H_
