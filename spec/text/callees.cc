#include "spec/text/callees.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "spec/printable_text.h"

namespace assay {

Callees::Size Callees::SizeOf(const Function& function) const {
  Size size;
  const auto add = [&](const Size& part, int deeper) {
    size.depth = std::max(size.depth, part.depth + deeper);
    size.ops = std::min(size.ops + part.ops, kMostOps + 1);
  };
  for (const Op& op : function.body) {
    add({0, 1}, 0);
    for (const Function& region : op.regions) add(SizeOf(region), 0);
    if (op.callee != nullptr) add(sizes_.at(op.callee.get()), 1);
  }
  return size;
}

Callees::Found Callees::Find(const std::string& name) {
  if (const auto known = functions_.find(name); known != functions_.end())
    return {known->second, ""};
  const auto first = std::ranges::find(under_way_, name);
  if (first != under_way_.end())
    return {
        nullptr,
        fmt::format("the function @{} calls itself: {}", Cut(name),
                    Cut(fmt::format("@{} -> @{}",
                                    fmt::join(first, under_way_.end(), " -> @"),
                                    name)))};
  const std::string too_deep =
      fmt::format("calls nest more than {} deep", kMostDepth);
  if (under_way_.size() == kMostDepth) return {nullptr, too_deep};
  under_way_.push_back(name);
  std::optional<Function> read = read_(name);
  under_way_.pop_back();
  if (!read)
    return {nullptr, fmt::format("there is no function @{}", Cut(name)), false};
  const Size size = SizeOf(*read);
  if (size.depth >= kMostDepth) return {nullptr, too_deep};
  if (size.ops > kMostOps)
    return {nullptr,
            fmt::format("@{} has more than {} ops, those of the functions that "
                        "it calls counted at every call",
                        Cut(name), kMostOps)};
  auto function = std::make_shared<const Function>(*std::move(read));
  sizes_[function.get()] = size;
  functions_[name] = function;
  return {function, ""};
}

}  // namespace assay
