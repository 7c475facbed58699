// Work that may end its process, such as the oracle on a case that ended one
// before, is done in child processes.
#ifndef ASSAY_FUZZ_CAMPAIGN_FORKED_H_
#define ASSAY_FUZZ_CAMPAIGN_FORKED_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace assay {

// Gives `use` a line for each number below `count`, in order: the result of
// `work` for it in a child of this process. Each of `jobs` children, of which
// there is at least one, does every `jobs`-th number; where one ends, or `work`
// throws, the line is missing, `why` says how, and another child goes on behind
// it. Once `is_over`, which is asked many times a second, returns true, the
// children are ended, and the lines that are not there yet are missing.
// Preconditions: this process has one thread; a line contains no newline.
void ForEachInChild(
    size_t count, int jobs, const std::function<std::string(size_t)>& work,
    const std::function<void(size_t, const std::optional<std::string>& line,
                             const std::string& why)>& use,
    const std::function<bool()>& is_over = nullptr);

}  // namespace assay

#endif  // ASSAY_FUZZ_CAMPAIGN_FORKED_H_
