// The functions of a program by their names, for those that call them.
//
// A function is read when the first op that is read calls it, so that each call
// knows the types of what it calls, and a function that calls itself is
// noticed.
#ifndef ASSAY_SPEC_TEXT_CALLEES_H_
#define ASSAY_SPEC_TEXT_CALLEES_H_

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "spec/program.h"

namespace assay {

class Callees {
 public:
  // Functions that call one another are read and executed by recursion.
  static constexpr int kMostDepth = 64;
  // A few functions that call one another twice each would execute ops without
  // end.
  static constexpr int64_t kMostOps = int64_t{1} << 16;

  // Reads the function of the name, nullopt if there is none. It is called once
  // for each name, and may call Find.
  using Read = std::function<std::optional<Function>(const std::string& name)>;
  explicit Callees(Read read) : read_(std::move(read)) {}

  struct Found {
    std::shared_ptr<const Function> function;
    std::string reason;      // why there is none
    bool is_defined = true;  // false: no function has the name
  };
  Found Find(const std::string& name);

 private:
  struct Size {
    int depth = 0;
    int64_t ops = 0;
  };
  Size SizeOf(const Function& function) const;

  Read read_;
  std::map<std::string, std::shared_ptr<const Function>> functions_;
  std::unordered_map<const Function*, Size> sizes_;
  std::vector<std::string> under_way_;
};

}  // namespace assay

#endif  // ASSAY_SPEC_TEXT_CALLEES_H_
