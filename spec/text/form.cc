#include "spec/text/form.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "spec/error.h"
#include "spec/text/lexer.h"

namespace assay {
extern const char kTextForms[];  // forms.json; cmake/embed.cmake
}

namespace assay::text {
namespace {

using FormJson = nlohmann::json;

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

struct FormTable {
  std::vector<OpForm> ops;
  std::unordered_map<std::string_view, const OpForm*> by_name;
  std::map<std::string, std::vector<std::string>, std::less<>> enums;
  std::map<std::string, std::string> short_names;
};

FormTable ReadFormTable() {
  const FormJson json = FormJson::parse(kTextForms);
  FormTable table;
  table.enums = json.at("enums").get<decltype(table.enums)>();
  table.short_names = json.at("short").get<decltype(table.short_names)>();
  const FormJson& shared = json.at("shared");
  for (const auto& [name, entry] : json.at("ops").items()) {
    OpForm op;
    op.name = name;
    const auto add = [&](const std::string& form) {
      op.forms.push_back(ParseForm(
          shared.contains(form) ? shared.at(form).get<std::string>() : form));
    };
    if (const auto form = entry.find("form"); form != entry.end()) {
      if (form->is_string()) add(*form);
      if (form->is_array())
        for (const FormJson& one : *form) add(one);
    }
    op.properties = entry.value("properties", std::vector<std::string>());
    std::ranges::sort(op.properties);
    op.status = entry.value("status", "");
    op.reason = entry.value("reason", "");
    table.ops.push_back(std::move(op));
  }
  std::ranges::sort(table.ops, {}, &OpForm::name);
  for (const OpForm& op : table.ops) table.by_name.emplace(op.name, &op);
  for (const auto& [word, name] : table.short_names)
    table.by_name.emplace(word, table.by_name.at(name));
  return table;
}

const FormTable& Table() {
  static const FormTable* const kTable = new FormTable(ReadFormTable());
  return *kTable;
}

}  // namespace

Form ParseForm(std::string_view text) { return FormReader(text).Read(); }

const OpForm* FindForm(std::string_view name) {
  const auto found = Table().by_name.find(name);
  return found == Table().by_name.end() ? nullptr : found->second;
}

const std::vector<OpForm>& OpForms() { return Table().ops; }

const std::vector<std::string>* FindEnum(std::string_view name) {
  const auto found = Table().enums.find(name);
  return found == Table().enums.end() ? nullptr : &found->second;
}

std::string EnumOf(const OpForm* op, const std::string& attribute) {
  if (op == nullptr) return attribute;
  const auto find = [&](const auto& self,
                        const std::vector<FormItem>& items) -> std::string {
    for (const FormItem& item : items) {
      if (item.kind == FormItem::Kind::kAttribute && item.text == attribute &&
          item.attribute_kind.starts_with('#'))
        return item.attribute_kind.substr(1);
      if (std::string found = self(self, item.group); !found.empty())
        return found;
    }
    return "";
  };
  for (const Form& form : op->forms) {
    if (std::string found = find(find, form.items); !found.empty())
      return found;
  }
  return attribute;
}

}  // namespace assay::text
