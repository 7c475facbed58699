// These are the lines of PROTOCOL.md, as the runner and `assay-worker` write
// them, and as the runner reads them.
#ifndef ASSAY_BACKENDS_HOST_WORKER_MESSAGES_H_
#define ASSAY_BACKENDS_HOST_WORKER_MESSAGES_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "backends/host/executor.h"

namespace assay {

inline constexpr int kProtocol = 1;
// A worker runs at most this many calls together.
inline constexpr uint64_t kMaxBatch = 4096;

// Each of these functions appends one line.
void AppendHello(const Arena& arena, int64_t limit,
                 const std::map<std::string, std::string>& options,
                 std::string* line);
void AppendGrow(uint64_t bytes, std::string* line);
// `constants` has the places of the numeric attributes, in their order.
void AppendCall(uint64_t number, const PlacedCall& call,
                const std::vector<PlacedTensor>& constants, std::string* line);

// Returns the worker's reason for not starting, or nullopt if the line has
// none.
std::optional<std::string> ParseRefusal(std::string_view line);
// Sets all but spec, path and is_ours. Returns what is wrong with the line, or
// the worker's reason for not starting, or an empty string.
std::string ParseHello(std::string_view line, BackendInfo* info);

// Appends one line.
void AppendAnswer(const NumberedAnswer& answer, std::string* line);
// Returns nullopt if the line is not an answer.
std::optional<NumberedAnswer> ParseAnswer(std::string_view line);
// Returns why a worker ends, or nullopt if the line does not say that it does.
std::optional<std::string> ParseEnd(std::string_view line);

// A line as a message may quote it: printable, and of so many characters at
// most, the marks around them not counted.
inline constexpr size_t kLongestQuote = 200;
std::string Quote(std::string_view line);
// Returns "; it last said '..'" with the last line of standard error, or an
// empty string. The lines of a stack trace say less than the one before them.
std::string LastWords(std::string_view errors);

}  // namespace assay

#endif  // ASSAY_BACKENDS_HOST_WORKER_MESSAGES_H_
