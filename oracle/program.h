// The evaluator of programs: what the values of a function are, element by
// element.
//
// An op is evaluated on the values that its operands have by the oracle. An
// element of its result is known if the oracle allows one value there, and
// every element of an operand that it rests on is known, whatever the elements
// beside them are. Otherwise it is one of several values, which pass through
// the ops behind it as the ops' `ranges` say.
#ifndef ASSAY_ORACLE_PROGRAM_H_
#define ASSAY_ORACLE_PROGRAM_H_

#include <map>
#include <string>
#include <vector>

#include "oracle/oracle.h"
#include "oracle/scalars.h"
#include "oracle/unrounded.h"

namespace assay {

class ProgramEvaluator {
 public:
  explicit ProgramEvaluator(const Policy& policy)
      : policy_(policy), unrounded_(policy) {}

  // Gives an input of the function its values. If `are_unrounded`, a backend
  // may have left floats among them unrounded.
  void Define(const std::string& name, Tensor values,
              bool are_unrounded = false);
  // Gives an input of rank 0 one of several values. Precondition: they are
  // ranges.
  void Define(const std::string& name, const TensorType& type,
              const Possible& value);
  // Returns what is known of an element.
  Possible At(const std::string& name, int64_t element = 0) const;
  // Returns whether a backend may leave an element unrounded.
  bool IsUnrounded(const std::string& name, int64_t element = 0) const {
    return values_.at(name).IsUnrounded(element);
  }

  // The results of an op on what is known of its operands.
  struct OpResults {
    std::vector<Tensor> operands;  // and captures
    Evaluation evaluation;
    // By output and element: whether the expectation rests on known elements
    // alone. Empty for an output of which all of it does.
    std::vector<std::vector<bool>> are_known;
    // By output and element: whether flushing may change what is expected.
    // Empty for an output of which it changes nothing.
    std::vector<std::vector<bool>> are_flushed;

    bool RestsOnKnown(size_t output, int64_t element) const {
      return are_known[output].empty() ||
             are_known[output][static_cast<size_t>(element)];
    }
    // Returns whether the expectation of an element is all there is to it.
    bool Holds(size_t output, int64_t element) const {
      return RestsOnKnown(output, element) &&
             (are_flushed[output].empty() ||
              !are_flushed[output][static_cast<size_t>(element)]);
    }
    bool HoldsEverywhere(size_t output) const {
      return are_known[output].empty() && are_flushed[output].empty();
    }
  };
  // Evaluates an op of the function. Precondition: its operands, and what its
  // regions capture, are inputs, or results of ops that were kept.
  OpResults Evaluate(const Op& op, Marks marks = Marks::kNone) const;
  // Keeps the results of an op for the ops behind it.
  void Keep(const Op& op, const OpResults& results);

 private:
  enum class Knowledge : uint8_t {
    kKnown,
    kNan,  // a NaN, whose bits are open
    kSeveral
  };
  struct Value {
    Tensor tensor;
    std::vector<Knowledge> elements;  // empty: all are known
    // What an element of several values may be, if it is not undecided.
    std::map<int64_t, Possible> several = {};
    // By element: whether a backend may leave it unrounded. Empty: none.
    std::vector<bool> unrounded = {};

    Possible At(int64_t element) const;
    bool IsUnrounded(int64_t element) const {
      return !unrounded.empty() && unrounded[static_cast<size_t>(element)];
    }
    void Set(int64_t element, const Possible& possible);
  };

  bool TakesUnrounded(const Op& op) const;
  bool RestsOnKnown(const Op& op, const OpResults& results, size_t output,
                    int64_t element, bool takes_unrounded) const;
  // Sets the elements that rest on elements of several values.
  void SetFromSeveral(const Op& op, const OpResults& results, size_t output,
                      Value* value) const;
  // Returns what an element may be that is one of an operand.
  Possible Moved(const Op& op, const OpResults& results, size_t output,
                 int64_t element) const;
  Value ValueOf(const Op& op, const OpResults& results, size_t output) const;
  void MarkUnrounded(const Op& op, const OpResults& results, size_t output,
                     Value* value) const;

  const Policy& policy_;
  Unrounded unrounded_;
  std::map<std::string, Value> values_;
};

}  // namespace assay

#endif  // ASSAY_ORACLE_PROGRAM_H_
