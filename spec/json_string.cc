#include "spec/json_string.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace assay {

std::string JsonString(std::string_view text) {
  fmt::memory_buffer out;
  AppendJsonString(text, &out);
  return fmt::to_string(out);
}

void AppendJsonString(std::string_view text, fmt::memory_buffer* out) {
  const auto append = [&](std::string_view piece) {
    out->append(piece.data(), piece.data() + piece.size());
  };
  const bool is_plain = std::ranges::all_of(text, [](char c) {
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
  });
  if (is_plain) {
    out->push_back('"');
    append(text);
    out->push_back('"');
    return;
  }
  using Json = nlohmann::json;
  append(Json(text).dump(-1, ' ', true, Json::error_handler_t::replace));
}

}  // namespace assay
