// A Formula is one of the formulas in which StableHLO writes its constraints.
// It is parsed once and evaluated on the types of a call.
//
// "Notation" of the specification defines them: Python expressions with `=` for
// equality, chained comparisons, an ellipsis that maps a function over a list,
// scalars that broadcast, and `If c, then p`. spec/README.md gives the grammar
// of our dialect and every deviation. An evaluation has one of four truth
// values. Besides true and false a constraint can be deferred (it depends on a
// `?` dimension) or undefined (it asks for something that does not exist, such
// as dimension 3 of a matrix, because another constraint is violated).
#ifndef ASSAY_SPEC_FORMULA_FORMULA_H_
#define ASSAY_SPEC_FORMULA_FORMULA_H_

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "spec/program.h"
#include "spec/types/tensor.h"

namespace assay {

enum class Truth { kFalse, kUndefined, kDeferred, kTrue };
const char* Name(Truth truth);

// Formulas compute with values.
class Value {
 public:
  struct None {  // what the specification's functions return where they do not
                 // apply
    friend bool operator==(None, None) = default;
  };
  struct Unknown {  // depends on a `?` dimension
    friend bool operator==(Unknown, Unknown) = default;
  };
  struct Undefined {
    std::string reason;
    friend bool operator==(const Undefined&, const Undefined&) = default;
  };
  // An integer beyond 64 bits. Sums and products of sizes may be such ones.
  struct Wide {
    __int128 number;
    friend bool operator==(Wide, Wide) = default;
  };
  // The type of this input or output of the op is known, but its elements are
  // not.
  struct Placeholder {
    ValueType type;
    // The elements, where the program gives them as a constant.
    std::shared_ptr<const Tensor> known = nullptr;
  };
  // The element type of quantized tensors.
  struct Quantized {
    std::shared_ptr<const Quantization> quantization;  // not null
    friend bool operator==(const Quantized& a, const Quantized& b) {
      return a.quantization == b.quantization ||
             *a.quantization == *b.quantization;
    }
  };
  using List = std::vector<Value>;

  template <class T>
  requires(!std::is_same_v<std::remove_cvref_t<T>, Value> &&
           !std::is_same_v<std::remove_cvref_t<T>, List>) Value(T&& value)
      : rep_(std::forward<T>(value)) {}  // implicit: a value is what it holds
  Value(List list);
  // The type is that of a tensor constant, whose elements the list has.
  Value(List list, TensorType type);

  template <class T>
  const T* As() const {
    if constexpr (std::is_same_v<T, List>) {
      const SharedList* list = std::get_if<SharedList>(&rep_);
      return list == nullptr ? nullptr : Elements(**list);
    } else {
      return std::get_if<T>(&rep_);
    }
  }
  template <class T>
  bool Is() const {
    return As<T>() != nullptr;
  }

  // Returns a tensor constant as the list of its elements (nested by
  // dimension), or a scalar constant as its element.
  static Value FromTensor(const Tensor& tensor);
  // Returns the type of a list that is a tensor constant, else nullptr.
  const TensorType* TypeOfConstant() const;
  std::string ToString() const;

 private:
  // Copies of a list share it: a formula that names one in each step of a loop
  // takes time in proportion.
  struct Listed;
  using SharedList = std::shared_ptr<const Listed>;
  static const List* Elements(const Listed& listed);

  std::variant<None, Unknown, Undefined, bool, int64_t, Wide, double, Symbol,
               std::string, ElementType, Quantized, TensorType, TokenType,
               TupleType, FunctionType, Placeholder, SharedList>
      rep_;
};

// The formula does not parse, or it names something that does not exist.
class FormulaError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Formula {
 public:
  struct Node;

  // Throws FormulaError with the column of the error.
  static Formula Parse(std::string_view text);
  const std::string& text() const { return text_; }
  const Node& root() const { return *root_; }

 private:
  std::string text_;
  std::shared_ptr<const Node> root_;
};

// An environment has the names in scope: members of the op (inputs, attributes,
// outputs) and local definitions, which are formulas themselves.
struct Environment {
  std::map<std::string, Value, std::less<>> members;
  const std::map<std::string, Formula, std::less<>>* definitions = nullptr;
};

// Throws FormulaError for a name that is neither in `names` nor a constant of
// the notation, and for a function that does not exist, whether or not an
// evaluation would reach them.
void CheckNames(const Formula& formula,
                const std::set<std::string, std::less<>>& names);

// Throws FormulaError for unknown names and functions that it reaches (see
// CheckNames for all of them); everything that depends
// on the call is a Value.
Value Evaluate(const Formula& formula, const Environment& environment);

// Returns the truth value of a constraint: a list holds if all of its elements
// do.
Truth TruthOf(const Value& value);

}  // namespace assay

#endif  // ASSAY_SPEC_FORMULA_FORMULA_H_
