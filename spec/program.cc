// This file prints constants of ops as text, for the plugin ABI and for people.
#include "spec/program.h"

namespace assay {

std::string AttributeText(const Attribute& attribute) {
  if (const Symbol* symbol = std::get_if<Symbol>(&attribute.value))
    return symbol->name;
  if (const std::string* text = std::get_if<std::string>(&attribute.value))
    return *text;
  const Tensor& tensor = std::get<Tensor>(attribute.value);
  if (tensor.type().shape.empty())
    return FormatValue(tensor.element_type(), tensor.Bits(0));
  std::string text = "[";
  for (int64_t i = 0; i < tensor.size(); ++i) {
    if (i > 0) text += ", ";
    text += FormatValue(tensor.element_type(), tensor.Bits(i));
  }
  return text + "]";
}

}  // namespace assay
