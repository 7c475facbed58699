// This file implements convert where one of the types is floating-point or
// complex.
//
// A conversion becomes a list of steps through f32 or f64, at most one of which
// rounds; a chunk of elements runs through all of them before the next chunk.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <type_traits>

#include "backends/simd/core/chunks.h"
#include "backends/simd/core/formats.h"
#include "backends/simd/core/names.h"
#include "backends/simd/core/steps.h"
#include "backends/simd/core/whole_ops.h"

namespace assay::simd {
namespace {

// ------------------------------------------------- Steps that no kernel is for

template <size_t kBytes>
void Copy(const void* from, void* to, size_t count) {
  memmove(to, from, count * kBytes);
}

template <class T>
void RealPart(const void* from, void* to, size_t count) {
  const T* complex = static_cast<const T*>(from);
  T* real = static_cast<T*>(to);
  for (size_t i = 0; i < count; ++i) real[i] = complex[2 * i];
}

template <class T>
void WithZero(const void* from, void* to, size_t count) {
  const T* real = static_cast<const T*>(from);
  T* complex = static_cast<T*>(to);
  for (size_t i = 0; i < count; ++i) {
    complex[2 * i] = real[i];
    complex[2 * i + 1] = 0;
  }
}

// Unpack and pack convert from and to the bytes of the types of less than 8
// bits.
template <int kBits, bool kSigned>
void Unpack(const void* from, void* to, size_t count) {
  const uint8_t* packed = static_cast<const uint8_t*>(from);
  uint8_t* bytes = static_cast<uint8_t*>(to);
  constexpr unsigned kSign = kSigned ? 1u << (kBits - 1) : 0;
  constexpr unsigned kMask = (1u << kBits) - 1;
  for (size_t i = 0; i < count; ++i) {
    bytes[i] = static_cast<uint8_t>(((packed[i] & kMask) ^ kSign) - kSign);
  }
}

template <int kBits, bool kSigned>
void Pack(const void* from, void* to, size_t count) {
  using T = std::conditional_t<kSigned, int8_t, uint8_t>;
  const T* bytes = static_cast<const T*>(from);
  uint8_t* packed = static_cast<uint8_t*>(to);
  constexpr int kValues = 1 << kBits;
  constexpr int kLeast = kSigned ? -kValues / 2 : 0;
  for (size_t i = 0; i < count; ++i) {
    const int value = std::clamp<int>(bytes[i], kLeast, kLeast + kValues - 1);
    packed[i] = static_cast<uint8_t>(value & (kValues - 1));
  }
}

Step UnpackStep(const Type& type) {
  const bool is_signed = type.kind == Kind::kSigned;
  if (type.bits == 2) return is_signed ? Unpack<2, true> : Unpack<2, false>;
  return is_signed ? Unpack<4, true> : Unpack<4, false>;
}

Step PackStep(const Type& type) {
  const bool is_signed = type.kind == Kind::kSigned;
  if (type.bits == 2) return is_signed ? Pack<2, true> : Pack<2, false>;
  return is_signed ? Pack<4, true> : Pack<4, false>;
}

// ------------------------------------------------------------------------ Plan

class Plan {
 public:
  Plan(Type from, Type to, const hwy::ChosenTarget& target)
      : steps_(StepTable(target)), target_(target) {
    if (from.kind == Kind::kComplex) {
      Add(from.bits == 64 ? RealPart<float> : RealPart<double>);
      from = PartOf(from);
    }
    const Type real_to = to.kind == Kind::kComplex ? PartOf(to) : to;
    if (!AddSingle(from, real_to)) AddStore(AddLoad(from), real_to);
    if (to.kind == Kind::kComplex) {
      Add(to.bits == 64 ? WithZero<float> : WithZero<double>);
    }
    if (size_ == 0) Add(to.bits == 32 ? Copy<4> : Copy<8>);
  }

  static Type PartOf(const Type& complex) {
    return {Kind::kFloat, complex.bits / 2, complex.width - 1, {}};
  }

  void Run(const void* from, void* to, size_t count) const {
    ChunkBuffer buffers[2];
    for (int i = 0; i < size_; ++i) {
      void* result = i + 1 == size_ ? to : buffers[i % 2].bytes;
      list_[i](from, result, count);
      from = result;
    }
  }

 private:
  enum class Carrier { kF32, kF64 };

  // Most steps take pointers to any memory, those of the formats take typed
  // ones.
  template <class From, class To>
  void Add(void (*step)(const From*, To*, size_t)) {
    list_[size_++] = [step](const void* from, void* to, size_t count) {
      step(static_cast<const From*>(from), static_cast<To*>(to), count);
    };
  }

  const IntegerSteps& StepsOf(const Type& integer) const {
    return integer.kind == Kind::kSigned ? steps_.of_signed
                                         : steps_.of_unsigned;
  }

  // to_f64 rounds 64-bit integers to odd, not to nearest.
  bool AddSingle(const Type& from, const Type& to) {
    if (to.kind != Kind::kFloat) return false;
    if (from.kind == Kind::kSigned && from.bits == 32 && to.bits == 32) {
      Add(steps_.i32_to_f32);
      return true;
    }
    if (from.bits != 64 || to.bits != 64) return false;
    if (from.kind != Kind::kSigned && from.kind != Kind::kUnsigned)
      return false;
    Add(from.kind == Kind::kSigned ? steps_.i64_to_f64 : steps_.u64_to_f64);
    return true;
  }

  Carrier AddLoad(const Type& from) {
    switch (from.kind) {
      case Kind::kFormat:
        Add(FormatTable(target_, from.format).decode);
        return Carrier::kF32;
      case Kind::kFloat:
        return from.bits == 32 ? Carrier::kF32 : Carrier::kF64;
      default:
        break;
    }
    if (from.bits < 8) Add(UnpackStep(from));
    const IntegerSteps& integer = StepsOf(from);
    if (from.width <= 1) {
      Add(integer.to_f32[from.width]);
      return Carrier::kF32;
    }
    Add(integer.to_f64[from.width]);
    return Carrier::kF64;
  }

  void AddStore(Carrier carrier, const Type& to) {
    const bool in_f32 = carrier == Carrier::kF32;
    switch (to.kind) {
      case Kind::kFormat:
        if (in_f32) {
          Add(FormatTable(target_, to.format).encode);
        } else {
          Add(FormatTable(target_, to.format).encode_f64);
        }
        return;
      case Kind::kFloat:
        if (in_f32 && to.bits == 64) Add(steps_.f32_to_f64);
        if (!in_f32 && to.bits == 32) Add(steps_.f64_to_f32);
        return;
      case Kind::kBool:
        Add(in_f32 ? steps_.f32_to_bool : steps_.f64_to_bool);
        return;
      default:
        AddInteger(in_f32, to);
    }
  }

  void AddInteger(bool in_f32, const Type& to) {
    const IntegerSteps& integer = StepsOf(to);
    if (in_f32 && to.width <= 1) {
      Add(integer.from_f32[to.width]);
    } else if (in_f32 && to.width == 2 && to.kind == Kind::kSigned) {
      Add(steps_.f32_to_i32);
    } else {
      if (in_f32) Add(steps_.f32_to_f64);
      Add(integer.from_f64[to.width]);
    }
    if (to.bits < 8) Add(PackStep(to));
  }

  const Steps& steps_;
  const hwy::ChosenTarget& target_;
  // The steps are: take the real part, unpack, load, widen, store, and pack or
  // add a zero. No conversion has all of them.
  std::function<void(const void*, void*, size_t)> list_[6];
  int size_ = 0;
};

bool IsFloat(const Type& type) {
  return type.kind == Kind::kFloat || type.kind == Kind::kFormat ||
         type.kind == Kind::kComplex;
}

// A conversion from complex to complex converts the parts.
class ConvertFunction : public BlockFunction {
 public:
  ConvertFunction(const Type& from, const Type& to,
                  const hwy::ChosenTarget& target)
      : parts_(from.kind == Kind::kComplex && to.kind == Kind::kComplex ? 2
                                                                        : 1),
        from_(parts_ == 2 ? Plan::PartOf(from) : from),
        to_(parts_ == 2 ? Plan::PartOf(to) : to),
        steps_(StepTable(target)),
        plan_(from_, to_, target) {}

  const char* Run(const Blocks& blocks) const override {
    Blocks parts = blocks;
    parts.count *= parts_;
    ForChunks(steps_, parts, from_.bytes(), to_.bytes(),
              [this](const void* source, void* result, size_t part) {
                plan_.Run(source, result, part);
              });
    return nullptr;
  }

 private:
  size_t parts_;
  Type from_;
  Type to_;
  const Steps& steps_;
  Plan plan_;
};

}  // namespace

Making MakeConvert(const Signature& signature,
                   const hwy::ChosenTarget& target) {
  if (signature.num_inputs != 1) return "number of operands";
  const Type& from = signature.inputs[0];
  const Type& to = signature.output;
  if (!IsFloat(from) && !IsFloat(to)) return "element type";
  return std::make_unique<ConvertFunction>(from, to, target);
}

}  // namespace assay::simd
