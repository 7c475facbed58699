#include "reports/accuracy_field.h"

#include <fmt/ranges.h>

#include <cmath>
#include <iterator>

#include "reports/result_line.h"
#include "spec/json_string.h"

namespace assay {
namespace {

using simdjson::dom::element;
using simdjson::dom::object;

[[noreturn]] void Wrong(const char* field) {
  throw LineError{fmt::format("the field 'accuracy' has no valid '{}'", field)};
}

template <class T>
T Get(object fields, const char* name) {
  T value{};
  if (fields[name].get(value) != simdjson::SUCCESS) Wrong(name);
  return value;
}

// Reads a distance, which has no sign.
double Ulps(object fields, const char* name) {
  const double value = Get<double>(fields, name);
  if (std::signbit(value)) Wrong(name);
  return value;
}

template <size_t kSize>
void Counts(object fields, const char* name,
            std::array<int64_t, kSize>* counts) {
  const auto array = Get<simdjson::dom::array>(fields, name);
  if (array.size() != kSize) Wrong(name);
  size_t i = 0;
  for (const element item : array) {
    if (item.get((*counts)[i++]) != simdjson::SUCCESS) Wrong(name);
  }
}

}  // namespace

void AppendAccuracy(const Accuracy& accuracy, fmt::memory_buffer* out) {
  const ErrorMeasure& errors = accuracy.errors;
  const auto append = [&](auto... arguments) {
    fmt::format_to(std::back_inserter(*out), arguments...);
  };
  const auto number = [&](const char* name, double value) {
    // JSON has no infinity: for a worst error it is a text, for an error that
    // would be noticed it means nothing.
    if (std::isfinite(value)) {
      append(fmt::runtime(",\"{}\":{}"), name, value);
    } else if (std::string_view(name) == "worst") {
      append(fmt::runtime(",\"worst\":\"inf\""));
    }
  };
  append(fmt::runtime(",\"accuracy\":{{\"type\":\"{}\",\"elements\":{}"),
         accuracy.type, errors.elements);
  number("worst", errors.worst);
  number("budget", errors.budget);
  number("up", errors.notices_up);
  number("down", errors.notices_down);
  append(fmt::runtime(",\"index\":{}"), accuracy.worst_index);
  append(fmt::runtime(",\"histogram\":[{}],\"tiers\":[{}],\"at\":{}}}"),
         fmt::join(errors.histogram, ","), fmt::join(accuracy.tiers, ","),
         JsonString(accuracy.worst));
}

Accuracy ParseAccuracy(element value) {
  object fields;
  if (value.get(fields) != simdjson::SUCCESS) Wrong("fields");
  Accuracy accuracy;
  ErrorMeasure& errors = accuracy.errors;
  accuracy.type = Get<std::string_view>(fields, "type");
  if (!ParseElementType(accuracy.type)) Wrong("type");
  errors.elements = Get<int64_t>(fields, "elements");
  if (errors.elements < 0) Wrong("elements");
  errors.budget = Ulps(fields, "budget");
  std::string_view text;
  if (fields["worst"].get(text) == simdjson::SUCCESS) {
    if (text != "inf") Wrong("worst");
    errors.worst = INFINITY;
  } else {
    errors.worst = Ulps(fields, "worst");
  }
  if (fields["up"].error() == simdjson::SUCCESS)
    errors.notices_up = Ulps(fields, "up");
  if (fields["down"].error() == simdjson::SUCCESS)
    errors.notices_down = Ulps(fields, "down");
  Counts(fields, "histogram", &errors.histogram);
  Counts(fields, "tiers", &accuracy.tiers);
  accuracy.worst_index = Get<int64_t>(fields, "index");
  accuracy.worst = Get<std::string_view>(fields, "at");
  return accuracy;
}

}  // namespace assay
