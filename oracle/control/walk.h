// A Walk goes through the ops of a function in the order in which they are
// executed. It executes those that control what is executed (if, while, call),
// or pass values on, and hands out the others.
#ifndef ASSAY_ORACLE_CONTROL_WALK_H_
#define ASSAY_ORACLE_CONTROL_WALK_H_

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "spec/program.h"

namespace assay {

class Walk {
 public:
  using Values = std::map<std::string, Tensor>;
  // `values` has the inputs of the function, by name. Both outlive this object.
  // The walk ends after `fuel` steps (kFuel). Precondition: all values are
  // tensors (of_tensors.h).
  Walk(const Function &function, Values *values, int64_t fuel = kFuel);

  // Returns the next op, nullptr at the end. Precondition: the results of the
  // one before it are in values().
  const Op *Next();
  // Returns the values that the op uses and defines: a function that is called
  // has names of its own.
  Values *values() { return calls_.empty() ? values_ : &calls_.back(); }
  // Returns whether the op is one of the walked function itself, not of one
  // inside of it or called by it.
  bool IsAtTop() const { return frames_.size() == 1; }
  // Returns how many ops were handed out.
  int64_t ops() const { return ops_; }
  // Returns whether the walk ended although there were more ops.
  bool was_cut() const { return was_cut_; }

 private:
  // A Frame is a function under way.
  struct Frame {
    const Function *function;
    const Op *caller;  // nullptr: it is the first function
    bool is_condition = false;
    size_t position = 0;
  };

  void Enter(const Op &op);
  void Leave();
  void Push(const Op &caller, const Function &function,
            const std::vector<Tensor> &arguments, bool is_condition);
  // Gives the results of a control op their values, and goes on behind it.
  void Finish(const Op &op, std::vector<Tensor> results);
  std::vector<Tensor> OperandsOf(const Op &op);

  Values *const values_;
  std::deque<Values> calls_;  // the values of the calls under way
  std::vector<Frame> frames_;
  std::vector<std::vector<Tensor>> states_;  // of the loops under way
  int64_t ops_ = 0;
  int64_t fuel_;  // that is left
  bool was_cut_ = false;
};

}  // namespace assay

#endif  // ASSAY_ORACLE_CONTROL_WALK_H_
