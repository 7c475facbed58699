// Types outside of PyTorch's order promote with themselves only.
#include "backends/broken/kernel/promotion.h"

#include <stdlib.h>
#include <string.h>

#include <algorithm>

#include "backends/broken/kernel/numbers.h"
#include "backends/broken/kernel/types.h"

namespace assay::broken {
namespace {

constexpr int kInteger = 1, kFloat = 2, kComplex = 3;

struct NamedMethod {
  const char* name;
  Method method;
};

constexpr NamedMethod kMethods[] = {
    {"DEFAULT", Method::kDefault},
    {"NO_OPMATH", Method::kNoOpmath},
    {"INT_TO_FLOAT", Method::kIntToFloat},
    {"ALWAYS_BOOL", Method::kAlwaysBool},
    {"COMPLEX_TO_FLOAT", Method::kComplexToFloat},
    {"BOOL_TO_LONG", Method::kBoolToLong},
};

// The reader holds the text that is left to read.
struct Reader {
  const char* at;

  bool Takes(char expected) {
    at += strspn(at, " \t\n");
    if (*at != expected) return false;
    ++at;
    return true;
  }
  bool TakesIndex(int* index) {
    at += strspn(at, " \t\n");
    const size_t digits = strspn(at, "0123456789");
    if (digits == 0 || digits > 4) return false;
    *index = atoi(at);
    at += digits;
    return true;
  }
};

std::string ReadRule(Reader* text, int num_inputs, Rule* rule) {
  if (!text->Takes('[')) return "promotion_methods: no list of an output";
  while (!text->Takes('"')) {
    int index = 0;
    if (!text->TakesIndex(&index))
      return "promotion_methods: neither an argument nor a method";
    if (index >= num_inputs)
      return "promotion_methods: there is no input " + std::to_string(index);
    rule->arguments.push_back(index);
    if (!text->Takes(',')) return "promotion_methods: no method";
  }
  if (rule->arguments.empty()) return "promotion_methods: no argument";
  const size_t length = strcspn(text->at, "\"");
  const std::string name(text->at, length);
  const auto found = std::ranges::find_if(
      kMethods, [&](const NamedMethod& method) { return method.name == name; });
  if (found == std::end(kMethods))
    return "promotion_methods: there is no method '" + name + "'";
  rule->method = found->method;
  text->at += length;
  if (!text->Takes('"') || !text->Takes(']'))
    return "promotion_methods: the list of an output does not end";
  return "";
}

// Returns the place in the order i1 < {ui8, i8} < i16 < i32 < i64 < {f16, bf16}
// < f32 < f64 < complex<f32> < complex<f64>, or 0 for a type that is not in it.
int PlaceOf(const Type& type) {
  if (type.is_bool) return 1;
  if (type.is_complex) return type.bits == 32 ? 9 : 10;
  if (type.format != nullptr)
    return type.bits == 16 ? 6 : type.bits == 32 ? 7 : type.bits == 64 ? 8 : 0;
  if (type.bits == 8) return 2;
  if (!type.is_signed || type.bits < 8) return 0;
  return type.bits == 16 ? 3 : type.bits == 32 ? 4 : 5;
}

// Returns false if the types have no common one.
bool RaiseTo(const Type& other, Type* type) {
  if (IsSameType(*type, other)) return true;
  const int a = PlaceOf(*type), b = PlaceOf(other);
  if (a == 0 || b == 0) return false;
  if (a < b) *type = other;
  if (a == b) *type = IsInteger(other) ? IntegerType(16) : FloatType(32);
  return true;
}

Type DefaultOf(int category) {
  if (category == kInteger) return IntegerType(64);
  if (category == kFloat) return FloatType(32);
  return category == kComplex ? ComplexOf(FloatType(32)) : BooleanType();
}

bool IsScalar(const AssayTensor& tensor) {
  return (tensor.flags & ASSAY_SCALAR) != 0;
}

// Finds the highest type of the category among tensors of rank 0, or among the
// other tensors.
std::string HighestOf(const AssayCall& call, const Rule& rule, int category,
                      bool of_rank_0, bool* is_found, Type* highest) {
  for (const int k : rule.arguments) {
    const AssayTensor& input = call.inputs[k];
    Type type;
    ParseType(input, &type);
    if (IsScalar(input) || (input.tensor.ndim == 0) != of_rank_0) continue;
    if (category == kComplex && CategoryOf(type) == kFloat) {
      if (PlaceOf(type) == 0)
        return "input " + std::to_string(k) + " has no complex type";
      type = ComplexOf(FloatType(std::max(type.bits, 32)));
    }
    if (CategoryOf(type) != category) continue;
    if (!*is_found) *highest = type;
    *is_found = true;
    if (!RaiseTo(type, highest)) {
      return "input " + std::to_string(k) +
             " has no common type with those before it";
    }
  }
  return "";
}

Type ComputationOf(const Type& type) {
  const bool is_narrow =
      type.format != nullptr && !type.is_complex && type.bits < 32;
  return is_narrow ? FloatType(32) : type;
}

Promotion ByMethod(Method method, const Type& type) {
  const Promotion by_default = {ComputationOf(type), type};
  switch (method) {
    case Method::kDefault:
      break;
    case Method::kNoOpmath:
      return {type, type};
    case Method::kIntToFloat:
      if (type.format == nullptr) return {FloatType(32), FloatType(32)};
      break;
    case Method::kAlwaysBool:
      return {by_default.computation, BooleanType()};
    case Method::kComplexToFloat:
      if (type.is_complex) return {type, PartOf(type)};
      break;
    case Method::kBoolToLong:
      if (type.is_bool) return {IntegerType(64), IntegerType(64)};
      break;
  }
  return by_default;
}

}  // namespace

int CategoryOf(const Type& type) {
  if (type.format != nullptr) return type.is_complex ? kComplex : kFloat;
  return type.is_bool ? 0 : kInteger;
}

std::string ReadRules(const AssayCall& call, std::vector<Rule>* rules) {
  const char* attribute = AttributeText(call, "promotion_methods");
  if (attribute == nullptr) return "promotion_methods is missing";
  Reader text = {attribute};
  if (!text.Takes('[')) return "promotion_methods is no list";
  do {
    std::string wrong =
        ReadRule(&text, call.num_inputs, &rules->emplace_back());
    if (!wrong.empty()) return wrong;
  } while (text.Takes(','));
  const bool ends =
      text.Takes(']') && text.at[strspn(text.at, " \t\n")] == '\0';
  return ends ? "" : "promotion_methods does not end";
}

std::string Promote(const AssayCall& call, const Rule& rule,
                    Promotion* promotion) {
  int category = 0;
  for (const int k : rule.arguments) {
    Type type;
    ParseType(call.inputs[k], &type);
    category = std::max(category, CategoryOf(type));
  }
  bool is_found = false;
  Type highest = DefaultOf(category);
  for (const bool of_rank_0 : {false, true}) {
    if (is_found) break;
    std::string wrong =
        HighestOf(call, rule, category, of_rank_0, &is_found, &highest);
    if (!wrong.empty()) return wrong;
  }
  *promotion = ByMethod(rule.method, highest);
  return "";
}

}  // namespace assay::broken
