// Work in processes of its own, for what may end the process: the oracle on a
// case that ended one before.
#ifndef ASSAY_FUZZ_CAMPAIGN_FORKED_H_
#define ASSAY_FUZZ_CAMPAIGN_FORKED_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace assay {

// Gives `use` a line for each number below `count`, in order: what `work`
// returns of it in a child of this process. One child does all of them; where
// it ends, or `work` throws, the line is missing, `why` says how, and another
// child goes on behind it. Preconditions: this process has one thread; a line
// has no line end.
void ForEachInChild(
    size_t count, const std::function<std::string(size_t)>& work,
    const std::function<void(size_t, const std::optional<std::string>& line,
                             const std::string& why)>& use);

}  // namespace assay

#endif  // ASSAY_FUZZ_CAMPAIGN_FORKED_H_
