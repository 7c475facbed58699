// Memory that ends is wrong input or a small machine: a message and exit 2,
// never a signal.
#ifndef ASSAY_TOOLS_OUT_OF_MEMORY_H_
#define ASSAY_TOOLS_OUT_OF_MEMORY_H_

namespace assay {

// Ends the process with the message and exit 2. Allocates nothing. Where C++
// allocates, std::bad_alloc is thrown, which `main` answers with this; in C
// libraries, and where nothing catches it, the file calls it.
[[noreturn]] void SayOutOfMemory();

}  // namespace assay

#endif  // ASSAY_TOOLS_OUT_OF_MEMORY_H_
