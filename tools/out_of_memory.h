// If memory ends, the input is wrong or the machine is small: the command ends
// with a message and exit code 2, never with a signal.
#ifndef ASSAY_TOOLS_OUT_OF_MEMORY_H_
#define ASSAY_TOOLS_OUT_OF_MEMORY_H_

namespace assay {

// Ends the process with the message and exit code 2, and allocates nothing.
// Where C++ allocates, std::bad_alloc is thrown, and `main` calls this; in C
// libraries, and where nothing catches the exception, the implementation file
// calls it.
[[noreturn]] void SayOutOfMemory();

}  // namespace assay

#endif  // ASSAY_TOOLS_OUT_OF_MEMORY_H_
