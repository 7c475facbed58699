// What `assay order` found, for people and as JSON.
#ifndef ASSAY_REPORTS_ORDER_REPORT_H_
#define ASSAY_REPORTS_ORDER_REPORT_H_

#include <string>
#include <vector>

#include "cases/accumulation/measure_order.h"
#include "cases/accumulation/split.h"
#include "spec/policy.h"

namespace assay {

struct OrdersOfBackend {
  std::string backend;        // as the command line names it
  std::string name, version;  // as it names itself
  const Policy* policy = nullptr;
  std::vector<MeasuredOrder> orders;
  std::vector<MeasuredSplits> splits;
};

// Returns a line of a table for each tree, what is out of order with its
// witness, and why other trees are not revealed.
std::string OrdersText(const OrdersOfBackend& found);

// Returns the trees themselves.
std::string TreesText(const OrdersOfBackend& found);

// Returns a JSON object, reports/README.md has its fields.
std::string OrdersAsJson(const std::vector<OrdersOfBackend>& found);

// Returns a picture of every tree beside the sequential one and the pairwise
// one, which are legal.
std::string OrdersAsSvg(const std::vector<OrdersOfBackend>& found);

}  // namespace assay

#endif  // ASSAY_REPORTS_ORDER_REPORT_H_
