#include "oracle/contraction/precision_config.h"

namespace assay {

std::array<std::string, 2> PrecisionConfigOf(const Op& op) {
  const auto& list =
      std::get<AttributeList>(op.FindAttribute("precision_config")->value);
  return {std::get<Symbol>(list.elements[0]).name,
          std::get<Symbol>(list.elements[1]).name};
}

}  // namespace assay
