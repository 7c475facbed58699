#include "tools/out_of_memory.h"

#include <gmp.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "oracle/real/arb.h"
#include "reports/exit_code.h"

#ifdef ASSAY_MIMALLOC
#include <mimalloc.h>
#endif

namespace assay {
namespace {

// Until this is set, an exception does not end in Terminate: libraries are
// initialized before.
bool is_prepared = false;

// This runs if nothing catches an exception, as one that leaves a function that
// is noexcept.
[[noreturn]] void Terminate() {
  if (const std::exception_ptr exception = std::current_exception()) {
    try {
      std::rethrow_exception(exception);
    } catch (const std::bad_alloc&) {
      SayOutOfMemory();
    } catch (...) {
    }
  }
  std::abort();
}

// GMP and FLINT abort if an allocation fails, and cannot be unwound.
void* Require(void* memory) {
  if (memory == nullptr) SayOutOfMemory();
  return memory;
}
void* Allocate(size_t bytes) { return Require(std::malloc(bytes)); }
void* AllocateZeros(size_t count, size_t bytes) {
  return Require(std::calloc(count, bytes));
}
void* Reallocate(void* old, size_t bytes) {
  return Require(std::realloc(old, bytes));
}
void* ReallocateForGmp(void* old, size_t, size_t bytes) {
  return Reallocate(old, bytes);
}
void FreeForGmp(void* memory, size_t) { std::free(memory); }

// This runs before any object of the command is made.
[[gnu::constructor(101)]] void Prepare() {
  is_prepared = true;
  std::set_terminate(Terminate);
  mp_set_memory_functions(Allocate, ReallocateForGmp, FreeForGmp);
  __flint_set_memory_functions(Allocate, AllocateZeros, Reallocate, std::free);
}

}  // namespace

void SayOutOfMemory() {
  // There is no memory left for a function that formats.
  constexpr std::string_view kText =
      "assay: out of memory (--memory limits what a case and a file may "
      "take)\n";
  const ssize_t written = write(STDERR_FILENO, kText.data(), kText.size());
  static_cast<void>(written);
  _exit(kExitUsage);
}

}  // namespace assay

#ifdef ASSAY_MIMALLOC

// The operators new of mimalloc abort, because they look for
// std::get_new_handler and find a function of their own library.
namespace {

void* OrThrow(void* memory) {
  if (memory != nullptr) return memory;
  if (!assay::is_prepared) assay::SayOutOfMemory();
  throw std::bad_alloc();
}

size_t Of(std::align_val_t alignment) { return static_cast<size_t>(alignment); }

}  // namespace

void* operator new(size_t bytes) { return OrThrow(mi_malloc(bytes)); }
void* operator new[](size_t bytes) { return OrThrow(mi_malloc(bytes)); }
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  return mi_malloc(bytes);
}
void* operator new[](size_t bytes, const std::nothrow_t&) noexcept {
  return mi_malloc(bytes);
}
void* operator new(size_t bytes, std::align_val_t alignment) {
  return OrThrow(mi_malloc_aligned(bytes, Of(alignment)));
}
void* operator new[](size_t bytes, std::align_val_t alignment) {
  return OrThrow(mi_malloc_aligned(bytes, Of(alignment)));
}
void* operator new(size_t bytes, std::align_val_t alignment,
                   const std::nothrow_t&) noexcept {
  return mi_malloc_aligned(bytes, Of(alignment));
}
void* operator new[](size_t bytes, std::align_val_t alignment,
                     const std::nothrow_t&) noexcept {
  return mi_malloc_aligned(bytes, Of(alignment));
}
void operator delete(void* p) noexcept { mi_free(p); }
void operator delete[](void* p) noexcept { mi_free(p); }
void operator delete(void* p, size_t) noexcept { mi_free(p); }
void operator delete[](void* p, size_t) noexcept { mi_free(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { mi_free(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { mi_free(p); }
void operator delete(void* p, std::align_val_t) noexcept { mi_free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { mi_free(p); }
void operator delete(void* p, size_t, std::align_val_t) noexcept { mi_free(p); }
void operator delete[](void* p, size_t, std::align_val_t) noexcept {
  mi_free(p);
}
void operator delete(void* p, std::align_val_t,
                     const std::nothrow_t&) noexcept {
  mi_free(p);
}
void operator delete[](void* p, std::align_val_t,
                       const std::nothrow_t&) noexcept {
  mi_free(p);
}

#endif  // ASSAY_MIMALLOC
