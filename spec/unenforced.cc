#include "spec/unenforced.h"

#include <nlohmann/json.hpp>

#include "spec/embedded.h"

namespace assay {

std::string AcceptedAgainst(std::string_view op, std::string_view label) {
  const std::string path = "spec/ops/" + std::string(op) + ".json";
  for (const EmbeddedFile& file : EmbeddedFiles()) {
    if (file.path != path) continue;
    const auto constraints = nlohmann::json::parse(file.text).at("constraints");
    const auto constraint = constraints.find(std::string(label));
    return constraint == constraints.end()
               ? ""
               : constraint->value("accepted_in_the_field", "");
  }
  return "";
}

}  // namespace assay
