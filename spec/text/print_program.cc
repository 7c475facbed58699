// From programs to the tree, which print.cc prints.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <unordered_map>

#include "spec/op_spec.h"
#include "spec/text/form_table.h"
#include "spec/text/parse_part.h"
#include "spec/text/print.h"
#include "spec/text/program_text.h"
#include "spec/text/read_attribute.h"

namespace assay {
namespace {

using text::Statement;
using text::TypePtr;

TypePtr ScalarType(ElementType type) {
  auto scalar = std::make_shared<text::Type>();
  scalar->kind = text::Type::Kind::kScalar;
  scalar->tensor.element_type = type;
  return scalar;
}

TypePtr TreeOf(const ValueType& type) {
  auto tree = std::make_shared<text::Type>();
  if (const TensorType* tensor = type.AsTensor()) {
    tree->tensor = *tensor;
  } else if (const TupleType* tuple = type.AsTuple()) {
    tree->kind = text::Type::Kind::kTuple;
    for (const ValueType& element : tuple->types)
      tree->inputs.push_back(TreeOf(element));
  } else {
    tree->kind = text::Type::Kind::kToken;
  }
  return tree;
}

// Text has the elements of a quantized tensor as integers without a sign.
Tensor AsStored(const Tensor& tensor) {
  if (tensor.type().quantization == nullptr) return tensor;
  Tensor stored(
      TensorType{tensor.type().shape, text::StoredAs(tensor.element_type())});
  for (int64_t i = 0; i < stored.size(); ++i) stored.SetBits(i, tensor.Bits(i));
  return stored;
}

text::Attribute TreeOf(const Tensor& quantized, const InputSpec* input) {
  const Tensor tensor = AsStored(quantized);
  const ElementType type = tensor.element_type();
  if (!tensor.type().shape.empty() || (input != nullptr && !input->type))
    return {text::DenseAttribute{tensor, input != nullptr &&
                                             input->type.has_value() &&
                                             tensor.type().shape.size() == 1}};
  if (IsBoolean(type)) return {tensor.Bits(0) != 0};
  if (IsInteger(type))
    return {text::IntegerAttribute{
        static_cast<int64_t>(ValueOf(type, tensor.Bits(0))), ScalarType(type)}};
  return {text::FloatAttribute{type, tensor.Bits(0)}};
}

text::Attribute TreeOf(const Attribute& attribute, const InputSpec* input,
                       const text::OpForm* form);

// Fields have no types: integers, lists of them, truth values and types.
text::Attribute FieldOf(const Attribute& attribute, const InputSpec& input) {
  const auto number = [](int64_t value) -> text::Attribute {
    return {text::IntegerAttribute{value, nullptr}};
  };
  if (const auto* symbol = std::get_if<Symbol>(&attribute.value)) {
    const auto value = std::ranges::find(input.values, symbol->name);
    if (!input.numbers.empty())
      return number(value == input.values.end()
                        ? 0
                        : input.numbers[static_cast<size_t>(
                              value - input.values.begin())]);
    if (const std::optional<ElementType> type = ParseElementType(symbol->name))
      return {ScalarType(*type)};
    auto other = std::make_shared<text::Type>();
    other->kind = text::Type::Kind::kOther;
    other->name = symbol->name;
    return {TypePtr(std::move(other))};
  }
  const auto* tensor = std::get_if<Tensor>(&attribute.value);
  if (tensor == nullptr) return TreeOf(attribute, &input, nullptr);
  const ElementType type = tensor->element_type();
  if (IsBoolean(type)) return {tensor->Bits(0) != 0};
  const auto element = [&](int64_t i) {
    return number(static_cast<int64_t>(ValueOf(type, tensor->Bits(i))));
  };
  if (tensor->type().shape.empty()) return element(0);
  text::ListAttribute list;
  for (int64_t i = 0; i < tensor->size(); ++i)
    list.elements.push_back(element(i));
  return {std::move(list)};
}

text::Attribute TreeOf(const Attribute& attribute, const InputSpec* input,
                       const text::OpForm* form) {
  struct Converter {
    const Attribute& attribute;
    const InputSpec* input;
    const text::OpForm* form;
    text::Attribute operator()(const Tensor& tensor) const {
      return TreeOf(tensor, input);
    }
    text::Attribute operator()(const std::string& text) const {
      return {text::StringAttribute{text, nullptr}};
    }
    text::Attribute operator()(const Symbol& symbol) const {
      return {text::EnumAttribute{"stablehlo",
                                  input ? text::EnumOf(form, *input)
                                        : text::EnumOf(form, attribute.name),
                                  symbol.name, false}};
    }
    text::Attribute operator()(const FunctionName& function) const {
      return {text::SymbolAttribute{{function.name}}};
    }
    text::Attribute operator()(const AttributeList& list) const {
      text::ListAttribute tree;
      for (const AttributeValue& element : list.elements)
        tree.elements.push_back(
            TreeOf(Attribute{attribute.name, element}, input, form));
      return {tree};
    }
    text::Attribute operator()(const Dictionary& dictionary) const {
      text::DictionaryAttribute tree;
      for (const Attribute& member : dictionary.members)
        tree.entries.push_back(
            {member.name,
             std::make_shared<text::Attribute>(TreeOf(member, nullptr, form))});
      std::ranges::sort(tree.entries, {}, &text::NamedAttribute::name);
      return {tree};
    }
  };
  return std::visit(Converter{attribute, input, form}, attribute.value);
}

// Fields that are 0 are left out.
text::Attribute TreeOf(const ResultAccuracy& accuracy) {
  text::StructAttribute tree{"result_accuracy", {}};
  const auto add = [&](const char* name, text::Attribute value) {
    tree.fields.push_back(
        {name, std::make_shared<text::Attribute>(std::move(value))});
  };
  const auto number = [](double value) -> text::Attribute {
    return {text::FloatAttribute{ElementType::kF64,
                                 std::bit_cast<uint64_t>(value)}};
  };
  if (accuracy.atol != 0) add("atol", number(accuracy.atol));
  if (accuracy.rtol != 0) add("rtol", number(accuracy.rtol));
  if (accuracy.ulps != 0)
    add("ulps",
        {text::IntegerAttribute{accuracy.ulps, ScalarType(ElementType::kI64)}});
  add("mode", {text::EnumAttribute{"stablehlo", "result_accuracy_mode",
                                   "TOLERANCE", true}});
  return {std::move(tree)};
}

class Printer {
 public:
  // A func.func; its last arguments are the captures.
  Statement FunctionStatement(const Function& function, bool is_private) {
    const std::vector<TypedName> captures = Captures(function);
    auto type = std::make_shared<text::Type>();
    type->kind = text::Type::Kind::kFunction;
    std::vector<TypedName> inputs = function.inputs;
    inputs.insert(inputs.end(), captures.begin(), captures.end());
    for (const TypedName& input : inputs)
      type->inputs.push_back(TreeOf(input.type));
    for (const TypedName& result : function.results)
      type->results.push_back(TreeOf(result.type));
    Statement statement;
    statement.op = "func.func";
    Add("function_type", {TypePtr(type)}, &statement);
    Add("sym_name", {text::StringAttribute{function.name, nullptr}},
        &statement);
    if (is_private)
      Add("sym_visibility", {text::StringAttribute{"private", nullptr}},
          &statement);
    statement.regions.push_back(RegionOf(function, inputs, "func.return"));
    return statement;
  }

  // An op that is not one, around the function. The captures are defined
  // nowhere, which leaves them their names.
  Statement RegionStatement(const Function& function, const char* end) {
    for (const TypedName& capture : Captures(function))
      scope_.try_emplace(capture.name, next_++);
    Statement statement;
    statement.op = "assay.region";
    statement.regions.push_back(RegionOf(function, function.inputs, end));
    return statement;
  }

  int64_t values() const { return next_; }

 private:
  static void Add(const std::string& name, text::Attribute value,
                  Statement* statement) {
    statement->attributes.push_back(
        {name, std::make_shared<text::Attribute>(std::move(value))});
  }

  text::Region RegionOf(const Function& function,
                        const std::vector<TypedName>& inputs, const char* end) {
    text::Region region;
    region.has_block = true;
    region.first_argument = next_;
    std::vector<std::pair<std::string, int64_t>> shadowed;
    const auto define = [&](const std::string& name) {
      const auto [it, is_new] = scope_.try_emplace(name, next_);
      shadowed.emplace_back(name, is_new ? -1 : it->second);
      it->second = next_++;
    };
    for (const TypedName& input : inputs) {
      region.arguments.push_back({input.name, TreeOf(input.type), {}});
      define(input.name);
    }
    for (const Op& op : function.body) {
      region.statements.push_back(StatementOf(op));
      for (const Op::Result& result : op.outputs) define(result.value);
    }
    Statement last;
    last.op = end;
    for (const TypedName& result : function.results)
      Use(result.name, result.type, &last);
    region.statements.push_back(std::move(last));
    for (auto it = shadowed.rbegin(); it != shadowed.rend(); ++it) {
      if (it->second < 0) {
        scope_.erase(it->first);
      } else {
        scope_[it->first] = it->second;
      }
    }
    return region;
  }

  void Use(const std::string& name, const ValueType& type,
           Statement* statement) {
    statement->operands.push_back({name, 0, scope_.at(name), {}});
    statement->operand_types.push_back(TreeOf(type));
  }

  // Attributes that text has as the fields of a struct are put into one.
  static void AddAttributes(const OpSpec& spec, const Op& op,
                            const text::OpForm* form, Statement* statement) {
    std::map<std::string, text::StructAttribute> structs;
    for (const Attribute& attribute : op.attributes) {
      const InputSpec* input = spec.Input(attribute.name);
      if (IsUnit(spec, attribute.name)) {
        if (IsTrue(attribute))
          Add(attribute.name, {text::UnitAttribute{}}, statement);
      } else if (input != nullptr && !input->text_field.empty()) {
        structs[input->text_attribute].fields.push_back(
            {input->text_field,
             std::make_shared<text::Attribute>(FieldOf(attribute, *input))});
      } else {
        Add(input ? input->text_attribute : attribute.name,
            TreeOf(attribute, input, form), statement);
      }
    }
    for (auto& [name, fields] : structs) {
      AddOthers(spec, name, &fields);
      fields.name = text::StructOf(FieldsOf(spec, name));
      text::ArrangeFields(&fields);
      Add(name, {std::move(fields)}, statement);
    }
  }

  // Returns the fields of the struct that inputs of the op are, and those that
  // MLIR has besides.
  static std::vector<std::string> FieldsOf(const OpSpec& spec,
                                           const std::string& attribute) {
    std::vector<std::string> fields;
    for (const InputSpec& input : spec.inputs) {
      if (input.text_attribute == attribute && !input.text_field.empty())
        fields.push_back(input.text_field);
    }
    return fields;
  }

  // Returns the fields of a struct that the specification does not describe.
  static std::vector<std::string> OthersOf(const OpSpec& spec,
                                           const std::string& attribute) {
    std::vector<std::string> fields;
    if (!spec.text) return fields;
    for (const std::string& other : spec.text->others) {
      if (other.starts_with(attribute + "."))
        fields.push_back(other.substr(attribute.size() + 1));
    }
    return fields;
  }

  static void AddOthers(const OpSpec& spec, const std::string& attribute,
                        text::StructAttribute* fields) {
    for (const std::string& field : OthersOf(spec, attribute)) {
      text::Attribute zero{text::IntegerAttribute{0, nullptr}};
      fields->fields.push_back(
          {field, std::make_shared<text::Attribute>(std::move(zero))});
    }
  }

  static bool IsUnit(const OpSpec& spec, const std::string& attribute) {
    return spec.text && std::ranges::find(spec.text->units, attribute) !=
                            spec.text->units.end();
  }

  static bool IsTrue(const Attribute& attribute) {
    const auto* value = std::get_if<Tensor>(&attribute.value);
    return value != nullptr && value->Bits(0) != 0;
  }

  Statement StatementOf(const Op& op) {
    const OpSpec& spec = *FindOp(op.op);
    Statement statement;
    statement.op =
        op.op.find('.') == std::string::npos ? "stablehlo." + op.op : op.op;
    for (const Op::Operand& operand : op.inputs)
      Use(operand.value, operand.type, &statement);
    const text::OpForm* form = text::FindForm(statement.op);
    AddAttributes(spec, op, form, &statement);
    if (op.result_accuracy)
      Add("result_accuracy", TreeOf(*op.result_accuracy), &statement);
    std::ranges::sort(statement.attributes, {}, &text::NamedAttribute::name);
    for (const Function& region : op.regions)
      statement.regions.push_back(
          RegionOf(region, region.inputs, "stablehlo.return"));
    statement.first_result = next_;
    for (const Op::Result& result : op.outputs) {
      statement.results.push_back({result.value, 1});
      statement.result_types.push_back(TreeOf(result.type));
    }
    return statement;
  }

  std::unordered_map<std::string, int64_t> scope_;  // by name: its definition
  int64_t next_ = 0;
};

}  // namespace

std::string ProgramText(const Program& program) {
  Printer printer;
  text::Chunk chunk;
  chunk.module.op = "builtin.module";
  text::Region& body = chunk.module.regions.emplace_back();
  body.has_block = true;
  for (const Function& function : program.functions)
    body.statements.push_back(printer.FunctionStatement(
        function, &function != &program.functions.front()));
  chunk.values = printer.values();
  return text::PrintGeneric(chunk);
}

namespace {

std::string TextInBraces(const Function& function, const char* end) {
  Printer printer;
  text::Chunk chunk;
  chunk.module = printer.RegionStatement(function, end);
  chunk.values = printer.values();
  const std::string text = text::PrintGeneric(chunk, text::ValueNames::kKept);
  const size_t begin = text.find("({\n") + 3;
  return text.substr(begin, text.rfind("\n}") - begin);
}

}  // namespace

std::string RegionText(const Function& region) {
  return TextInBraces(region, "stablehlo.return");
}

std::string CalleeText(const Function& function) {
  return TextInBraces(function, "func.return");
}

std::string FunctionText(const Function& function) {
  Printer printer;
  text::Chunk chunk;
  chunk.module = printer.FunctionStatement(function, true);
  chunk.values = printer.values();
  return text::PrintGeneric(chunk);
}

}  // namespace assay
