// The memory contract is checked by buffers that notice accesses to other
// memory.
//
// A buffer stands tight against a protected page, behind it in run A and in
// front of it in run B, so that one element too far is a page fault. On its
// other side, and in the gaps of a strided layout, lie canary bytes that must
// not change. Buffers slide inside the slots of an arena: a case costs two
// fills and two compares, no system call.
#ifndef ASSAY_CASES_RUN_MEMORY_H_
#define ASSAY_CASES_RUN_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "backends/host/arena.h"
#include "spec/types/tensor.h"

namespace assay {

enum class Side { kTightBehind, kTightInFront };  // run A, run B

class GuardedBuffer {
 public:
  // The canary of a run. As floats 0xff.. are NaNs and 0x7b.. huge finite
  // numbers, in every format, so a result that uses a guard or gap element
  // shows it.
  static constexpr std::byte kCanaryA{0xff}, kCanaryB{0x7b};
  // Outputs hold these bytes before the call.
  static constexpr std::byte kFillA{0xa5}, kFillB{0x5a};
  // So many canary bytes beside a buffer are checked.
  static constexpr size_t kGuardBytes = assay::kGuardBytes;
  // A call that is not checked for the whole memory contract
  // (CallWithLayouts::is_sampled) has only so many.
  static constexpr size_t kSampledGuardBytes = 512;

  // Places a tensor of `type` and `layout` (whose offset reaches every element
  // from the start of the buffer). Everything around and between its elements
  // is canary; the elements hold anything. `over_read` bytes behind and in
  // front of it may be read; `shift` bytes lie between it and where it would be
  // tight; `guard` bytes beside it are checked. Throws std::bad_alloc if there
  // is no memory.
  GuardedBuffer(Arena* arena, const TensorType& type, const Layout& layout,
                Side side, size_t over_read, size_t shift = 0,
                size_t guard = kGuardBytes);
  ~GuardedBuffer();
  GuardedBuffer(GuardedBuffer&& other) noexcept;
  GuardedBuffer& operator=(GuardedBuffer&&) = delete;

  // Sets every byte of every element.
  void Fill(std::byte value);
  // Write copies a logical tensor of the placed type into the buffer, and Read
  // copies the elements of the buffer out.
  void Write(const Tensor& tensor);
  Tensor Read() const;
  // Returns whether the elements are those of `tensor`.
  bool Holds(const Tensor& tensor) const;

  // The address of element [0, .., 0].
  std::byte* element0() const { return element0_; }
  const Slot& slot() const { return slot_; }
  // Returns "" if guards and gaps are untouched, else where the first changed
  // byte lies.
  std::string CheckGuards() const;
  // Describes a place beside the slot, `distance` bytes from its begin, as seen
  // from the tensor: "3 byte(s) behind the buffer".
  std::string Describe(int64_t distance) const;

 private:
  template <class F>
  void ForEachElement(F f) const;

  Arena* arena_;
  Slot slot_;
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

#endif  // ASSAY_CASES_RUN_MEMORY_H_
