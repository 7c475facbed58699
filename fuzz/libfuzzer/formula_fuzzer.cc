// formula_fuzzer gives any bytes to the small languages of spec/: formulas,
// types, shapes, promotion rules. A value that was parsed and has a text parses
// again to the same; an evaluation ends in a value or a FormulaError.
#include <set>
#include <string>
#include <string_view>

#include "spec/error.h"
#include "spec/formula/formula.h"
#include "spec/pointwise/promotion.h"
#include "spec/types/shaped_type.h"
#include "spec/types/tensor.h"

namespace assay {
namespace {

void CheckTensorType(std::string_view text) {
  std::string reason;
  const auto type = ParseTensorType(text, &reason);
  if (!type) {
    ASSAY_CHECK(!reason.empty());
    return;
  }
  ASSAY_CHECK(ParseTensorType(type->ToString(), &reason) == type);
  if (!type->IsStatic()) return;
  ASSAY_CHECK(ElementCount(type->shape).has_value());
  ASSAY_CHECK(type->ByteSize() >= 0);
}

void CheckShapedType(std::string_view text) {
  std::string reason;
  const auto type = ParseShapedType(text, &reason);
  if (!type) {
    ASSAY_CHECK(!reason.empty());
    return;
  }
  if (type->kind == ShapedType::Kind::kOther) return;
  std::optional<Shape> shape;
  ASSAY_CHECK(ParseShapeText(ShapeTextOrStar(type->shape), &shape));
  ASSAY_CHECK(shape == type->shape);
}

void CheckPromotion(std::string_view text) {
  std::string reason;
  const auto rules = ParsePromotionMethods(text, &reason);
  if (!rules) {
    ASSAY_CHECK(!reason.empty());
    return;
  }
  ASSAY_CHECK(ParsePromotionMethods(ToString(*rules), &reason) == rules);
}

const Environment& Scope() {
  static const Environment* const environment = [] {
    auto* made = new Environment();
    const TensorType matrix{{2, 3}, ElementType::kF32};
    const TensorType dynamic{{kDynamic, 3}, ElementType::kI8};
    made->members.emplace("lhs", Value::Placeholder{matrix});
    made->members.emplace("rhs", Value::Placeholder{dynamic});
    made->members.emplace("result", Value::Placeholder{matrix});
    made->members.emplace("axis", int64_t{1});
    made->members.emplace("flag", true);
    made->members.emplace("direction", Symbol{"EQ"});
    made->members.emplace("dimensions",
                          Value::List{int64_t{0}, int64_t{1}, int64_t{1}});
    return made;
  }();
  return *environment;
}

// Nested loops take as long as they say, which is no bug of the parser.
bool HasNestedLoops(std::string_view text) {
  const size_t first = text.find("For");
  return first != std::string_view::npos &&
         text.find("For", first + 1) != std::string_view::npos;
}

void CheckFormula(std::string_view text) {
  std::set<std::string, std::less<>> names;
  for (const auto& [name, value] : Scope().members) names.insert(name);
  try {
    const Formula formula = Formula::Parse(text);
    ASSAY_CHECK(formula.text() == text);
    CheckNames(formula, names);
    if (HasNestedLoops(text)) return;
    const Value value = Evaluate(formula, Scope());
    value.ToString();
    TruthOf(value);
  } catch (const FormulaError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  CheckTensorType(text);
  CheckShapedType(text);
  CheckPromotion(text);
  CheckFormula(text);
  return 0;
}

}  // namespace assay
