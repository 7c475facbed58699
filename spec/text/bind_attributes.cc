#include "spec/text/bind_attributes.h"

#include <fmt/format.h>

#include <algorithm>

#include "spec/printable_text.h"
#include "spec/text/print.h"
#include "spec/text/read_attribute.h"

namespace assay::text {
namespace {

constexpr const char* kAccuracyAttribute = "result_accuracy";

// Later revisions have fields that this one does not describe.
void RequireKnownFields(const OpSpec& spec, const InputSpec& input,
                        const StructAttribute& fields, Location location) {
  for (const NamedAttribute& field : fields.fields) {
    const auto is_field = [&, &name = field.name](const InputSpec& other) {
      return other.text_attribute == input.text_attribute &&
             other.text_field == name;
    };
    const std::string whole = input.text_attribute + "." + field.name;
    if (std::ranges::none_of(spec.inputs, is_field) &&
        std::ranges::find(spec.text->others, whole) == spec.text->others.end())
      throw NotJudged(location,
                      fmt::format("the field '{}' of '{}' of {} is not that "
                                  "of this revision",
                                  field.name, input.text_attribute, spec.id),
                      fmt::format("{} of {}", field.name, spec.id));
  }
}

void BindAttribute(const OpSpec& spec, const InputSpec& input,
                   const OpForm* form, const Statement& statement, Op* op) {
  if (input.IsValue() || input.kind == InputSpec::Kind::kFunction) return;
  const Attribute* attribute = Find(statement.attributes, input.text_attribute);
  if (attribute != nullptr && !input.text_field.empty()) {
    const auto* fields = attribute->As<StructAttribute>();
    if (fields == nullptr)
      throw SyntaxError(statement.location,
                        fmt::format("the attribute '{}' of {} has no fields",
                                    input.text_attribute, spec.id));
    attribute = Find(fields->fields, input.text_field);
    // Text leaves out fields that are 0 or empty, and it is an error to have
    // others than the op.
    RequireKnownFields(spec, input, *fields, statement.location);
    if (attribute == nullptr && input.type) {
      TensorType type = *input.type;
      if (!type.shape.empty()) type.shape = {0};
      op->attributes.push_back(
          {input.name,
           IntegerTensor(type,
                         std::vector<int64_t>(type.shape.empty() ? 1 : 0, 0))});
      return;
    }
  }
  if (attribute == nullptr) return;
  if (IsTooLong(*attribute, input))
    throw NotJudged(
        statement.location,
        fmt::format("the attribute '{}' of {} has more elements than are "
                    "judged",
                    input.name, spec.id),
        "attributes of many elements");
  std::optional<AttributeValue> value = ReadAttribute(*attribute, input, form);
  if (!value)
    throw ConstraintsViolated(
        statement.location,
        fmt::format("the attribute '{}' of {} cannot be {}{}", input.name,
                    spec.id, Cut(AttributeText(*attribute)),
                    input.type ? ": it is " + input.type->ToString() : ""),
        spec.id, {input.label});
  op->attributes.push_back({input.name, *std::move(value)});
}

// Adds the attributes that text leaves out. Their values may rest on those
// that it gives.
void AddDefaults(const OpSpec& spec, const Statement& statement, Op* op) {
  std::vector<assay::Attribute> attributes;
  for (const InputSpec& input : spec.inputs) {
    if (input.IsValue() || input.kind == InputSpec::Kind::kFunction) continue;
    if (const assay::Attribute* given = op->FindAttribute(input.name)) {
      attributes.push_back(*given);
    } else if (std::optional<AttributeValue> value =
                   TextDefault(spec, input, *op)) {
      attributes.push_back({input.name, *std::move(value)});
    } else if (!input.absent) {
      throw SyntaxError(
          statement.location,
          fmt::format("{} lacks its attribute '{}'", spec.id, input.name));
    }
  }
  op->attributes = std::move(attributes);
}

// Attributes that nobody declares mean nothing to an op. A property does.
void BindOthers(const OpSpec& spec, const OpForm* form,
                const Statement& statement, Op* op) {
  for (const NamedAttribute& attribute : statement.attributes) {
    if (spec.HasTextAttribute(attribute.name)) continue;
    if (attribute.name == kAccuracyAttribute) {
      op->result_accuracy =
          ReadResultAccuracy(*attribute.value, spec, *op, statement.location);
    } else if (form != nullptr &&
               std::ranges::find(form->properties, attribute.name) !=
                   form->properties.end() &&
               std::ranges::find(spec.text->others, attribute.name) ==
                   spec.text->others.end()) {
      throw NotJudged(
          statement.location,
          fmt::format("the attribute '{}' of {} is not judged",
                      Cut(attribute.name), spec.id),
          fmt::format("{} of {}", Cut(attribute.name), statement.op));
    }
  }
}

// The only input of a constant is its value, of any type.
bool IsConstant(const OpSpec& spec, const Op& op) {
  return spec.inputs.size() == 1 && op.attributes.size() == 1 &&
         spec.inputs[0].kind == InputSpec::Kind::kConstant &&
         !spec.inputs[0].type;
}

}  // namespace

void BindAttributes(const OpSpec& spec, const OpForm* form,
                    const Statement& statement, Op* op) {
  for (const InputSpec& input : spec.inputs)
    BindAttribute(spec, input, form, statement, op);
  AddDefaults(spec, statement, op);
  BindOthers(spec, form, statement, op);
}

const Tensor* ValueOfConstant(const OpSpec& spec, const Op& op) {
  return IsConstant(spec, op) ? std::get_if<Tensor>(&op.attributes[0].value)
                              : nullptr;
}

void QuantizeConstant(const OpSpec& spec, Op* op) {
  const Tensor* value = ValueOfConstant(spec, *op);
  if (value == nullptr || op->outputs.size() != 1) return;
  const TensorType* type = op->outputs[0].type.AsTensor();
  if (type == nullptr || type->quantization == nullptr ||
      type->shape != value->type().shape ||
      (value->element_type() != type->element_type &&
       value->element_type() != StoredAs(type->element_type)))
    return;
  Tensor quantized(*type);
  for (int64_t i = 0; i < quantized.size(); ++i)
    quantized.SetBits(i, value->Bits(i));
  op->attributes[0].value = std::move(quantized);
}

}  // namespace assay::text
