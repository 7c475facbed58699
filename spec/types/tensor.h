// This header has shapes, strides, indices, tensor types, and tensors.
//
// A Tensor is a *logical* value: its elements in row-major order, nothing else.
// Where its elements lie in memory (strides, offset) is a Layout, and only the
// runner, which builds the buffers that backends see, combines the two. So the
// oracle never walks a stride, and a stride walker of a kernel has nothing of
// ours to agree with by accident.
#ifndef ASSAY_SPEC_TYPES_TENSOR_H_
#define ASSAY_SPEC_TYPES_TENSOR_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "spec/types/element.h"
#include "spec/types/element_type.h"

namespace assay {

// This is a number for each dimension. Few tensors have more than six, and a
// case has dozens of these lists, so that they need no allocation each.
using PerDimension = absl::InlinedVector<int64_t, 6>;
// A Shape has the sizes of dimensions, and kDynamic where the type says `?`.
using Shape = PerDimension;
using Strides = PerDimension;  // in elements, may be 0 or negative
using Index = PerDimension;
inline constexpr int64_t kDynamic = -1;
inline constexpr size_t kMaxRank = 64;

// Returns the number of elements, or nullopt if it does not fit 63 bits.
// Precondition: no dimension is dynamic.
std::optional<int64_t> ElementCount(const Shape& shape);
Strides RowMajorStrides(const Shape& shape);

// Returns "2x3x" as in a type; ShapeText returns "2x3".
std::string ShapeText(const Shape& shape);

// How the elements of a quantized tensor, which are of the storage type, stand
// for numbers of the expressed type ("Quantized types" of the specification).
struct Quantization {
  ElementType storage_type = ElementType::kI8;
  ElementType expressed_type = ElementType::kF32;
  int64_t storage_min = 0, storage_max = 0;
  // The dimension along which parameters differ; nullopt: there is one pair.
  std::optional<int64_t> dimension;
  std::vector<double> scales;
  std::vector<int64_t> zero_points;

  std::string ToString() const;  // "!quant.uniform<i8<-128:127>:f32, 0.5:3>"
  friend bool operator==(const Quantization&, const Quantization&) = default;
};

struct TensorType {
  TensorType() = default;
  TensorType(Shape shape, ElementType element_type)
      : shape(std::move(shape)), element_type(element_type) {}

  Shape shape;
  // The storage type where the tensor is quantized.
  ElementType element_type = ElementType::kI1;
  // nullptr if it is not quantized.
  std::shared_ptr<const Quantization> quantization = nullptr;

  bool IsStatic() const;
  // Whether the bytes of all elements fit 63 bits, if the type is static.
  bool IsOfASizeThatExists() const;
  // Returns the bytes of all elements. Precondition: the type is static and of
  // a size that exists.
  int64_t ByteSize() const;
  std::string ToString() const;  // "tensor<2x?xi8>"
  friend bool operator==(const TensorType& a, const TensorType& b) {
    return a.shape == b.shape && a.element_type == b.element_type &&
           (a.quantization == b.quantization ||
            (a.quantization && b.quantization &&
             *a.quantization == *b.quantization));
  }
};

// This is what a call needs to be judged that has quantized types: such calls
// are verified alone.
inline constexpr char kQuantizedTypes[] = "quantized types";
// Where nothing is verified, all readers of types refuse quantized ones in the
// same words.
bool IsQuantizedType(std::string_view text);
std::string QuantizedTypeError(std::string_view text);

// Parses "tensor<2x?xi8>", which is not quantized. On failure returns nullopt
// and says why in
// `*reason`.
std::optional<TensorType> ParseTensorType(std::string_view text,
                                          std::string* reason);

// An IndexSpace has the indices of a shape in ascending lexicographical order
// (index_space of the specification).
//   Index index; for (IndexSpace s(shape); s.Next(&index);) ...
class IndexSpace {
 public:
  explicit IndexSpace(const Shape& shape) : shape_(shape) {}
  bool Next(Index* index);

 private:
  Shape shape_;
  bool started_ = false;
};

// Returns the index of the element at position `linear` of row-major order.
Index Unflatten(const Shape& shape, int64_t linear);

class Tensor {
 public:
  Tensor() = default;
  // The elements are uninitialized. Precondition: the type is static and its
  // ByteSize fits the memory.
  explicit Tensor(TensorType type);

  const TensorType& type() const { return type_; }
  ElementType element_type() const { return type_.element_type; }
  int64_t size() const { return size_; }
  int64_t byte_size() const { return size_ * Info(type_.element_type).bytes; }
  std::byte* data() { return data_.get(); }
  const std::byte* data() const { return data_.get(); }
  template <class T>  // T is a scalar type of element.h
  typename T::Bits* As() {
    return reinterpret_cast<typename T::Bits*>(data_.get());
  }
  template <class T>
  const typename T::Bits* As() const {
    return reinterpret_cast<const typename T::Bits*>(data_.get());
  }

  // Returns the part [begin, end) of the first dimension. It shares this
  // tensor's elements, as a copy does. Precondition: the rank is 1 or more.
  Tensor Rows(int64_t begin, int64_t end) const;

  ElementBits Bits(int64_t linear) const;
  void SetBits(int64_t linear, ElementBits bits);
  // Copies the elements if other tensors share them, so that these do not see
  // what is written next.
  void Unshare();

 private:
  TensorType type_;
  int64_t size_ = 0;
  // The data is shared: copies of a tensor are cheap and see one another's
  // writes.
  std::shared_ptr<std::byte[]> data_;
};

// A Layout says where the elements of a tensor lie: element [i0, i1, ..] is at
// `offset + i0 * strides[0] + ..`, counted in elements.
struct Layout {
  Strides strides;
  int64_t offset = 0;

  static Layout RowMajor(const Shape& shape) {
    return {RowMajorStrides(shape), 0};
  }
  int64_t At(const Index& index) const;
  // Returns the smallest (never positive) and the largest (never negative)
  // offset from element [0, .., 0] that an index reaches, in elements, or
  // nullopt if one does not fit 63 bits.
  struct Extent {
    int64_t below = 0, above = 0;
  };
  std::optional<Extent> ExtentOf(const Shape& shape) const;
  bool IsRowMajor(const Shape& shape)
      const;  // sizes 1 and empty shapes may have any stride
};

// Returns a tensor of these numbers. Preconditions: it is of an integer type
// that has them, and of as many elements.
Tensor IntegerTensor(const TensorType& type,
                     const std::vector<int64_t>& numbers);

}  // namespace assay

#endif  // ASSAY_SPEC_TYPES_TENSOR_H_
