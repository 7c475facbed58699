// Values get their numbers in the order in which MLIR numbers them for the
// generic form: regions are taken from a stack, so the last region comes first.
#include "spec/text/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "spec/text/form_table.h"

namespace assay::text {
namespace {

// %name, or %"name" where the name is none of a value's.
void AppendValueName(std::string_view name, std::string* out) {
  *out += '%';
  const auto is_letter = [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_' ||
           c == '$' || c == '.' || c == '-';
  };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const bool is_number = !name.empty() && std::ranges::all_of(name, is_digit);
  const bool is_name = !name.empty() && is_letter(name[0]) &&
                       std::ranges::all_of(name, [&](char c) {
                         return is_letter(c) || is_digit(c);
                       });
  if (is_number || is_name) {
    *out += name;
  } else {
    AppendQuoted(name, out);
  }
}

class GenericPrinter {
 public:
  GenericPrinter(const Chunk& chunk, ValueNames value_names)
      : value_names_(value_names), names_(static_cast<size_t>(chunk.values)) {
    NumberStatement(chunk.module);
    while (!regions_.empty()) {
      const Region& region = *regions_.back();
      regions_.pop_back();
      for (size_t i = 0; i < region.arguments.size(); ++i)
        NameOf(region.first_argument + static_cast<int64_t>(i)) = {
            next_argument_++, kArgument};
      for (const Statement& statement : region.statements)
        NumberStatement(statement);
    }
    PrintStatement(chunk.module);
  }

  std::string text() && { return std::move(out_); }

 private:
  static constexpr int64_t kUnnamed = -3, kArgument = -2, kOnly = -1;
  struct Name {
    int64_t id = 0;
    int64_t number = kUnnamed;  // among an op's results, or a k..
  };

  Name& NameOf(int64_t value) { return names_[static_cast<size_t>(value)]; }

  void NumberStatement(const Statement& statement) {
    const auto count = static_cast<int64_t>(statement.result_types.size());
    for (int64_t i = 0; i < count; ++i)
      NameOf(statement.first_result + i) = {next_id_, count == 1 ? kOnly : i};
    if (count > 0) ++next_id_;
    for (const Region& region : statement.regions) regions_.push_back(&region);
  }

  void PrintName(int64_t value, const std::string& name_in_text) {
    const Name& name = NameOf(value);
    if (name.number == kUnnamed || value_names_ == ValueNames::kKept) {
      AppendValueName(name_in_text, &out_);
    } else if (name.number == kArgument) {
      out_ += fmt::format("%arg{}", name.id);
    } else if (name.number == kOnly) {
      out_ += fmt::format("%{}", name.id);
    } else {
      out_ += fmt::format("%{}#{}", name.id, name.number);
    }
  }

  void PrintStatement(const Statement& statement) {
    const size_t count = statement.result_types.size();
    if (value_names_ == ValueNames::kKept) {
      for (size_t i = 0; i < statement.results.size(); ++i) {
        if (i > 0) out_ += ", ";
        AppendValueName(statement.results[i].name, &out_);
      }
      if (count > 0) out_ += " = ";
    } else if (count > 0) {
      out_ += fmt::format("%{}", NameOf(statement.first_result).id);
      if (count > 1) out_ += fmt::format(":{}", count);
      out_ += " = ";
    }
    AppendQuoted(statement.op, &out_);
    out_ += '(';
    for (size_t i = 0; i < statement.operands.size(); ++i) {
      if (i > 0) out_ += ", ";
      PrintName(statement.operands[i].value, statement.operands[i].name);
    }
    out_ += ')';
    const OpForm* const op = FindForm(statement.op);
    std::vector<const NamedAttribute*> properties, others;
    for (const NamedAttribute& attribute : statement.attributes) {
      const bool is_property =
          op != nullptr &&
          std::ranges::binary_search(op->properties, attribute.name);
      (is_property ? properties : others).push_back(&attribute);
    }
    if (!properties.empty()) {
      out_ += " <";
      AppendDictionary(properties, &out_);
      out_ += '>';
    }
    if (!statement.regions.empty()) {
      out_ += " (";
      for (size_t i = 0; i < statement.regions.size(); ++i) {
        if (i > 0) out_ += ", ";
        PrintRegion(statement.regions[i]);
      }
      out_ += ')';
    }
    if (!others.empty()) {
      out_ += ' ';
      AppendDictionary(others, &out_);
    }
    out_ += " : ";
    AppendFunctionType(statement.operand_types, statement.result_types, &out_);
  }

  void PrintRegion(const Region& region) {
    out_ += "{\n";
    if (region.has_block &&
        (!region.arguments.empty() || region.statements.empty())) {
      out_.append(indent_, ' ');
      out_ += "^bb0";
      for (size_t i = 0; i < region.arguments.size(); ++i) {
        out_ += i == 0 ? "(" : ", ";
        PrintName(region.first_argument + static_cast<int64_t>(i),
                  region.arguments[i].name);
        out_ += ": ";
        AppendType(*region.arguments[i].type, &out_);
      }
      out_ += region.arguments.empty() ? ":\n" : "):\n";
    }
    indent_ += 2;
    for (const Statement& statement : region.statements) {
      out_.append(indent_, ' ');
      PrintStatement(statement);
      out_ += '\n';
    }
    indent_ -= 2;
    out_.append(indent_, ' ');
    out_ += '}';
  }

  ValueNames value_names_;
  std::vector<Name> names_;
  std::vector<const Region*> regions_;
  int64_t next_id_ = 0;
  int64_t next_argument_ = 0;
  size_t indent_ = 0;
  std::string out_;
};

}  // namespace

std::string PrintGeneric(const Chunk& chunk, ValueNames names) {
  return GenericPrinter(chunk, names).text() + "\n";
}

}  // namespace assay::text
