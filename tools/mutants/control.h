// The control is the test that the suite is measured against.
//
// It tests kernels as if nobody suspected them: uniform random values of one
// contiguous shape, compared as tests compare (closeness.h). It covers every
// op, element type and attribute, but does not choose values, lengths and
// memory.
#ifndef ASSAY_TOOLS_MUTANTS_CONTROL_H_
#define ASSAY_TOOLS_MUTANTS_CONTROL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "oracle/expectation.h"
#include "spec/program.h"
#include "tools/mutants/planted_bugs.h"

namespace assay {

// Holds the calls of one seed that the bugs apply to, with what the oracle
// expects under policy assay.
class Control {
 public:
  // `closeness` is one of ClosenessNames().
  Control(uint64_t seed, const std::vector<PlantedBug>& bugs,
          std::string closeness);

  struct Result {
    bool killed = false;
    std::string by;   // the call: "add tensor<20x20xi8>"
    std::string how;  // not_close, error, crash, timeout
  };
  // Plants the bug in a process of its own and makes the calls that it applies
  // to, until one is noticed. Throws BackendError if the plugin does not load.
  Result Run(const PlantedBug& bug) const;

  int64_t calls() const { return static_cast<int64_t>(calls_.size()); }
  // Among the elements of the results, `compared` counts those that are
  // compared, and `open` those that are not because the policy accepts any
  // value.
  int64_t compared() const { return compared_; }
  int64_t open() const { return open_; }

 private:
  struct Call {
    Op op;
    std::vector<Tensor> inputs;
    std::vector<Expectation> expected;  // by output
  };
  void Add(const Op& op, uint64_t seed);
  static std::string Name(const Call& call);

  std::string closeness_;
  std::vector<Call> calls_;
  int64_t compared_ = 0, open_ = 0;
};

}  // namespace assay

#endif  // ASSAY_TOOLS_MUTANTS_CONTROL_H_
