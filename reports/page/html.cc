#include "reports/page/html.h"

#include <fmt/format.h>

#include <algorithm>

#include "spec/digest.h"
#include "spec/printable_text.h"

namespace assay {
namespace {

std::string EscapeMarkup(const std::string& text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

unsigned HexDigit(char c) {
  return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
}

// Returns Base64 of the bytes that an even number of hexadecimal digits names.
std::string Base64OfHex(const std::string& hex) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < hex.size(); i += 6) {
    const size_t digits = std::min<size_t>(6, hex.size() - i);
    unsigned bits = 0;
    for (size_t j = 0; j < 6; ++j)
      bits = bits << 4 | (j < digits ? HexDigit(hex[i + j]) : 0);
    for (size_t j = 0; j < 4; ++j)
      text += j <= digits / 2 ? kDigits[bits >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

}  // namespace

std::string HtmlText(std::string_view text) {
  return EscapeMarkup(EscapeLines(text));
}

std::string HtmlLine(std::string_view text) {
  return EscapeMarkup(EscapeLine(text));
}

std::string HtmlName(std::string_view name) { return HtmlLine(Cut(name)); }

std::string HtmlCut(std::string_view text, size_t bytes) {
  if (text.size() <= bytes) return HtmlText(text);
  size_t end = bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
    --end;  // not inside of a character
  return HtmlText(text.substr(0, end)) +
         fmt::format("\n.. {} more bytes", text.size() - end);
}

std::string HtmlId(std::string_view prefix, std::string_view text) {
  std::string id(prefix);
  for (const char c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '-' || c == '_' ||
                          c == '.';
    if (is_plain) {
      id += c;
    } else {
      id += fmt::format(":{:02x}", static_cast<unsigned char>(c));
    }
  }
  return id;
}

std::string ContentHash(std::string_view text) {
  return "'sha256-" + Base64OfHex(Sha256(text)) + "'";
}

bool BoundedHtml::Add(std::string_view part) {
  if (left_out_ > 0 || text_.size() + part.size() > most_bytes_) {
    ++left_out_;
    return false;
  }
  text_ += part;
  return true;
}

std::string ScrolledTable(std::string_view name, std::string_view attributes,
                          std::string_view rows) {
  return fmt::format(
      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" "
      "aria-label=\"{}\">\n<table{}{}>\n{}</table>\n</div>\n",
      HtmlLine(name), attributes.empty() ? "" : " ", attributes, rows);
}

std::string ShareText(int64_t part, int64_t whole) {
  if (whole == 0) return "-";
  if (part == whole) return "100 %";
  if (part == 0) return "0 %";
  const double percent =
      100.0 * static_cast<double>(part) / static_cast<double>(whole);
  return fmt::format("{:.1f} %", std::clamp(percent, 0.1, 99.9));
}

}  // namespace assay
