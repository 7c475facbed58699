// Work in a process of its own, for what may end the process: the oracle on a
// case that ended one before.
#ifndef ASSAY_FUZZ_FORKED_H_
#define ASSAY_FUZZ_FORKED_H_

#include <functional>
#include <optional>
#include <string>

namespace assay {

// What `work` returns, in a child of this process; nullopt if the child ended
// before it returned, or `work` threw: `*why` says how. Precondition: this
// process has one thread.
std::optional<std::string> InChild(const std::function<std::string()>& work,
                                   std::string* why);

}  // namespace assay

#endif  // ASSAY_FUZZ_FORKED_H_
