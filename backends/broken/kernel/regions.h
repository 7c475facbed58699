// map, reduce and sort: ops that are given a function, which is applied to one
// tuple of scalars at a time. Each op of the function is a call of this kernel
// on tensors of rank 0.
//
// Operands are copied to memory of their own and results from there, by the
// hooks that move elements in every op; so a result may lie where an operand
// does.
#ifndef ASSAY_BACKENDS_BROKEN_KERNEL_REGIONS_H_
#define ASSAY_BACKENDS_BROKEN_KERNEL_REGIONS_H_

#include <stdint.h>

#include <vector>

#include "backends/broken/kernel/kernel.h"

namespace assay::broken {

// A Scalar is a value of a function, as it lies in memory.
struct Scalar {
  DLDataType type = {};
  alignas(16) unsigned char bytes[16] = {};
};

// Elements are a tensor in row-major order.
struct Elements {
  DLDataType type;
  size_t bytes;  // of an element
  std::vector<int64_t> shape;
  std::vector<unsigned char> data;

  Scalar At(int64_t position) const;
  // The scalar has the type of the elements.
  void Set(int64_t position, const Scalar& scalar);
};

struct FunctionCall {
  const AssayCall& call;
  std::vector<Elements> inputs = {}, init_values = {}, outputs = {};
  Tuple captures = {};
  // The first thing that is not implemented. From then on, results mean
  // nothing.
  mutable const char* missing = nullptr;
  bool* is_declined = nullptr;
  size_t number = 0;  // of the function that is applied to pairs

  const AssayFunction& function() const { return call.functions[number]; }
  void Fail(const char* what) const {
    if (missing == nullptr) missing = what;
  }
  bool IsDone() const { return missing != nullptr || *is_declined; }
};

// A Reduction is the shape of a call of reduce.
struct Reduction {
  std::vector<int64_t> shape;
  std::vector<int64_t> dimensions;  // as the call lists them
};

// Returns elements of the tensor's type and shape, and copies them from it if
// it is an operand.
Elements ElementsOf(const FunctionCall& call, const AssayTensor& tensor,
                    bool is_operand);
// Copies elements to a result.
void Write(Elements* elements, const AssayTensor& tensor);

// Returns in how many groups the operands of an op that is given a function
// are, or 0 if it is given none.
size_t NumGroups(const char* op);
// Runs such a call. Returns as RunOp does.
const char* RunWithFunction(const AssayCall& call, bool* is_declined);

// Each of these fills the outputs.
void RunMap(FunctionCall* call);
void RunReduce(FunctionCall* call);
void RunSort(FunctionCall* call);

// Runs an op on scalars, with one result. The attributes are those of `op` if
// it is given.
Scalar RunOnScalars(const FunctionCall& call, const char* name,
                    const Tuple& inputs, const DLDataType& result,
                    const AssayAttribute* attributes = nullptr,
                    int32_t num_attributes = 0);
bool HasType(const Scalar& scalar, const DLDataType& type);
// Returns the scalar converted to the type.
Scalar ConvertedTo(const FunctionCall& call, const DLDataType& type,
                   const Scalar& scalar);
// Returns the tuple converted to the types of the results.
Tuple InTypesOfResults(const FunctionCall& call, const Tuple& tuple);
// Returns the function's results for two tuples.
Tuple ApplyToPair(const FunctionCall& call, const Tuple& lhs, const Tuple& rhs);
// Returns where the terms of a result are, along some dimensions, of which the
// first is the outermost.
std::vector<int64_t> TermsAlong(const Reduction& reduction,
                                const std::vector<int64_t>& dimensions,
                                int64_t result);

// These are the sound hooks.
Tuple Bind(const FunctionCall& call, const Tuple& elements);
Tuple Apply(const FunctionCall& call, const AssayFunction& function,
            const Tuple& arguments);
int32_t Choose(const AssayFunctionOp& op, const Scalar& selector);
std::vector<int64_t> TermsOf(const Reduction& reduction, int64_t result);
Tuple Fold(const FunctionCall& call, const std::vector<Tuple>& terms,
           const Tuple& init);
int64_t Along(int64_t dimension, int64_t rank);
bool IsLess(const FunctionCall& call, const Tuple& lhs, const Tuple& rhs);
void Sort(const FunctionCall& call, std::vector<Tuple>* rows);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_REGIONS_H_
