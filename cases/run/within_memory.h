// Where memory ends while a case is judged, the error names the case: a large
// case may be one of many thousands.
#ifndef ASSAY_CASES_RUN_WITHIN_MEMORY_H_
#define ASSAY_CASES_RUN_WITHIN_MEMORY_H_

#include <new>
#include <stdexcept>

#include "cases/case.h"
#include "spec/error.h"

namespace assay {

[[noreturn]] inline void ThrowOutOfMemory(const Case& c) {
  throw InputError(c.where, c.name +
                                ": out of memory (--memory limits what a case "
                                "and a file may take)");
}

// Returns `work()`. Throws InputError where there is no memory for it, or not
// as many addresses as elements, which std::vector tells by another exception.
template <class F>
auto WithinMemory(const Case& c, F work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    ThrowOutOfMemory(c);
  } catch (const std::length_error&) {
    ThrowOutOfMemory(c);
  }
}

}  // namespace assay

#endif  // ASSAY_CASES_RUN_WITHIN_MEMORY_H_
