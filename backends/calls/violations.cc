#include "backends/calls/violations.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "backends/calls/moves.h"
#include "backends/calls/windows.h"

namespace assay::calls {

bool IsViolation(const AssayCall& call, const char* failure) {
  constexpr std::string_view kViolations[] = {kOperandCount,  kAttributeValue,
                                              kOperandShapes, kWindowSize,
                                              kResultType,    kIndexType};
  return failure != nullptr && (IsMove(call.op) || IsGather(call.op)) &&
         std::ranges::find(kViolations, std::string_view(failure)) !=
             std::end(kViolations);
}

}  // namespace assay::calls
