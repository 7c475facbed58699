#include "spec/text/form_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "spec/error.h"

namespace assay {
extern const char kTextForms[];  // forms.json; cmake/embed.cmake
}

namespace assay::text {
namespace {

using FormJson = nlohmann::json;

constexpr const char* kFormsFile = "spec/text/forms.json";
constexpr std::string_view kGeneric = "generic";

const FormJson& FormsFile() {
  static const FormJson* const kFile =
      new FormJson(FormJson::parse(kTextForms));
  return *kFile;
}

std::vector<std::string> FormTexts(const FormJson& entry) {
  const auto form = entry.find("form");
  if (form == entry.end()) return {};
  if (form->is_string()) return {form->get<std::string>()};
  return form->get<std::vector<std::string>>();
}

// `where` is the file and the pointer of the forms.
std::vector<Form> ReadForms(const std::string& where,
                            const std::vector<std::string>& texts) {
  const FormJson& shared = FormsFile().at("shared");
  std::vector<Form> forms;
  try {
    for (const std::string& text : texts) {
      const auto name = shared.find(text);
      forms.push_back(
          ParseForm(name == shared.end() ? text : name->get<std::string>()));
      CheckForm(forms.back());
    }
  } catch (const InputError& e) {
    throw InputError(where, e.what());
  }
  return forms;
}

void RequireAttributes(const std::string& where, const OpSpec& spec,
                       const std::vector<FormItem>& items) {
  for (const FormItem& item : items) {
    RequireAttributes(where, spec, item.group);
    if (item.kind == FormItem::Kind::kAttribute &&
        !spec.HasTextAttribute(item.text))
      throw InputError(where, fmt::format("the form names '${}', which is no "
                                          "input of the op",
                                          item.text));
  }
}

struct FormTable {
  std::vector<OpForm> ops;
  std::unordered_map<std::string_view, const OpForm*> by_name;
};

FormTable ReadFormTable() {
  const FormJson& file = FormsFile();
  FormTable table;
  for (const auto& [name, entry] : file.at("ops").items()) {
    OpForm op{name};
    op.forms = ReadForms(fmt::format("{}#/ops/{}/form", kFormsFile, name),
                         FormTexts(entry));
    op.properties = entry.value("properties", std::vector<std::string>());
    std::ranges::sort(op.properties);
    op.status = entry.value("status", "");
    op.reason = entry.value("reason", "");
    op.same_as = entry.value("same_as", "");
    table.ops.push_back(std::move(op));
  }
  for (const OpSpec& spec : Ops()) {
    if (spec.source == "stablehlo") table.ops.push_back(ReadOpForm(spec));
  }
  std::ranges::sort(table.ops, {}, &OpForm::name);
  for (const OpForm& op : table.ops) table.by_name.emplace(op.name, &op);
  for (const auto& [word, name] : file.at("short").items())
    table.by_name.emplace(word,
                          table.by_name.at(name.get_ref<const std::string&>()));
  return table;
}

const FormTable& Table() {
  static const FormTable* const kTable = new FormTable(ReadFormTable());
  return *kTable;
}

}  // namespace

OpForm ReadOpForm(const OpSpec& spec) {
  OpForm op{"stablehlo." + spec.id};
  const std::string where = spec.file + "#/text";
  if (FormsFile().at("ops").contains(op.name))
    throw InputError(
        spec.file,
        fmt::format("{} has '{}' as well; the form of an op that has an op "
                    "file stands there alone, as \"text\"",
                    kFormsFile, op.name));
  if (!spec.text)
    throw InputError(
        spec.file,
        "the op has no \"text\", which says how StableHLO text writes it: "
        "{\"form\": \"%operand {} : same\"}, or {\"form\": \"generic\"} if "
        "it has the generic form alone");
  if (spec.text->forms != std::vector<std::string>{std::string(kGeneric)})
    op.forms = ReadForms(where + "/form", spec.text->forms);
  for (const Form& form : op.forms)
    RequireAttributes(where + "/form", spec, form.items);
  op.properties = spec.text->properties;
  for (const std::string& property : op.properties) {
    const auto is_in = [&property = property](const auto& list) {
      return std::ranges::find(list, property) != list.end();
    };
    if (!spec.HasTextAttribute(property) && property != "result_accuracy" &&
        !is_in(spec.text->others) && !is_in(spec.text->later))
      throw InputError(where + "/properties",
                       fmt::format("'{}' is no input of the op", property));
  }
  std::ranges::sort(op.properties);
  return op;
}

const OpForm* FindForm(std::string_view name) {
  const auto found = Table().by_name.find(name);
  return found == Table().by_name.end() ? nullptr : found->second;
}

std::string_view MeaningOf(const Statement& statement) {
  const OpForm* const form = FindForm(statement.op);
  const auto is_tensor = [](const TypePtr& type) {
    return type->kind == Type::Kind::kTensor;
  };
  if (form == nullptr || form->same_as.empty() ||
      !std::ranges::all_of(statement.operand_types, is_tensor) ||
      !std::ranges::all_of(statement.result_types, is_tensor))
    return statement.op;
  return form->same_as;
}

const std::vector<OpForm>& OpForms() { return Table().ops; }

namespace {

using EnumTable = std::map<std::string, std::vector<std::string>, std::less<>>;

// Forms are checked against the enums while Table() is made.
const EnumTable& Enums() {
  static const EnumTable* const kEnums =
      new EnumTable(FormsFile().at("enums").get<EnumTable>());
  return *kEnums;
}

}  // namespace

const std::vector<std::string>* FindEnum(std::string_view name) {
  const auto found = Enums().find(name);
  return found == Enums().end() ? nullptr : &found->second;
}

const std::vector<std::string>& Reducers() {
  static const std::vector<std::string>* const kReducers = [] {
    auto* reducers = new std::vector<std::string>();
    for (const OpSpec& spec : Ops()) {
      if (!spec.monoid.empty()) reducers->push_back("stablehlo." + spec.id);
    }
    return reducers;
  }();
  return *kReducers;
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

std::string EnumOf(const OpForm* op, const InputSpec& input) {
  std::string named = EnumOf(op, input.text_attribute);
  if (FindEnum(named) != nullptr) return named;
  for (const auto& [name, constants] : Enums()) {
    const auto has = [&all = constants](const std::string& value) {
      return std::ranges::find(all, value) != all.end();
    };
    if (std::ranges::all_of(input.values, has)) return name;
  }
  return named;
}

}  // namespace assay::text
