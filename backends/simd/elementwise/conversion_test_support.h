// The tests of conversions run ops with the types, values and calls of this
// header: all 30 element types by name, their values, and calls on each
// instruction set.
#ifndef ASSAY_BACKENDS_SIMD_ELEMENTWISE_CONVERSION_TEST_SUPPORT_H_
#define ASSAY_BACKENDS_SIMD_ELEMENTWISE_CONVERSION_TEST_SUPPORT_H_

#include <gtest/gtest.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/simd/core/simd_test_support.h"
#include "backends/simd/elementwise/float_reference_test_support.h"

namespace assay::simd_test {

// ----------------------------------------------------------------------- Types

enum class TypeKind { kBool, kSigned, kUnsigned, kFormat, kFloat, kComplex };

struct ElementType {
  const char* name;
  TypeKind kind;
  int bits;  // Bits of the value, 1 for i1.
  uint8_t code;

  size_t bytes() const { return bits < 8 ? 1 : static_cast<size_t>(bits) / 8; }
};

inline std::vector<ElementType> AllElements() {
  using enum TypeKind;
  return {{"i1", kBool, 1, ASSAY_DL_BOOL},
          {"i2", kSigned, 2, kDLInt},
          {"i4", kSigned, 4, kDLInt},
          {"i8", kSigned, 8, kDLInt},
          {"i16", kSigned, 16, kDLInt},
          {"i32", kSigned, 32, kDLInt},
          {"i64", kSigned, 64, kDLInt},
          {"ui2", kUnsigned, 2, kDLUInt},
          {"ui4", kUnsigned, 4, kDLUInt},
          {"ui8", kUnsigned, 8, kDLUInt},
          {"ui16", kUnsigned, 16, kDLUInt},
          {"ui32", kUnsigned, 32, kDLUInt},
          {"ui64", kUnsigned, 64, kDLUInt},
          {"f4E2M1FN", kFormat, 4, ASSAY_DL_FLOAT4_E2M1FN},
          {"f6E2M3FN", kFormat, 6, ASSAY_DL_FLOAT6_E2M3FN},
          {"f6E3M2FN", kFormat, 6, ASSAY_DL_FLOAT6_E3M2FN},
          {"f8E3M4", kFormat, 8, ASSAY_DL_FLOAT8_E3M4},
          {"f8E4M3", kFormat, 8, ASSAY_DL_FLOAT8_E4M3},
          {"f8E4M3FN", kFormat, 8, ASSAY_DL_FLOAT8_E4M3FN},
          {"f8E4M3FNUZ", kFormat, 8, ASSAY_DL_FLOAT8_E4M3FNUZ},
          {"f8E4M3B11FNUZ", kFormat, 8, ASSAY_DL_FLOAT8_E4M3B11FNUZ},
          {"f8E5M2", kFormat, 8, ASSAY_DL_FLOAT8_E5M2},
          {"f8E5M2FNUZ", kFormat, 8, ASSAY_DL_FLOAT8_E5M2FNUZ},
          {"f8E8M0FNU", kFormat, 8, ASSAY_DL_FLOAT8_E8M0FNU},
          {"bf16", kFormat, 16, kDLBfloat},
          {"f16", kFormat, 16, kDLFloat},
          {"f32", kFloat, 32, kDLFloat},
          {"f64", kFloat, 64, kDLFloat},
          {"complex<f32>", kComplex, 64, kDLComplex},
          {"complex<f64>", kComplex, 128, kDLComplex}};
}

inline ElementType ElementOf(const std::string& name) {
  for (const ElementType& type : AllElements()) {
    if (type.name == name) return type;
  }
  return {};
}

// Returns the real type of a complex type's parts, and any other type itself.
inline ElementType PartOf(const ElementType& type) {
  if (type.kind != TypeKind::kComplex) return type;
  return ElementOf(type.bits == 64 ? "f32" : "f64");
}

inline bool IsInteger(TypeKind kind) {
  return kind == TypeKind::kBool || kind == TypeKind::kSigned ||
         kind == TypeKind::kUnsigned;
}

inline std::string NameOfParam(const testing::TestParamInfo<ElementType>& p) {
  std::string name = p.param.name;
  for (char& c : name) {
    if (c == '<' || c == '>') c = '_';
  }
  return name;
}

// ---------------------------------------------------------------------- Values

// This is the pattern of one element; only complex types have an `imaginary`
// part.
struct Bits {
  uint64_t real = 0;
  uint64_t imaginary = 0;

  bool operator==(const Bits&) const = default;
};

inline Bits BitsOf(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return {bits, 0};
}

inline Bits BitsOf(double value) {
  Bits bits;
  memcpy(&bits.real, &value, sizeof(value));
  return bits;
}

inline const List& ListOf(const ElementType& type) {
  static const auto* lists = [] {
    auto* all = new std::map<std::string, List>;
    for (const Reference& r : kReferences) all->emplace(r.name, r);
    return all;
  }();
  return lists->at(type.name);
}

// The type is not complex.
inline long double ValueOf(const ElementType& type, uint64_t bits) {
  if (type.kind == TypeKind::kFormat) {
    return ListOf(type).Decode(static_cast<unsigned>(bits));
  }
  if (type.kind == TypeKind::kFloat && type.bits == 32) {
    float value;
    memcpy(&value, &bits, sizeof(value));
    return static_cast<long double>(value);
  }
  if (type.kind == TypeKind::kFloat) {
    double value;
    memcpy(&value, &bits, sizeof(value));
    return static_cast<long double>(value);
  }
  const auto value = static_cast<long double>(bits);
  const bool is_negative =
      type.kind == TypeKind::kSigned && (bits >> (type.bits - 1)) != 0;
  return is_negative ? value - ldexpl(1, type.bits) : value;
}

// Returns the value of a float type that `value` is rounded to.
inline long double RoundTo(const ElementType& type, long double value) {
  if (type.kind == TypeKind::kFormat) return ListOf(type).Round(value);
  if (type.bits == 32)
    return static_cast<long double>(static_cast<float>(value));
  return static_cast<long double>(static_cast<double>(value));
}

// ----------------------------------------------------------------------- Calls

// Returns the instruction sets that this processor has.
inline std::vector<std::string> Targets() {
  std::vector<std::string> targets;
  for (const char* target : {"sse4", "avx2", "avx512"}) {
    char message[200];
    if (assay_backend()->configure("target", target, message,
                                   sizeof(message)) == ASSAY_OK) {
      targets.push_back(target);
    }
  }
  return targets;
}

struct NamedOp {
  const char* name;
  std::vector<std::pair<const char*, std::string>> attributes = {};
};

// An operand is a tensor of rank 1 or, if `last` is not 0, of rank 2 with that
// last dimension.
class Operand {
 public:
  Operand(const ElementType& type, size_t count, const Placement& placement,
          size_t last = 0)
      : type_(type), count_(count), memory_((count + 8) * type.bytes()) {
    const size_t bytes = count * type.bytes();
    // Complex elements are aligned to the size of their parts.
    const size_t skip = placement.skip * PartOf(type).bytes();
    first_ = placement.at_end ? memory_.end() - bytes : memory_.begin() + skip;
    const auto offset = static_cast<size_t>(first_ - memory_.begin());
    shape_[0] = static_cast<int64_t>(last == 0 ? count : count / last);
    shape_[1] = strides_[0] = static_cast<int64_t>(last == 0 ? 1 : last);
    DLTensor& t = assay_.tensor;
    t.data = memory_.begin() + offset / 256 * 256;
    t.byte_offset = offset % 256;
    t.device = {kDLCPU, 0};
    t.ndim = last == 0 ? 1 : 2;
    const int bits = type.kind == TypeKind::kBool ? 8 : type.bits;
    t.dtype = {type.code, static_cast<uint8_t>(bits), 1};
    t.shape = shape_;
    t.strides = strides_;
  }

  void Set(size_t i, const Bits& bits) {
    if (type_.kind == TypeKind::kComplex) {
      const size_t part = type_.bytes() / 2;
      memcpy(At(i), &bits.real, part);
      memcpy(At(i) + part, &bits.imaginary, part);
    } else {
      memcpy(At(i), &bits.real, type_.bytes());
    }
  }

  Bits Get(size_t i) const {
    Bits bits;
    if (type_.kind == TypeKind::kComplex) {
      const size_t part = type_.bytes() / 2;
      memcpy(&bits.real, At(i), part);
      memcpy(&bits.imaginary, At(i) + part, part);
    } else {
      memcpy(&bits.real, At(i), type_.bytes());
    }
    return bits;
  }

  bool CanariesLive() {
    const unsigned char* last = first_ + count_ * type_.bytes();
    for (const unsigned char* p = memory_.begin(); p < memory_.end(); ++p) {
      if ((p < first_ || p >= last) && *p != kCanary) return false;
    }
    return true;
  }

  unsigned char* At(size_t i) const { return first_ + i * type_.bytes(); }
  const AssayTensor& assay() const { return assay_; }

 private:
  ElementType type_;
  size_t count_;
  Guarded memory_;
  unsigned char* first_;
  int64_t shape_[2];
  int64_t strides_[2] = {1, 1};
  AssayTensor assay_ = {};
};

inline int32_t Call(const std::string& target, const NamedOp& op,
                    const Operand& input, const Operand& output,
                    std::string* message) {
  char text[200] = "";
  assay_backend()->configure("target", target.c_str(), text, sizeof(text));
  std::vector<AssayAttribute> attributes;
  for (const auto& [name, value] : op.attributes) {
    attributes.push_back({name, value.c_str(), nullptr, {}});
  }
  AssayCall call = {};
  call.struct_size = sizeof(call);
  call.op = op.name;
  call.num_inputs = 1;
  call.inputs = &input.assay();
  call.num_outputs = 1;
  call.outputs = &output.assay();
  call.num_attributes = static_cast<int32_t>(attributes.size());
  call.attributes = attributes.data();
  const int32_t status = assay_backend()->run(&call, text, sizeof(text));
  *message = text;
  return status;
}

// Runs an op with as many results as operands.
inline void RunUnary(const std::string& target, const NamedOp& op,
                     const ElementType& from, const std::vector<Bits>& sources,
                     const ElementType& to, std::vector<Bits>* results,
                     const Placement& placement = {}) {
  Operand input(from, sources.size(), placement);
  Operand output(to, sources.size(), placement);
  for (size_t i = 0; i < sources.size(); ++i) input.Set(i, sources[i]);
  std::string message;
  ASSERT_EQ(Call(target, op, input, output, &message), ASSAY_OK)
      << from.name << " to " << to.name << ": " << message;
  results->clear();
  for (size_t i = 0; i < sources.size(); ++i) results->push_back(output.Get(i));
  ASSERT_TRUE(output.CanariesLive()) << from.name << " to " << to.name;
}

// Runs an op on `count` elements that repeat `sources`, and checks that the
// results repeat `once`.
inline void RunRepeated(const std::string& target, const NamedOp& op,
                        const ElementType& from,
                        const std::vector<Bits>& sources, const ElementType& to,
                        const std::vector<Bits>& once, size_t count,
                        const Placement& placement) {
  Operand input(from, count, placement);
  Operand output(to, count, placement);
  const size_t period = sources.size();
  for (size_t i = 0; i < count; ++i) input.Set(i, sources[i % period]);
  std::string message;
  ASSERT_EQ(Call(target, op, input, output, &message), ASSAY_OK) << message;
  for (size_t i = 0; i < period; ++i) ASSERT_EQ(output.Get(i), once[i]) << i;
  ASSERT_EQ(
      memcmp(output.At(0), output.At(period), (count - period) * to.bytes()),
      0);
  ASSERT_TRUE(output.CanariesLive());
}

}  // namespace assay::simd_test

#endif  // ASSAY_BACKENDS_SIMD_ELEMENTWISE_CONVERSION_TEST_SUPPORT_H_
