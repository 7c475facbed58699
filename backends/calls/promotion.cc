// The promotion follows torch._prims_common.elementwise_dtypes.
#include "backends/calls/promotion.h"

#include <string.h>

#include <algorithm>
#include <optional>

namespace assay::calls {
namespace {

// This is the longest text that the constraints allow.
constexpr size_t kMaxPromotionText = 4096;

constexpr Type kI1 = {Kind::kBool, 8, 0, {}};
constexpr Type kI16 = {Kind::kSigned, 16, 1, {}};
constexpr Type kI64 = {Kind::kSigned, 64, 3, {}};
constexpr Type kF32 = {Kind::kFloat, 32, 2, {}};
constexpr Type kC64 = {Kind::kComplex, 64, 3, {}};

// Returns the rank of a type among those that promote to each other, or -1 for
// the others. Two types of one rank promote to the lowest type that is higher
// than both.
int RankOf(const Type& type) {
  switch (type.kind) {
    case Kind::kBool:
      return 0;
    case Kind::kUnsigned:
      return type.bits == 8 ? 1 : -1;
    case Kind::kSigned:
      return type.bits < 8 ? -1 : 1 + type.width;
    case Kind::kFormat:
      return type.format == Format::kF16 || type.format == Format::kBF16 ? 5
                                                                         : -1;
    case Kind::kFloat:
      return type.bits == 32 ? 6 : 7;
    case Kind::kComplex:
      break;
  }
  return type.bits == 64 ? 8 : 9;
}

std::optional<Type> Higher(const Type& a, const Type& b) {
  if (a == b) return a;
  const int rank_a = RankOf(a);
  const int rank_b = RankOf(b);
  if (rank_a < 0 || rank_b < 0) return std::nullopt;
  if (rank_a != rank_b) return rank_a < rank_b ? b : a;
  return a.kind == Kind::kFormat ? kF32 : kI16;
}

// Returns nullopt for formats without a complex type.
std::optional<Type> ComplexOf(const Type& type) {
  if (type.kind == Kind::kComplex) return type;
  if (RankOf(type) < 0) return std::nullopt;
  return type.bits == 64 ? Type{Kind::kComplex, 128, 4, {}} : kC64;
}

Type Computation(const Type& result) {
  return result.kind == Kind::kFormat ? kF32 : result;
}

// Returns the type that the arguments of this category promote to, or nullopt
// if there is none.
std::optional<Type> HighestOf(const Promotion& promotion,
                              const Argument* arguments, Category category) {
  for (const bool has_dims : {true, false}) {
    std::optional<Type> highest;
    for (int i = 0; i < promotion.num_arguments; ++i) {
      const Argument& argument = arguments[promotion.arguments[i]];
      if (argument.is_scalar || argument.has_dims != has_dims) continue;
      std::optional<Type> type = argument.type;
      const Category own = CategoryOf(*type);
      const bool joins =
          category == Category::kComplex && own == Category::kFloat;
      if (own != category && !joins) continue;
      if (joins) type = ComplexOf(*type);
      if (type && highest) type = Higher(*highest, *type);
      if (!type) return std::nullopt;
      highest = type;
    }
    if (highest) return highest;
  }
  static constexpr Type kDefaults[] = {kI1, kI64, kF32, kC64};
  return kDefaults[static_cast<int>(category)];
}

class Reader {
 public:
  explicit Reader(const char* text) : text_(text) {}

  bool Take(char wanted) {
    SkipSpace();
    if (*text_ != wanted) return false;
    ++text_;
    return true;
  }
  bool TakeNumber(int* number) {
    SkipSpace();
    // A number is digits alone, without a sign or a leading 0.
    const char* const begin = text_;
    long value = 0;
    while (*text_ >= '0' && *text_ <= '9' && value <= kMaxInputs) {
      value = value * 10 + (*text_++ - '0');
    }
    if (text_ == begin || (*begin == '0' && text_ != begin + 1)) return false;
    *number = static_cast<int>(value);
    return true;
  }
  bool TakeWord(const char* word) {
    const size_t length = strlen(word);
    if (strncmp(text_, word, length) != 0 || text_[length] != '"') return false;
    text_ += length + 1;
    return true;
  }
  bool AtEnd() {
    SkipSpace();
    return *text_ == '\0';
  }

 private:
  void SkipSpace() {
    while (*text_ == ' ' || *text_ == '\t' || *text_ == '\n' ||
           *text_ == '\r') {
      ++text_;
    }
  }

  const char* text_;
};

const char* ParsePromotion(Reader* reader, int num_inputs,
                           Promotion* promotion) {
  static constexpr const char* kMethods[] = {
      "DEFAULT",     "NO_OPMATH",        "INT_TO_FLOAT",
      "ALWAYS_BOOL", "COMPLEX_TO_FLOAT", "BOOL_TO_LONG"};
  promotion->num_arguments = 0;
  if (!reader->Take('[')) return "is not a list of lists";
  while (!reader->Take('"')) {
    int argument = 0;
    if (!reader->TakeNumber(&argument)) return "has a list without a method";
    if (argument >= num_inputs) return "names an operand that there is not";
    // An argument that is named twice promotes as it does once.
    const int* const begin = promotion->arguments;
    const int* const end = begin + promotion->num_arguments;
    if (std::find(begin, end, argument) == end) {
      promotion->arguments[promotion->num_arguments++] = argument;
    }
    if (!reader->Take(',')) return "has a list without a method";
  }
  if (promotion->num_arguments == 0) return "has a list without operands";
  for (int i = 0; i < 6; ++i) {
    if (!reader->TakeWord(kMethods[i])) continue;
    promotion->method = static_cast<Method>(i);
    return reader->Take(']') ? nullptr : "goes on after a method";
  }
  return "names an unknown method";
}

}  // namespace

const char* ParsePromotions(const char* text, int num_inputs, int num_outputs,
                            Promotion* promotions) {
  if (text == nullptr) return "is missing";
  if (strnlen(text, kMaxPromotionText + 1) > kMaxPromotionText) {
    return "is too long";
  }
  Reader reader(text);
  if (!reader.Take('[')) return "is not a list of lists";
  for (int i = 0; i < num_outputs; ++i) {
    if (i > 0 && !reader.Take(',')) return "has fewer lists than outputs";
    const char* wrong = ParsePromotion(&reader, num_inputs, &promotions[i]);
    if (wrong != nullptr) return wrong;
  }
  if (!reader.Take(']')) return "has more lists than outputs";
  return reader.AtEnd() ? nullptr : "goes on after its lists";
}

Category CategoryOf(const Type& type) {
  switch (type.kind) {
    case Kind::kBool:
      return Category::kBool;
    case Kind::kSigned:
    case Kind::kUnsigned:
      return Category::kInteger;
    case Kind::kFloat:
    case Kind::kFormat:
      return Category::kFloat;
    case Kind::kComplex:
      break;
  }
  return Category::kComplex;
}

Type PartType(const Type& type) {
  if (type.kind != Kind::kComplex) return type;
  return {Kind::kFloat, type.bits / 2, type.width - 1, {}};
}

bool Promote(const Promotion& promotion, const Argument* arguments,
             Promoted* promoted) {
  Category category = Category::kBool;
  for (int i = 0; i < promotion.num_arguments; ++i) {
    category =
        std::max(category, CategoryOf(arguments[promotion.arguments[i]].type));
  }
  const std::optional<Type> highest = HighestOf(promotion, arguments, category);
  if (!highest) return false;
  Type result = *highest;
  switch (promotion.method) {
    case Method::kNoOpmath:
      *promoted = {result, result};
      return true;
    case Method::kAlwaysBool:
      *promoted = {Computation(result), kI1};
      return true;
    case Method::kComplexToFloat:
      *promoted = {Computation(result), PartType(result)};
      return true;
    case Method::kIntToFloat:
      if (category <= Category::kInteger) result = kF32;
      break;
    case Method::kBoolToLong:
      if (category == Category::kBool) result = kI64;
      break;
    case Method::kDefault:
      break;
  }
  *promoted = {Computation(result), result};
  return true;
}

}  // namespace assay::calls
