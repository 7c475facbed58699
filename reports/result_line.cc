// Every field is checked for its type, because files are not trusted.
#include "reports/result_line.h"

#include <fmt/format.h>

#include <cmath>

#include "oracle/flush/flush_observation.h"
#include "reports/accuracy_field.h"
#include "spec/printable_text.h"

namespace assay {
namespace {

using simdjson::dom::element;

[[noreturn]] void WrongType(std::string_view field, const char* expected) {
  throw LineError{fmt::format("the field '{}' is not {}", field, expected)};
}

std::string_view Text(std::string_view field, element value) {
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS) WrongType(field, "a string");
  return text;
}

int64_t Integer(std::string_view field, element value) {
  int64_t integer = 0;
  if (value.get(integer) != simdjson::SUCCESS) WrongType(field, "an integer");
  return integer;
}

int64_t Count(std::string_view field, element value) {
  const int64_t count = Integer(field, value);
  if (count < 0) WrongType(field, "0 or more");
  return count;
}

// JSON has no infinity, so the error may be a text.
double Error(element value) {
  double number = 0;
  if (value.get(number) == simdjson::SUCCESS && !std::signbit(number))
    return number;
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS || text != "inf")
    WrongType("error_ulps", "a number without a sign or \"inf\"");
  return INFINITY;
}

void Texts(std::string_view field, element value,
           std::vector<std::string>* texts) {
  simdjson::dom::array array;
  if (value.get(array) != simdjson::SUCCESS) WrongType(field, "an array");
  for (const element item : array) texts->emplace_back(Text(field, item));
}

Outcome ParseOutcome(std::string_view name) {
  const std::optional<Outcome> outcome = FindOutcome(name);
  if (!outcome) throw LineError{fmt::format("unknown outcome '{}'", Cut(name))};
  return *outcome;
}

// The verdict is used again, line after line.
void Clear(Verdict* verdict) {
  verdict->result_type.clear();
  verdict->basis.clear();
  verdict->message.clear();
  verdict->replay.clear();
  verdict->elements = verdict->open = verdict->unchecked_literals = 0;
  verdict->also.clear();
  verdict->clauses.clear();
  verdict->violated.clear();
  verdict->covered.clear();
  verdict->layouts.clear();
  verdict->variant.clear();
  verdict->layout_dependent = verdict->distinct_tuples = verdict->aliased = 0;
  verdict->not_repeated = verdict->reordered = verdict->packed = 0;
  verdict->flush.clear();
  verdict->error_ulps.reset();
  verdict->accuracy.reset();
  verdict->chunks.reset();
  verdict->alone.reset();
  verdict->after.clear();
  verdict->ways.clear();
  verdict->together.clear();
  verdict->repeats.clear();
}

enum Field : unsigned {
  kIndex = 1,
  kBackend = 2,
  kCase = 4,
  kOp = 8,
  kType = 16,
  kOutcome = 32,
  kAllFields = 63
};
constexpr const char* kFieldNames[] = {"i",  "backend", "case",
                                       "op", "type",    "outcome"};

}  // namespace

void ParseResult(simdjson::dom::object line, Verdict* verdict) {
  Clear(verdict);
  unsigned seen = 0;
  for (const auto [key, value] : line) {
    if (key == "i") {
      verdict->index = Count(key, value);
      seen |= kIndex;
    } else if (key == "backend") {
      verdict->backend = Text(key, value);
      seen |= kBackend;
    } else if (key == "case") {
      verdict->case_name = Text(key, value);
      seen |= kCase;
    } else if (key == "op") {
      verdict->op = Text(key, value);
      seen |= kOp;
    } else if (key == "type") {
      verdict->type = Text(key, value);
      seen |= kType;
    } else if (key == "outcome") {
      verdict->outcome = ParseOutcome(Text(key, value));
      seen |= kOutcome;
    } else if (key == "elements") {
      verdict->elements = Count(key, value);
    } else if (key == "open") {
      verdict->open = Count(key, value);
    } else if (key == "unchecked_literals") {
      verdict->unchecked_literals = Count(key, value);
    } else if (key == "error_ulps") {
      verdict->error_ulps = Error(value);
    } else if (key == "accuracy") {
      verdict->accuracy = ParseAccuracy(value);
    } else if (key == "chunks") {
      if (!verdict->chunks) verdict->chunks = Verdict::Chunks();
      verdict->chunks->count = Count(key, value);
    } else if (key == "run_twice") {
      if (!verdict->chunks) verdict->chunks = Verdict::Chunks();
      verdict->chunks->run_twice = Count(key, value);
    } else if (key == "alone") {
      verdict->alone = ParseOutcome(Text(key, value));
    } else if (key == "after") {
      Texts(key, value, &verdict->after);
    } else if (key == "result_type") {
      verdict->result_type = Text(key, value);
    } else if (key == "basis") {
      verdict->basis = Text(key, value);
    } else if (key == "message") {
      verdict->message = Text(key, value);
    } else if (key == "replay") {
      verdict->replay = Text(key, value);
    } else if (key == "clauses") {
      Texts(key, value, &verdict->clauses);
    } else if (key == "violated") {
      Texts(key, value, &verdict->violated);
    } else if (key == "covered") {
      Texts(key, value, &verdict->covered);
    } else if (key == "layouts") {
      Texts(key, value, &verdict->layouts);
    } else if (key == "variant") {
      verdict->variant = Text(key, value);
    } else if (key == "layout_dependent") {
      verdict->layout_dependent = Count(key, value);
    } else if (key == "distinct_tuples") {
      verdict->distinct_tuples = Count(key, value);
    } else if (key == "not_repeated") {
      verdict->not_repeated = Count(key, value);
    } else if (key == "reordered") {
      verdict->reordered = Count(key, value);
    } else if (key == "packed") {
      verdict->packed = Count(key, value);
    } else if (key == "ways") {
      simdjson::dom::object ways;
      if (value.get(ways) != simdjson::SUCCESS) WrongType(key, "an object");
      for (const auto [way, outcome] : ways)
        verdict->ways.emplace_back(way, ParseOutcome(Text(way, outcome)));
    } else if (key == "together") {
      Texts(key, value, &verdict->together);
    } else if (key == "aliased") {
      verdict->aliased = Count(key, value);
    } else if (key == "flush") {
      Texts(key, value, &verdict->flush);
      for (const std::string& text : verdict->flush) {
        if (!FlushObservation::Parse(text))
          throw LineError{
              fmt::format("'{}' says nothing of flushing", Cut(text))};
      }
    } else if (key == "also") {
      std::vector<std::string> names;
      Texts(key, value, &names);
      for (const std::string& name : names)
        verdict->also.push_back(ParseOutcome(name));
    } else if (key == "repeats") {
      simdjson::dom::object counts;
      if (value.get(counts) != simdjson::SUCCESS) WrongType(key, "an object");
      for (const auto [name, count] : counts)
        verdict->repeats[ParseOutcome(name)] = Count(key, count);
    }
  }
  for (int bit = 0; seen != kAllFields && bit < 6; ++bit) {
    if ((seen >> bit & 1) == 0)
      throw LineError{
          fmt::format("the field '{}' is missing", kFieldNames[bit])};
  }
}

Footer ParseFooter(simdjson::dom::object line) {
  Footer footer;
  simdjson::dom::object values;
  if (line["counts"].get(values) != simdjson::SUCCESS)
    WrongType("counts", "an object");
  for (const auto [name, value] : values)
    footer.counts[ParseOutcome(name)] = Count("counts", value);
  if (line["seconds"].get(footer.seconds) != simdjson::SUCCESS)
    WrongType("seconds", "a number");
  if (line["failed"].error() == simdjson::SUCCESS)
    Texts("failed", line["failed"].value(), &footer.failed);
  return footer;
}

}  // namespace assay
