#include "reports/order_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "cases/accumulation/tree_text.h"
#include "reports/table.h"

namespace assay {
namespace {

using OrderOutcome = MeasuredOrder::Outcome;
using OrderKind = OrderVerdict::Kind;
using OrderJson = nlohmann::ordered_json;

// A tree of up to so many terms is written on one line.
constexpr int32_t kMostOnALine = 33;
constexpr int kMostTreeLines = 24;

const char* LegalText(const MeasuredOrder& order) {
  switch (order.verdict.kind) {
    case OrderKind::kInOrder:
      return "legal";
    case OrderKind::kFused:
      return "not binary";
    case OrderKind::kOutOfOrder:
      return "not in order";
  }
  return "";
}

std::string AccumulatorText(const AdditionTraits& traits) {
  if (!traits.first_sum) return "-";
  std::string text = BitsText(*traits.first_sum);
  if (traits.last_sum && traits.last_sum->bits != traits.first_sum->bits)
    text += ", at the end " + BitsText(*traits.last_sum);
  if (traits.rounding == AdditionTraits::Rounding::kTowardZero)
    text += ", truncated";
  return text;
}

// A sum that has all digits of products keeps them; one that has not keeps them
// if multiplication and addition are fused.
std::string ProductsText(const MeasuredOrder& order) {
  const AdditionTraits& traits = order.traits;
  if (!traits.keeps_products) return "-";
  const FloatFormat format = FormatOf(order.type);
  if (!*traits.keeps_products) return "rounded";
  return traits.first_sum && traits.first_sum->bits >= 2 * format.precision()
             ? "exact"
             : "fused";
}

std::string SubnormalsText(const AdditionTraits& traits) {
  if (!traits.flushes) return "-";
  return *traits.flushes ? "flushed" : "kept";
}

// Returns the numbers as they stand, "8 33 1030".
template <class List>
std::string Spaced(const List& list) {
  return fmt::format("{}", fmt::join(list, " "));
}

// Outcomes of one kind and reason are a line, and a line for each probe.
std::string NotRevealedText(const std::vector<MeasuredOrder>& orders) {
  struct Asked {
    std::vector<std::string> types;
    std::vector<int32_t> sizes;
  };
  std::map<std::pair<OrderOutcome, std::string>,
           std::vector<std::pair<std::string, Asked>>>
      reasons;
  for (const MeasuredOrder& order : orders) {
    if (order.IsRevealed()) continue;
    auto& probes = reasons[{order.outcome, order.message}];
    const std::string name = order.probe->name;
    if (probes.empty() || probes.back().first != name)
      probes.emplace_back(name, Asked());
    Asked& asked = probes.back().second;
    const auto add = [](auto& list, const auto& value) {
      if (std::ranges::find(list, value) == list.end()) list.push_back(value);
    };
    add(asked.types, std::string(Name(order.type)));
    add(asked.sizes, order.n);
  }
  std::string text;
  for (const auto& [reason, probes] : reasons) {
    const bool says_outcome =
        reason.first == OrderOutcome::kNotRevealed || reason.second.empty();
    text += fmt::format("{}{}{}\n", says_outcome ? "not revealed" : "",
                        says_outcome && !reason.second.empty() ? ": " : "",
                        reason.second);
    for (const auto& [name, asked] : probes)
      text += fmt::format("  {} of {}, n = {}\n", name, Spaced(asked.types),
                          Spaced(asked.sizes));
  }
  return text;
}

// A witness stands for the same probe with other types and numbers of terms.
std::string WitnessesText(const OrdersOfBackend& found) {
  std::string text;
  std::vector<const SumProbe*> shown;
  for (const MeasuredOrder& order : found.orders) {
    if (!order.IsRevealed() || order.IsLegal()) continue;
    if (std::ranges::find(shown, order.probe) != shown.end()) continue;
    shown.push_back(order.probe);
    const bool is_required = RequiresOrder(*found.policy, *order.probe);
    text += fmt::format(
        "{} of {}, n = {}: {}; the rule of reduce would not allow it{}\n",
        order.probe->name, Name(order.type), order.n, order.shape,
        is_required ? fmt::format(", and policy {} asks for it ({} = in_order)",
                                  found.policy->name(), order.probe->policy_key)
                    : fmt::format(", and policy {} accepts any order",
                                  found.policy->name()));
    std::string witness = WitnessText(order);
    const size_t newline = witness.find('\n');
    if (newline != std::string::npos) witness.insert(newline + 1, "  ");
    text += "  " + witness + "\n";
  }
  return text;
}

OrderJson TreeAsJson(const SumTree& tree) {
  // Leaves keep their numbers; inner nodes follow, each behind its children.
  const int32_t n = tree.num_leaves();
  std::vector<int32_t> number;
  OrderJson inner = OrderJson::array();
  for (const SumTree::Node& node : tree.nodes()) {
    if (node.IsLeaf()) {
      number.push_back(node.least);
      continue;
    }
    OrderJson children = OrderJson::array();
    for (const int32_t child : node.children)
      children.push_back(number[static_cast<size_t>(child)]);
    number.push_back(n + static_cast<int32_t>(inner.size()));
    inner.push_back(std::move(children));
  }
  return inner;
}

OrderJson BitsAsJson(const AdditionTraits::Bits& bits) {
  OrderJson json = {{"bits", bits.bits}};
  if (bits.is_least) json["at_least"] = true;
  return json;
}

OrderJson OrderAsJson(const MeasuredOrder& order, const Policy& policy) {
  OrderJson json = {
      {"op", order.probe->Op()},        {"probe", order.probe->Way()},
      {"type", Name(order.type)},       {"n", order.n},
      {"outcome", Name(order.outcome)}, {"calls", order.calls},
      {"seconds", order.seconds}};
  if (!order.message.empty()) json["message"] = order.message;
  if (!order.IsRevealed()) return json;
  json["shape"] = order.shape;
  json["order"] = order.verdict.kind == OrderKind::kInOrder ? "in_order"
                  : order.verdict.kind == OrderKind::kFused ? "fused"
                                                            : "out_of_order";
  json["legal"] = order.IsLegal();
  json["required"] = RequiresOrder(policy, *order.probe);
  if (order.verdict.kind == OrderKind::kOutOfOrder)
    json["witness"] = {{"first", order.verdict.first},
                       {"second", order.verdict.second},
                       {"foreign", order.verdict.foreign},
                       {"size", order.verdict.size}};
  const AdditionTraits& traits = order.traits;
  if (traits.first_sum) json["accumulator"] = BitsAsJson(*traits.first_sum);
  if (traits.last_sum) json["last_sum"] = BitsAsJson(*traits.last_sum);
  if (traits.rounding)
    json["rounding"] = *traits.rounding == AdditionTraits::Rounding::kNearest
                           ? "nearest"
                           : "toward_zero";
  if (traits.alignment) json["alignment"] = BitsAsJson(*traits.alignment);
  if (traits.keeps_products) json["products"] = ProductsText(order);
  if (traits.flushes) json["flushes"] = *traits.flushes;
  if (traits.inits) json["inits"] = *traits.inits;
  if (order.sums_differ) json["sums_differ"] = true;
  if (order.is_sampled) json["sampled"] = true;
  json["tree"] = TreeAsJson(*order.tree);
  return json;
}

}  // namespace

std::string OrdersText(const OrdersOfBackend& found) {
  TextTable table({"op", "type", "n", "tree", "order", "accumulator",
                   "products", "subnormals", "init", "calls"},
                  8);
  int64_t rows = 0, legal = 0;
  std::string differ;
  for (const MeasuredOrder& order : found.orders) {
    if (!order.IsRevealed()) continue;
    ++rows;
    legal += order.IsLegal();
    const AdditionTraits& traits = order.traits;
    table.Add({order.probe->name, Name(order.type), std::to_string(order.n),
               order.shape, LegalText(order), AccumulatorText(traits),
               ProductsText(order), SubnormalsText(traits),
               traits.inits ? fmt::format("{}", *traits.inits) : "-",
               std::to_string(order.calls)});
    if (order.sums_differ)
      differ += fmt::format("  {} of {}, n = {}\n", order.probe->name,
                            Name(order.type), order.n);
  }
  std::string text;
  if (rows > 0) text += table.ToText();
  text += WitnessesText(found);
  if (!differ.empty())
    text +=
        "rows or columns of the same terms had different sums, and the "
        "tree is that of the first:\n" +
        differ;
  for (const MeasuredOrder& order : found.orders) {
    if (order.is_sampled)
      text += fmt::format(
          "{} of {}, n = {}: each addition was asked for with some of the "
          "terms, since with all of them it takes too many calls\n",
          order.probe->name, Name(order.type), order.n);
    if (order.traits.alignment)
      text += fmt::format(
          "{} of {}, n = {}: {} terms at once, of which {} below the largest "
          "take part\n",
          order.probe->name, Name(order.type), order.n, order.tree->widest(),
          BitsText(*order.traits.alignment));
  }
  for (const MeasuredSplits& splits : found.splits)
    text +=
        fmt::format("{} of {}, parts that the last addition joins: {}\n",
                    splits.probe->name, Name(splits.type), SplitsText(splits));
  text += NotRevealedText(found.orders);
  text += fmt::format(
      "{}, policy {}: {} of {} trees revealed, {} of them legal by {}\n",
      found.backend, found.policy->name(), rows, found.orders.size(), legal,
      ClauseOfOrder());
  return text;
}

std::string TreesText(const OrdersOfBackend& found) {
  std::string text;
  for (const MeasuredOrder& order : found.orders) {
    if (!order.IsRevealed()) continue;
    text += fmt::format("{} of {}, n = {}: {}\n", order.probe->name,
                        Name(order.type), order.n, order.shape);
    std::string tree = order.n <= kMostOnALine
                           ? CompactText(*order.tree) + "\n"
                           : IndentedText(*order.tree, kMostTreeLines);
    for (size_t at = 0; at < tree.size();) {
      const size_t end = tree.find('\n', at);
      text += "  " + tree.substr(at, end + 1 - at);
      at = end + 1;
    }
  }
  return text;
}

std::string OrdersAsJson(const std::vector<OrdersOfBackend>& found) {
  OrderJson json = {{"kind", "order"},
                    {"format", 1},
                    {"assay", ASSAY_VERSION},
                    {"backends", OrderJson::array()}};
  for (const OrdersOfBackend& one : found) {
    OrderJson backend = {{"backend", one.backend},
                         {"name", one.name},
                         {"version", one.version},
                         {"policy", one.policy->name()},
                         {"orders", OrderJson::array()}};
    for (const MeasuredOrder& order : one.orders)
      backend["orders"].push_back(OrderAsJson(order, *one.policy));
    for (const MeasuredSplits& splits : one.splits) {
      OrderJson row = {{"op", splits.probe->Op()},
                       {"probe", splits.probe->Way()},
                       {"type", Name(splits.type)},
                       {"parts", OrderJson::array()}};
      for (const auto& [n, part] : splits.splits)
        row["parts"].push_back({{"n", n}, {"part", part}});
      if (!splits.message.empty()) row["message"] = splits.message;
      backend["splits"].push_back(std::move(row));
    }
    json["backends"].push_back(std::move(backend));
  }
  return json.dump(-1, ' ', true, OrderJson::error_handler_t::replace) + "\n";
}

}  // namespace assay
