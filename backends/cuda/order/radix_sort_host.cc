#include <algorithm>
#include <numeric>
#include <vector>

#include "backends/cuda/order/radix_sort.h"

namespace assay::cuda {
namespace {

template <class Code>
void SortSlices(const RadixSort& sort) {
  std::vector<int64_t> order(static_cast<size_t>(sort.length));
  for (int64_t slice = 0; slice < sort.slices; ++slice) {
    const int64_t first = slice * sort.length;
    const Code* const codes = static_cast<const Code*>(sort.codes) + first;
    std::iota(order.begin(), order.end(), int64_t{0});
    std::ranges::stable_sort(order, {},
                             [codes](int64_t i) { return codes[i]; });
    for (size_t i = 0; i < order.size(); ++i) {
      const auto to = first + static_cast<int64_t>(i);
      static_cast<Code*>(sort.sorted)[to] = codes[order[i]];
      if (sort.places != nullptr)
        sort.sorted_places[to] = sort.places[first + order[i]];
    }
  }
}

}  // namespace

const char* SortCodes(const RadixSort& sort) {
  if (sort.code_bytes == 4) {
    SortSlices<uint32_t>(sort);
  } else {
    SortSlices<uint64_t>(sort);
  }
  return nullptr;
}

}  // namespace assay::cuda
