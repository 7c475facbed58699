// Messages are formatted into one buffer and answers parsed by simdjson: at
// 200,000 calls a second a document tree for each would be most of the time.
#include "backends/host/worker_messages.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "backends/host/abi_function.h"
#include "spec/error.h"
#include "spec/json_string.h"
#include "spec/printable_text.h"
#include "spec/text/program_text.h"

namespace assay {
namespace {

namespace dom = simdjson::dom;

// A backend's message about one call may be this long.
constexpr size_t kLongestMessage = 4096;

// Appends texts and numbers as the pieces of a line.
template <class... Pieces>
void Append(std::string* line, const Pieces&... pieces) {
  const auto add = [&](const auto& piece) {
    if constexpr (std::is_integral_v<std::decay_t<decltype(piece)>>) {
      const fmt::format_int text(piece);
      line->append(text.data(), text.size());
    } else {
      *line += piece;
    }
  };
  (add(pieces), ...);
}

void AppendTensor(const PlacedTensor& t, std::string* line) {
  Append(line, R"({"type":")", t.type->ToString(), R"(","strides":[)");
  for (size_t d = 0; d < t.strides->size(); ++d)
    Append(line, d == 0 ? "" : ",", (*t.strides)[d]);
  const auto in_slot = static_cast<uint64_t>(t.element0 - t.slot.data);
  Append(line, R"(],"at":)", t.slot.begin + in_slot, R"(,"buffer":[)",
         t.slot.begin, ",", t.slot.bytes,
         t.is_scalar ? R"(],"scalar":true})" : "]}");
}

void AppendTensors(const char* name, const std::vector<PlacedTensor>& tensors,
                   std::string* line) {
  Append(line, ",\"", name, "\":[");
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (i > 0) *line += ',';
    AppendTensor(tensors[i], line);
  }
  *line += ']';
}

// Groups of one operand each are left out.
void AppendGroups(const Op& op, std::string* line) {
  const std::vector<int32_t> sizes = GroupSizesOf(op);
  if (std::ranges::all_of(sizes, [](int32_t size) { return size == 1; }))
    return;
  for (size_t i = 0; i < sizes.size(); ++i)
    Append(line, i == 0 ? R"(,"groups":[)" : ",", sizes[i]);
  *line += ']';
}

void AppendRegions(const Op& op, std::string* line) {
  if (op.regions.empty()) return;
  const std::vector<TypedName> captures = Captures(op);
  std::string monoids;
  for (size_t i = 0; i < op.regions.size(); ++i) {
    const std::string monoid = MonoidOf(op.regions[i]);
    Append(&monoids, i == 0 ? "" : ",",
           monoid.empty() ? "null" : JsonString(monoid));
    Append(line, i == 0 ? R"(,"regions":[)" : ",",
           JsonString(FunctionText(WithCaptures(op.regions[i], captures))));
  }
  Append(line, R"(],"monoids":[)", monoids, "]");
  if (!captures.empty()) Append(line, R"(,"captures":)", captures.size());
}

std::optional<dom::object> ParseObject(dom::parser* parser,
                                       std::string_view line) {
  dom::object object;
  if (parser->parse(line.data(), line.size()).get(object) != simdjson::SUCCESS)
    return std::nullopt;
  return object;
}

std::string TextOr(const dom::object& object, const char* key,
                   const std::string& otherwise) {
  std::string_view text;
  return object[key].get(text) == simdjson::SUCCESS ? std::string(text)
                                                    : otherwise;
}

// A worker may say anything.
double SecondsOf(const dom::object& seconds, const char* key) {
  double value = 0;
  return seconds[key].get(value) == simdjson::SUCCESS && value > 0 &&
                 value < 1e6
             ? value
             : 0;
}

constexpr std::pair<std::string_view, CallStatus> kStatuses[] = {
    {"ok", CallStatus::kOk},
    {"unsupported", CallStatus::kUnsupported},
    {"invalid", CallStatus::kInvalid},
    {"error", CallStatus::kError},
    {"crash", CallStatus::kCrash},
    {"memory", CallStatus::kMemory}};

std::optional<CallStatus> StatusOf(std::string_view name) {
  for (const auto& [known, status] : kStatuses) {
    if (known == name) return status;
  }
  return std::nullopt;
}

// Precondition: a worker may send this status.
std::string_view NameOf(CallStatus status) {
  for (const auto& [name, known] : kStatuses) {
    if (known == status) return name;
  }
  ASSAY_CHECK(false);
}

}  // namespace

void AppendHello(const Arena& arena, int64_t limit,
                 const std::map<std::string, std::string>& options,
                 std::string* line) {
  *line += nlohmann::json{{"hello",
                           {{"protocol", kProtocol},
                            {"memory", arena.path()},
                            {"bytes", arena.bytes()},
                            {"limit", limit},
                            {"options", options}}}}
               .dump();
  *line += '\n';
}

void AppendGrow(uint64_t bytes, std::string* line) {
  Append(line, R"({"grow":)", bytes, "}\n");
}

void AppendCall(uint64_t number, const PlacedCall& call,
                const std::vector<PlacedTensor>& constants, std::string* line) {
  Append(line, R"({"call":)", number);
  if (call.program != nullptr) {
    Append(line, R"(,"program":{"text":)", JsonString(call.program->text),
           R"(,"entry":")", kEntry, "\"}");
  } else {
    Append(line, R"(,"op":")", call.op->op, "\"");
  }
  if (call.guard_bytes != kGuardBytes)
    Append(line, R"(,"guard":)", call.guard_bytes);
  AppendTensors("inputs", call.inputs, line);
  AppendTensors("outputs", call.outputs, line);
  if (call.program != nullptr) {
    *line += "}\n";
    return;
  }
  size_t constant = 0;
  for (size_t i = 0; i < call.op->attributes.size(); ++i) {
    const Attribute& attribute = call.op->attributes[i];
    Append(line, i == 0 ? R"(,"attributes":[)" : ",", R"({"name":")",
           attribute.name, R"(","text":)",
           JsonString(AttributeText(attribute)));
    if (std::holds_alternative<Tensor>(attribute.value)) {
      *line += R"(,"value":)";
      AppendTensor(constants[constant++], line);
    }
    *line += '}';
  }
  if (!call.op->attributes.empty()) *line += ']';
  AppendGroups(*call.op, line);
  AppendRegions(*call.op, line);
  *line += "}\n";
}

std::optional<std::string> ParseRefusal(std::string_view line) {
  dom::parser parser;
  const auto object = ParseObject(&parser, line);
  std::string error = object ? TextOr(*object, "error", "") : "";
  return error.empty() ? std::nullopt : std::make_optional(std::move(error));
}

std::string ParseHello(std::string_view line, BackendInfo* info) {
  if (auto refusal = ParseRefusal(line)) return *refusal;
  dom::parser parser;
  const auto object = ParseObject(&parser, line);
  dom::object hello;
  if (!object || (*object)["hello"].get(hello) != simdjson::SUCCESS) {
    return fmt::format(
        "its first line on standard output is {}, not a hello; standard output "
        "belongs to the protocol, so print to standard error",
        Quote(line));
  }
  int64_t protocol = 0;
  if (hello["protocol"].get(protocol) != simdjson::SUCCESS ||
      protocol != kProtocol)
    return fmt::format("it speaks protocol {}; this assay speaks {}", protocol,
                       kProtocol);
  info->name = Cut(EscapeLine(TextOr(hello, "name", "")));
  info->version = Cut(EscapeLine(TextOr(hello, "version", "")));
  if (info->name.empty() || info->version.empty())
    return "its hello lacks name or version";
  if (hello["validates"].get(info->validates) != simdjson::SUCCESS)
    info->validates = false;
  if (hello["validates_pointwise"].get(info->validates_pointwise) !=
      simdjson::SUCCESS)
    info->validates_pointwise = false;
  if (hello["validates_movement"].get(info->validates_movement) !=
      simdjson::SUCCESS)
    info->validates_movement = false;
  if (hello["over_read_bytes"].get(info->over_read_bytes) != simdjson::SUCCESS)
    info->over_read_bytes = 0;
  if (info->over_read_bytes > kMaxOverReadBytes)
    return fmt::format("its over_read_bytes is {}; at most {} are given",
                       info->over_read_bytes, kMaxOverReadBytes);
  if (hello["programs"].get(info->runs_programs) != simdjson::SUCCESS)
    info->runs_programs = false;
  if (hello["calls"].get(info->runs_calls) != simdjson::SUCCESS)
    info->runs_calls = true;
  if (hello["verifies"].get(info->verifies) != simdjson::SUCCESS)
    info->verifies = false;
  if (info->verifies && !(info->validates && info->runs_programs))
    return "it verifies, but it does not validate, or takes no programs";
  if (!info->runs_calls && !info->runs_programs)
    return "it takes neither calls nor programs";
  if (hello["batch"].get(info->batch) != simdjson::SUCCESS) info->batch = 1;
  if (info->batch < 1 || info->batch > kMaxBatch)
    return fmt::format("its batch is {}; it may be 1 to {}", info->batch,
                       kMaxBatch);
  return "";
}

void AppendAnswer(const NumberedAnswer& answer, std::string* line) {
  Append(line, R"({"call":)", answer.number, R"(,"status":")",
         NameOf(answer.answer.status), "\"");
  if (!answer.answer.message.empty())
    Append(line, R"(,"message":)", JsonString(answer.answer.message));
  if (answer.answer.environment_changed)
    *line += R"(,"environment_changed":true)";
  const Seconds& seconds = answer.answer.seconds;
  if (seconds.compile != 0 || seconds.execute != 0)
    *line += fmt::format(R"(,"seconds":{{"compile":{},"execute":{}}})",
                         seconds.compile, seconds.execute);
  *line += "}\n";
}

std::optional<NumberedAnswer> ParseAnswer(std::string_view line) {
  // A parser keeps its memory from line to line.
  static thread_local dom::parser parser;
  const auto object = ParseObject(&parser, line);
  NumberedAnswer result;
  std::string_view status;
  if (!object || (*object)["call"].get(result.number) != simdjson::SUCCESS ||
      (*object)["status"].get(status) != simdjson::SUCCESS)
    return std::nullopt;
  const auto known = StatusOf(status);
  if (!known) return std::nullopt;
  result.answer.status = *known;
  if (*known != CallStatus::kOk) {
    const std::string message =
        EscapeLine(TextOr(*object, "message", "").substr(0, kLongestMessage));
    // The text of a refusal is a short reason, by which cases are counted, not
    // a report.
    const bool is_refusal =
        *known == CallStatus::kUnsupported || *known == CallStatus::kInvalid;
    result.answer.message = is_refusal ? Cut(message) : message;
  }
  bool changed = false;
  if ((*object)["environment_changed"].get(changed) == simdjson::SUCCESS)
    result.answer.environment_changed = changed;
  dom::object seconds;
  if ((*object)["seconds"].get(seconds) == simdjson::SUCCESS)
    result.answer.seconds = {SecondsOf(seconds, "compile"),
                             SecondsOf(seconds, "execute")};
  return result;
}

std::optional<std::string> ParseEnd(std::string_view line) {
  static thread_local dom::parser parser;
  const auto object = ParseObject(&parser, line);
  std::string_view why;
  if (!object || (*object)["end"].get(why) != simdjson::SUCCESS)
    return std::nullopt;
  return std::string(why.substr(0, kLongestMessage));
}

std::string Quote(std::string_view line) {
  std::string text = "'";
  for (char c : line.substr(0, kLongestQuote))
    text += c >= 0x20 && c < 0x7f ? c : '?';
  return text + (line.size() > kLongestQuote ? "'..." : "'");
}

std::string LastWords(std::string_view errors) {
  std::string_view last;
  while (!errors.empty()) {
    const size_t line = errors.find_last_of("\r\n") + 1;
    const std::string_view words = errors.substr(line);
    errors = errors.substr(0, line == 0 ? 0 : line - 1);
    if (words.empty()) continue;
    if (last.empty()) last = words;
    const bool is_of_a_trace = words[0] == ' ' || words[0] == '\t' ||
                               words[0] == '#' || words.starts_with("***");
    if (is_of_a_trace) continue;
    last = words;
    break;
  }
  return last.empty() ? "" : fmt::format("; it last said {}", Quote(last));
}

}  // namespace assay
