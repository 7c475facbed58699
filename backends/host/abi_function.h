// The functions of a call for the plugin ABI, whose values have numbers.
#ifndef ASSAY_BACKENDS_HOST_ABI_FUNCTION_H_
#define ASSAY_BACKENDS_HOST_ABI_FUNCTION_H_

#include <cstdint>
#include <forward_list>
#include <map>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/host/abi_values.h"
#include "spec/program.h"

namespace assay {

// Returns how many operands each input of the op has that is no constant.
std::vector<int32_t> GroupSizesOf(const Op& op);

// Returns the function with what the functions of its op capture as its last
// arguments.
Function WithCaptures(const Function& function,
                      const std::vector<TypedName>& captures);

// Returns the op that is all of a function of two arguments of one type, if it
// forms a monoid; else an empty string.
std::string MonoidOf(const Function& function);

// AbiFunctions owns what the C structures of functions point to, except texts
// and constants.
class AbiFunctions {
 public:
  explicit AbiFunctions(AbiValues* values) : values_(*values) {}
  // Sets nothing and returns false if a value of the function is no tensor:
  // then there is no such form of it. Precondition: it has no captures.
  bool Convert(const Function& function, AssayFunction* converted);

 private:
  // A list keeps what is pointed to in its place.
  struct Lists {
    std::vector<const char*> types;
    std::vector<int32_t> numbers;
    std::vector<AssayFunctionOp> ops;
    std::vector<AssayAttribute> attributes;
    std::vector<AssayFunction> functions;
  };
  using Numbers = std::map<std::string, int32_t, std::less<>>;

  const std::vector<const char*>* TypesOf(const std::vector<TypedName>& values);
  bool ConvertOp(const Op& op, const Numbers& numbers,
                 AssayFunctionOp* converted);

  AbiValues& values_;
  std::forward_list<Lists> lists_;
};

}  // namespace assay

#endif  // ASSAY_BACKENDS_HOST_ABI_FUNCTION_H_
