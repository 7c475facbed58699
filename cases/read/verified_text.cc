#include "cases/read/verified_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "spec/elements.h"
#include "spec/text/program_text.h"

namespace assay {
namespace {

constexpr std::string_view kExpected = "expected-error";
constexpr std::string_view kDialect = "stablehlo.";
constexpr std::string_view kFunction = "func.func";

bool IsOfName(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

std::string_view NameAt(std::string_view text) {
  return text.substr(
      0, static_cast<size_t>(std::ranges::find_if_not(text, IsOfName) -
                             text.begin()));
}

// Returns where a comment of the line says "expected-error", with the message
// in braces behind it; npos if none does.
size_t FindExpected(std::string_view line) {
  const size_t expected =
      line.find(kExpected, std::min(line.find("//"), line.size()));
  const bool has_message = expected != std::string_view::npos &&
                           line.find("{{", expected) != std::string_view::npos;
  return has_message ? expected : std::string_view::npos;
}

// Returns how many lines behind its comment an error is expected: "@+2",
// "@below", or nothing for the line itself.
int64_t OffsetOf(std::string_view behind) {
  const size_t begin = behind.find_first_of("@{");
  if (begin == std::string_view::npos || behind[begin] == '{') return 0;
  behind.remove_prefix(begin + 1);
  if (behind.starts_with("below")) return 1;
  if (behind.starts_with("above")) return -1;
  if (behind.starts_with('+')) behind.remove_prefix(1);
  int32_t offset = 0;
  std::from_chars(behind.data(), behind.data() + behind.size(), offset);
  return offset;
}

// InvalidTextScanner goes through the lines of a chunk, and keeps what stands
// nearest to where the first error is expected.
class InvalidTextScanner {
 public:
  explicit InvalidTextScanner(const text::ChunkText& chunk) {
    subject_.location = {chunk.first_line, 1};
    int line = chunk.first_line;
    for (std::string_view rest = chunk.text; !rest.empty(); ++line) {
      const size_t end = std::min(rest.find('\n'), rest.size());
      Scan(rest.substr(0, end), line);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

  InvalidTextSubject Subject() && {
    const std::string& name = subject_.function;
    // reduce_window_c1 is of reduce_window, if that is there.
    std::string named;
    for (const std::string& op : ops_) {
      if ((name + "_").starts_with(op + "_") && op.size() > named.size())
        named = op;
    }
    for (const OpSpec& element : ProgramElements()) {
      if ((name + "_").starts_with(element.id + "_")) named = element.id;
    }
    if (!named.empty()) op_ = named;
    subject_.op = op_;
    AddLabels();
    return std::move(subject_);
  }

 private:
  void Scan(std::string_view line, int number) {
    const size_t comment = std::min(line.find("//"), line.size());
    const size_t expected = FindExpected(line);
    if (expected != std::string_view::npos && !target_)
      target_ = number + OffsetOf(line.substr(expected + kExpected.size()));
    line = line.substr(0, comment);
    const size_t function = line.find(kFunction);
    const size_t at = line.find('@', function);
    if (at != std::string_view::npos && IsWanted(number, subject_.function)) {
      subject_.function = NameAt(line.substr(at + 1));
      subject_.location = {number, static_cast<int>(function) + 1};
    }
    for (size_t i = line.find(kDialect); i != std::string_view::npos;
         i = line.find(kDialect, i + 1)) {
      // Types and attributes of the dialect have a sign before it, and a name
      // of an attribute has its value behind it.
      if (i > 0 && (line[i - 1] == '!' || line[i - 1] == '#')) continue;
      const std::string op(NameAt(line.substr(i + kDialect.size())));
      const std::string_view rest =
          line.substr(i + kDialect.size() + op.size());
      if (op.empty() || rest.starts_with(" =")) continue;
      ops_.push_back(op);
      if (IsWanted(number, op_)) op_ = op;
    }
  }

  // What stands at the expected error or before it is nearer than what was
  // there, and what stands behind it is wanted if nothing was there.
  bool IsWanted(int number, const std::string& there) const {
    return there.empty() || !target_ || number <= *target_;
  }

  void AddLabels() {
    const OpSpec* const spec = FindOp(subject_.op);
    if (spec == nullptr) return;
    std::string_view rest = subject_.function;
    while (!rest.empty()) {
      const size_t end = std::min(rest.find('_'), rest.size());
      const std::string_view word = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (!word.starts_with('c') && !word.starts_with('i')) continue;
      const std::string label =
          (word.starts_with('c') ? "C" : "I") + std::string(word.substr(1));
      const bool is_of_op =
          spec->Constraint(label) != nullptr ||
          std::ranges::find(spec->inputs, label, &InputSpec::label) !=
              spec->inputs.end();
      if (is_of_op &&
          std::ranges::find(subject_.labels, label) == subject_.labels.end())
        subject_.labels.push_back(label);
    }
  }

  InvalidTextSubject subject_;
  std::string op_;
  std::vector<std::string> ops_;
  std::optional<int64_t> target_;
};

}  // namespace

bool ExpectsError(const text::ChunkText& chunk) {
  for (std::string_view rest = chunk.text; !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    if (FindExpected(rest.substr(0, end)) != std::string_view::npos)
      return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

InvalidTextSubject SubjectOf(const text::ChunkText& chunk) {
  return InvalidTextScanner(chunk).Subject();
}

std::optional<Refusal> RefusalOf(const VerifiedText& invalid,
                                 int64_t most_bytes) {
  text::Limits limits;
  limits.max_elements_bytes = most_bytes;
  try {
    BindProgram(text::ParseChunk({invalid.text, invalid.first_line}, limits),
                Reading::kVerified);
  } catch (const text::NotJudged&) {
    throw;
  } catch (const ConstraintsViolated& e) {
    return Refusal{e.location(), e.message(), e.op(), e.labels()};
  } catch (const text::SyntaxError& e) {
    return Refusal{e.location(), e.message()};
  }
  return std::nullopt;
}

}  // namespace assay
