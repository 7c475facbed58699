// Functions of scalars are applied to many arguments at once: each argument is
// a tensor, which has one scalar for each application, and an op of the
// function becomes one call of the op on such tensors.
#ifndef ASSAY_BACKENDS_CALLS_COLUMNS_H_
#define ASSAY_BACKENDS_CALLS_COLUMNS_H_

#include <stddef.h>
#include <stdint.h>

#include <memory>
#include <vector>

#include "backends/backend.h"
#include "backends/calls/dims_view.h"

namespace assay::calls {

// A Machine is what a backend has for the calls that a call with functions is
// made of.
class Machine {
 public:
  virtual ~Machine() = default;
  // Runs a call of an op without functions. Returns what is not implemented or
  // went wrong, or nullptr.
  virtual const char* Run(const AssayCall& call) = 0;
  // Returns memory where tensors lie, or nullptr if there is none. It lasts
  // until the whole call is done.
  virtual void* Memory(size_t bytes) = 0;
  // Reads a tensor of integers, as calls::ReadIntegers does.
  virtual const char* Read(const AssayTensor& tensor,
                           std::vector<int64_t>* integers) = 0;
  // Copies elements, of so many bytes each, from these places to others. An
  // empty list is the places 0, 1, 2 and so on. Returns what went wrong, or
  // nullptr.
  virtual const char* Move(const void* from,
                           const std::vector<int64_t>& from_places, void* to,
                           const std::vector<int64_t>& to_places,
                           size_t bytes) = 0;
};

// A Column is a tensor that ops of a function compute with.
struct Column {
  const char* type = nullptr;  // Of a scalar: "tensor<f32>".
  DimsView view;
};

// After a failure, nothing is computed any more: `failure` says what is not
// implemented or went wrong.
class Columns {
 public:
  using Shape = std::vector<int64_t>;

  // Tensors lie where those of the call do.
  Columns(const AssayCall& call, Machine* machine)
      : device_(call.outputs[0].tensor.device), machine_(*machine) {}

  Machine& machine() { return machine_; }
  const char* failure() const { return failure_; }
  void Fail(const char* failure) {
    if (failure_ == nullptr) failure_ = failure;
  }

  // Returns a tensor of the call. Its type is that of its elements.
  Column Of(const AssayTensor& tensor);
  // Returns a tensor in new memory, in row-major order.
  Column New(const char* type, const Shape& shape);
  // Returns a scalar for all applications.
  static Column Broadcast(const Column& scalar, const Shape& shape);

  // All tensors have one shape.
  void Run(const char* op, const std::vector<Column>& inputs,
           const Column& output,
           const std::vector<AssayAttribute>& attributes = {});
  // Copies elements, converted to the type of the output.
  void Convert(const Column& from, const Column& to);
  // Returns the result of an op on boolean tensors of this shape.
  Column Truth(const char* op, const std::vector<Column>& inputs,
               const Shape& shape);
  // Returns whether the left integers are greater than the right ones, or equal
  // to them.
  Column Compare(const char* direction, const Column& lhs, const Column& rhs);
  // Chooses between tensors of one type, element by element.
  Column Select(const Column& predicate, const Column& on_true,
                const Column& on_false);

  // Returns a tensor of i32 whose elements are one number.
  Column Number(int32_t number, const Shape& shape);
  // Returns a column as a tensor, which points to the vectors of its view.
  AssayTensor TensorOf(const Column& column) const;

  // Returns the elements at these places of a column in row-major order.
  Column Take(const Column& column, const std::vector<int64_t>& places);
  // Puts the elements of a column, in row-major order, to these places of
  // another one of its type.
  void Put(const Column& elements, const std::vector<int64_t>& places,
           Column* column);

  // Applies the function. Arguments and results have the shape. The last op
  // writes to `into`, if that is not nullptr and the op's result is all that is
  // returned; then this is the result.
  std::vector<Column> Apply(const AssayFunction& function,
                            const std::vector<Column>& arguments,
                            const Shape& shape, const Column* into = nullptr);

  // Memory of tensors that were made since a mark is used again after Rewind.
  struct Mark {
    size_t block, used;
  };
  Mark GetMark() const { return {block_, used_}; }
  void Rewind(const Mark& mark) {
    block_ = mark.block;
    used_ = mark.used;
  }

 private:
  struct Block {
    unsigned char* data;
    size_t bytes;
  };

  unsigned char* Take(size_t bytes);
  bool IsOfScalars(const AssayFunctionOp& op);
  std::vector<Column> RunOp(const AssayFunctionOp& op,
                            const std::vector<Column>& values,
                            const Shape& shape, const Column* into);
  std::vector<Column> RunFunctions(const AssayFunctionOp& op,
                                   const std::vector<Column>& inputs,
                                   const Shape& shape);
  Column Constant(const AssayFunctionOp& op, const Shape& shape);

  const DLDevice device_;
  Machine& machine_;
  const char* failure_ = nullptr;
  std::vector<Block> blocks_;
  size_t block_ = 0, used_ = 0;
  std::vector<std::unique_ptr<char[]>> types_;
};

}  // namespace assay::calls

#endif  // ASSAY_BACKENDS_CALLS_COLUMNS_H_
