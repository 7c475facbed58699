// Ops are shown in the groups that users know them by, such as sums and
// movement of data. A group follows from the traits of the op files.
#ifndef ASSAY_REPORTS_PAGE_OP_GROUP_H_
#define ASSAY_REPORTS_PAGE_OP_GROUP_H_

#include <compare>
#include <string>
#include <string_view>

namespace assay {

struct OpGroup {
  int rank = 0;  // groups are shown in this order
  std::string name;

  friend auto operator<=>(const OpGroup&, const OpGroup&) = default;
};

// `op` is the op of a verdict, which need not be known.
OpGroup GroupOf(std::string_view op);

// Returns the id of the element of the page that has the sentences of the op,
// or an empty text if there is none.
std::string SpecificationId(std::string_view op);

}  // namespace assay

#endif  // ASSAY_REPORTS_PAGE_OP_GROUP_H_
