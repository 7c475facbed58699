#include "spec/text/form.h"

#include <fmt/format.h>

#include "spec/error.h"
#include "spec/text/lexer.h"

namespace assay::text {
namespace {

class FormReader {
 public:
  explicit FormReader(std::string_view text) : text_(text) {}

  Form Read() {
    Form form;
    const size_t types = text_.rfind(" : ");
    if (types != std::string_view::npos) {
      form.types = std::string(text_.substr(types + 3));
      text_ = text_.substr(0, types);
    }
    form.items = ReadItems(false);
    return form;
  }

 private:
  bool Accept(std::string_view text) {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    if (!text_.substr(at_).starts_with(text)) return false;
    at_ += text.size();
    return true;
  }

  std::string Name() {
    const size_t begin = at_;
    while (at_ < text_.size() && IsWordPart(text_[at_])) ++at_;
    if (at_ == begin)
      throw InputError(
          "", fmt::format("form '{}' lacks a name at {}", text_, begin + 1));
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::vector<FormItem> ReadItems(bool is_group) {
    using enum FormItem::Kind;
    std::vector<FormItem> items;
    for (;;) {
      if (Accept(")?")) {
        if (is_group) return items;
        throw InputError("", fmt::format("form '{}' closes no group", text_));
      }
      if (at_ == text_.size()) {
        if (!is_group) return items;
        throw InputError("",
                         fmt::format("form '{}' leaves a group open", text_));
      }
      if (Accept("(?")) {
        items.push_back({kGroup, {}, {}, ReadItems(true)});
        if (items.back().group.empty())
          throw InputError("",
                           fmt::format("form '{}' has an empty group", text_));
      } else if (Accept("{}")) {
        items.push_back({kDictionary, {}, {}, {}});
      } else if (Accept("%")) {
        std::string name = Name();
        items.push_back({Accept("*") ? kOperands : kOperand, name, {}, {}});
      } else if (Accept("&")) {
        items.push_back({kPart, Name(), {}, {}});
      } else if (Accept("$")) {
        FormItem item{kAttribute, Name(), {}, {}};
        if (!Accept(":"))
          throw InputError("", fmt::format("form '{}': attribute '{}' has no "
                                           "kind",
                                           text_, item.text));
        if (Accept("#")) item.attribute_kind = "#";
        item.attribute_kind += Name();
        items.push_back(std::move(item));
      } else if (IsWordStart(text_[at_])) {
        items.push_back({kWord, Name(), {}, {}});
      } else {
        items.push_back({kPunctuation, std::string(1, text_[at_++]), {}, {}});
      }
    }
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

Form ParseForm(std::string_view text) { return FormReader(text).Read(); }

}  // namespace assay::text
