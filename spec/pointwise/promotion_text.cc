// These are the texts of promotion: names of methods, and the attribute
// promotion_methods. Its parser is written by hand because the text comes from
// callers of plugins and from case files alike: it accepts exactly what
// ToString prints, white space aside, never recurses, and reports the place in
// the notation of the seed.
#include <fmt/format.h>

#include <array>
#include <utility>

#include "spec/pointwise/promotion.h"
#include "spec/printable_text.h"

namespace assay {
namespace {

constexpr std::array<std::pair<const char*, PromotionMethod>, 6> kMethods = {{
    {"DEFAULT", PromotionMethod::kDefault},
    {"NO_OPMATH", PromotionMethod::kNoOpmath},
    {"INT_TO_FLOAT", PromotionMethod::kIntToFloat},
    {"ALWAYS_BOOL", PromotionMethod::kAlwaysBool},
    {"COMPLEX_TO_FLOAT", PromotionMethod::kComplexToFloat},
    {"BOOL_TO_LONG", PromotionMethod::kBoolToLong},
}};

// This reader of [[0, 1, "DEFAULT"], ..] remembers its position.
class MethodsReader {
 public:
  MethodsReader(std::string_view text, std::string* reason)
      : text_(text), reason_(reason) {}

  std::optional<std::vector<PromotionRule>> Read() {
    if (text_.size() > kMaxPromotionText)
      return Fail(fmt::format("longer than {} characters", kMaxPromotionText));
    std::vector<PromotionRule> rules;
    if (!Take('[')) return Fail("expected '['");
    do {
      PromotionRule rule;
      if (!ReadRule(&rule)) return std::nullopt;
      rules.push_back(std::move(rule));
      ++output_;
    } while (Take(','));
    place_.clear();
    if (!Take(']')) return Fail("expected ',' or ']'");
    SkipSpace();
    if (at_ != text_.size()) return Fail("expected nothing behind the list");
    return rules;
  }

 private:
  std::nullopt_t Fail(std::string_view what) {
    *reason_ = fmt::format("promotion_methods{}, column {}: {}", place_,
                           at_ + 1, what);
    return std::nullopt;
  }

  void SkipSpace() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' ||
                                  text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
  }

  bool Take(char expected) {
    SkipSpace();
    if (at_ == text_.size() || text_[at_] != expected) return false;
    ++at_;
    return true;
  }

  bool ReadRule(PromotionRule* rule) {
    place_ = fmt::format("[{}]", output_);
    if (!Take('[')) {
      Fail("expected a list such as [0, 1, \"DEFAULT\"]");
      return false;
    }
    for (int element = 0;; ++element) {
      place_ = fmt::format("[{}][{}]", output_, element);
      if (Take('"')) break;
      if (!ReadIndex(rule)) return false;
      if (!Take(',')) {
        Fail("expected ',' and further arguments or the method");
        return false;
      }
    }
    if (rule->arguments.empty()) {
      Fail("expected the index of an argument before the method");
      return false;
    }
    if (!ReadMethod(rule)) return false;
    if (!Take(']')) {
      Fail("expected ']' behind the method");
      return false;
    }
    return true;
  }

  bool ReadIndex(PromotionRule* rule) {
    SkipSpace();
    const size_t begin = at_;
    int index = 0;
    // The loop stops at the first digit that makes the number exceed the bound,
    // so that nothing overflows, and after a leading 0.
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9' &&
           index < kMaxPromotionArguments && (index != 0 || at_ == begin);
         ++at_)
      index = index * 10 + (text_[at_] - '0');
    if (at_ == begin) {
      Fail("expected the index of an argument or a method in quotes");
      return false;
    }
    if (index >= kMaxPromotionArguments) {
      at_ = begin;
      Fail(fmt::format("expected an index below {}", kMaxPromotionArguments));
      return false;
    }
    rule->arguments.push_back(index);
    return true;
  }

  // The position is after the opening quote.
  bool ReadMethod(PromotionRule* rule) {
    const size_t end = text_.find('"', at_);
    if (end == std::string_view::npos) {
      Fail("a '\"' that is not closed");
      return false;
    }
    const std::string_view name = text_.substr(at_, end - at_);
    const std::optional<PromotionMethod> method = ParsePromotionMethod(name);
    if (!method) {
      std::string known;
      for (const auto& [text, value] : kMethods)
        known += fmt::format("{}{}", known.empty() ? "" : ", ", text);
      Fail(fmt::format("unknown method '{}'; there are {}", Cut(name), known));
      return false;
    }
    rule->method = *method;
    at_ = end + 1;
    return true;
  }

  std::string_view text_;
  std::string* reason_;
  size_t at_ = 0;
  int output_ = 0;
  std::string place_;
};

}  // namespace

std::optional<PromotionMethod> ParsePromotionMethod(std::string_view name) {
  for (const auto& [text, method] : kMethods) {
    if (name == text) return method;
  }
  return std::nullopt;
}

const char* Name(PromotionMethod method) {
  return kMethods[static_cast<size_t>(method)].first;
}

std::optional<std::vector<PromotionRule>> ParsePromotionMethods(
    std::string_view text, std::string* reason) {
  return MethodsReader(text, reason).Read();
}

std::string ToString(std::span<const PromotionRule> rules) {
  std::string text = "[";
  for (const PromotionRule& rule : rules) {
    if (text.size() > 1) text += ", ";
    text += "[";
    for (const int argument : rule.arguments)
      text += fmt::format("{}, ", argument);
    text += fmt::format("\"{}\"]", Name(rule.method));
  }
  return text + "]";
}

}  // namespace assay
