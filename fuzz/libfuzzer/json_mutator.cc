// Targets that read JSON change it so that it stays JSON: of changed bytes, few
// get past the parser. The input is lines of JSON, of which one is changed: a
// value is replaced by another of the document, of another document or by one
// that is difficult for readers; a member is left out, doubled or renamed; a
// text or a number is changed a little.
//
// One time in three, libFuzzer changes the bytes.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace assay {
namespace {

using Json = nlohmann::ordered_json;

class Chance {
 public:
  explicit Chance(unsigned seed) : random_(seed) {}
  size_t Below(size_t n) { return random_() % n; }

 private:
  std::minstd_rand random_;
};

void Collect(Json* value, std::vector<Json*>* values) {
  values->push_back(value);
  if (value->is_structured()) {
    for (Json& child : *value) Collect(&child, values);
  }
}

Json* AnyValue(Json* document, Chance* chance) {
  std::vector<Json*> values;
  Collect(document, &values);
  return values[chance->Below(values.size())];
}

Json Awkward(Chance* chance) {
  static const std::vector<Json> values = {nullptr,
                                           true,
                                           false,
                                           0,
                                           1,
                                           -1,
                                           64,
                                           INT64_MAX,
                                           INT64_MIN,
                                           UINT64_MAX,
                                           0.5,
                                           -0.0,
                                           1e-320,
                                           1e300,
                                           "",
                                           "inf",
                                           "0x7fc00000",
                                           "tensor<i1>",
                                           "tensor<0xf32>",
                                           "tensor<?x3xi8>",
                                           "tensor<9223372036854775807xi8>",
                                           "tensor<2xcomplex<f64>>",
                                           std::string("\0\n\"\\\xc3\xa9", 6),
                                           Json::array(),
                                           Json::object(),
                                           Json::array({Json::array()}),
                                           {{"", 0}}};
  return values[chance->Below(values.size())];
}

std::string ChangedText(const std::string& text) {
  std::vector<uint8_t> bytes(text.begin(), text.end());
  bytes.resize(text.size() + 16);
  bytes.resize(LLVMFuzzerMutate(bytes.data(), text.size(), bytes.size()));
  return std::string(bytes.begin(), bytes.end());
}

Json ChangedNumber(const Json& number, Chance* chance) {
  if (number.is_number_float())
    return number.get<double>() * (chance->Below(2) == 0 ? -1 : 1e-3);
  const auto value = number.get<uint64_t>();
  const uint64_t changed[] = {value + 1, value - 1, value * 2, 0 - value,
                              value << chance->Below(63)};
  return static_cast<int64_t>(changed[chance->Below(std::size(changed))]);
}

// Adds, removes or renames a member, or adds or removes an element.
void ChangeMembers(Json* value, Json* document, Chance* chance) {
  const size_t at = chance->Below(value->size());
  if (value->is_array()) {
    if (chance->Below(2) == 0) {
      value->erase(at);
    } else {
      value->push_back(Json((*value)[at]));
    }
    return;
  }
  const auto member = std::next(value->begin(), static_cast<int64_t>(at));
  const Json child = member.value();
  const std::string key = member.key();
  if (chance->Below(3) > 0) value->erase(key);
  const Json* named = AnyValue(document, chance);
  if (chance->Below(2) == 0 && named->is_object() && !named->empty())
    (*value)[named->begin().key()] = child;
}

void Change(Json* document, Json* other, Chance* chance) {
  Json* const value = AnyValue(document, chance);
  switch (chance->Below(4)) {
    case 0:
      *value = Awkward(chance);
      return;
    case 1:
      *value = Json(*AnyValue(other, chance));
      return;
    default:
      if (value->is_string()) {
        *value = ChangedText(value->get<std::string>());
      } else if (value->is_number()) {
        *value = ChangedNumber(*value, chance);
      } else if (value->is_structured() && !value->empty()) {
        ChangeMembers(value, document, chance);
      } else {
        *value = Awkward(chance);
      }
  }
}

std::vector<std::string> LinesOf(std::string_view text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

Json ParsedOrDiscarded(const std::string& text) {
  return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

// Returns the text with one line changed, possibly by values of `from`; empty
// if neither line is JSON.
std::string Changed(std::string_view text, std::string_view from,
                    Chance* chance) {
  std::vector<std::string> lines = LinesOf(text);
  const std::vector<std::string> others = LinesOf(from);
  std::string& line = lines[chance->Below(lines.size())];
  Json document = ParsedOrDiscarded(line);
  Json other = ParsedOrDiscarded(others[chance->Below(others.size())]);
  if (document.is_discarded() || other.is_discarded()) return "";
  for (size_t left = 1 + chance->Below(3); left > 0; --left)
    Change(&document, &other, chance);
  line = document.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string changed = lines[0];
  for (size_t i = 1; i < lines.size(); ++i) changed += '\n' + lines[i];
  return changed;
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size,
                                          size_t max_size, unsigned seed) {
  Chance chance(seed);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string changed =
      chance.Below(3) == 0 ? "" : Changed(text, text, &chance);
  if (changed.empty() || changed.size() > max_size)
    return LLVMFuzzerMutate(data, size, max_size);
  std::memcpy(data, changed.data(), changed.size());
  return changed.size();
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* data1, size_t size1,
                                            const uint8_t* data2, size_t size2,
                                            uint8_t* out, size_t max_out_size,
                                            unsigned seed) {
  Chance chance(seed);
  const std::string changed =
      Changed({reinterpret_cast<const char*>(data1), size1},
              {reinterpret_cast<const char*>(data2), size2}, &chance);
  if (changed.size() > max_out_size) return 0;
  std::memcpy(out, changed.data(), changed.size());
  return changed.size();
}

}  // namespace assay
