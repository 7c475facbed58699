// The memory contract: buffers that notice what a backend should not touch.
//
// A buffer stands tight against a protected page, behind it in run A and in
// front of it in run B, so that one element too far is a page fault. On its
// other side, and in the gaps of a strided layout, lie canary bytes that must
// not change. Buffers slide inside mappings that are made once: a case costs
// two fills and two compares, no system call.
#ifndef ASSAY_CASES_MEMORY_H_
#define ASSAY_CASES_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spec/tensor.h"

namespace assay {

enum class Side { kTightBehind, kTightInFront };  // run A, run B

class GuardedBuffer {
 public:
  // The canary of a run. As floats 0xff.. are NaNs and 0x7b.. huge finite
  // numbers, in every format: whoever computes with a guard or gap element
  // shows it.
  static constexpr std::byte kCanaryA{0xff}, kCanaryB{0x7b};
  // What outputs hold before the call.
  static constexpr std::byte kFillA{0xa5}, kFillB{0x5a};
  // Canary bytes that are checked beside a buffer.
  static constexpr size_t kGuardBytes = 4096;

  GuardedBuffer() = default;
  ~GuardedBuffer();
  GuardedBuffer(const GuardedBuffer&) = delete;
  GuardedBuffer& operator=(const GuardedBuffer&) = delete;

  // Places a tensor of `type` and `layout` (whose offset reaches every element
  // from the start of the buffer), its elements all of byte `fill`, everything
  // else canary. `over_read` bytes behind and in front of it may be read.
  // Throws std::bad_alloc if the memory cannot be mapped.
  void Place(const TensorType& type, const Layout& layout, Side side,
             size_t over_read, std::byte fill);
  // Copies a logical tensor of the placed type into the buffer, and the
  // elements of the buffer out.
  void Write(const Tensor& tensor);
  Tensor Read() const;

  // Element [0, .., 0].
  std::byte* element0() const { return element0_; }
  // "" if guards and gaps are untouched, else where the first changed byte
  // lies.
  std::string CheckGuards() const;
  // If `address` lies in a protected page of this buffer: on which side, and
  // how far from the tensor's bytes.
  std::optional<std::string> Describe(const void* address) const;

 private:
  void Reserve(size_t bytes);

  std::byte* mapping_ =
      nullptr;  // protected page(s), payload, protected page(s)
  size_t payload_bytes_ = 0;
  std::byte* begin_ = nullptr;  // of the bytes that hold elements and gaps
  size_t bytes_ = 0;
  std::byte* element0_ = nullptr;
  std::byte* checked_begin_ = nullptr;  // guards and bytes
  std::byte* checked_end_ = nullptr;
  std::byte canary_{};
  TensorType type_;
  Layout layout_;
  bool row_major_ = true;
};

}  // namespace assay

#endif  // ASSAY_CASES_MEMORY_H_
