// No short formula says whether two strided tensors meet: if the bounds leave
// it open, the elements are listed.
#include "backends/broken/kernel/overlap.h"

#include <stdint.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "backends/broken/kernel/types.h"

namespace assay::broken {
namespace {

int64_t BytesOf(const DLTensor& tensor) { return (tensor.dtype.bits + 7) / 8; }

int64_t AddressOf(const DLTensor& tensor) {
  return static_cast<int64_t>(reinterpret_cast<intptr_t>(tensor.data)) +
         static_cast<int64_t>(tensor.byte_offset);
}

// Bounds go from the lowest address to the one behind the highest.
struct Bounds {
  int64_t begin, end;
};

Bounds BoundsOf(const DLTensor& tensor) {
  Bounds bounds = {AddressOf(tensor), AddressOf(tensor) + BytesOf(tensor)};
  for (int d = 0; d < tensor.ndim; ++d) {
    if (tensor.shape[d] == 1) continue;
    const int64_t reach =
        (tensor.shape[d] - 1) * tensor.strides[d] * BytesOf(tensor);
    (reach < 0 ? bounds.begin : bounds.end) += reach;
  }
  return bounds;
}

std::vector<int64_t> SortedAddresses(const DLTensor& tensor) {
  std::vector<int64_t> addresses = {AddressOf(tensor)};
  for (int d = 0; d < tensor.ndim; ++d) {
    const size_t count = addresses.size();
    const int64_t step =
        tensor.shape[d] == 1 ? 0 : tensor.strides[d] * BytesOf(tensor);
    for (int64_t i = 1; i < tensor.shape[d]; ++i) {
      for (size_t k = 0; k < count; ++k)
        addresses.push_back(addresses[k] + i * step);
    }
  }
  std::ranges::sort(addresses);
  return addresses;
}

}  // namespace

bool IsSamePlace(const DLTensor& a, const DLTensor& b) {
  if (AddressOf(a) != AddressOf(b) || a.dtype.code != b.dtype.code ||
      a.dtype.bits != b.dtype.bits || !IsSameShape(a, b)) {
    return false;
  }
  for (int d = 0; d < a.ndim; ++d) {
    if (a.shape[d] > 1 && a.strides[d] != b.strides[d]) return false;
  }
  return true;
}

bool SharesBytes(const DLTensor& a, const DLTensor& b) {
  if (CountElements(a) == 0 || CountElements(b) == 0) return false;
  const Bounds x = BoundsOf(a), y = BoundsOf(b);
  if (x.end <= y.begin || y.end <= x.begin) return false;
  const std::vector<int64_t> others = SortedAddresses(b);
  return std::ranges::any_of(SortedAddresses(a), [&](int64_t address) {
    const auto next = std::ranges::upper_bound(others, address - BytesOf(b));
    return next != others.end() && *next < address + BytesOf(a);
  });
}

bool OverlapsItself(const DLTensor& tensor) {
  if (CountElements(tensor) == 0) return false;
  std::vector<std::pair<int64_t, int64_t>> steps;  // in elements, and how many
  for (int d = 0; d < tensor.ndim; ++d) {
    if (tensor.shape[d] > 1)
      steps.emplace_back(std::abs(tensor.strides[d]), tensor.shape[d]);
  }
  std::ranges::sort(steps);
  int64_t extent = 1;
  for (const auto& [step, count] : steps) {
    if (step == 0) return true;
    if (step < extent) {
      const std::vector<int64_t> places = SortedAddresses(tensor);
      return std::ranges::adjacent_find(places) != places.end();
    }
    extent += step * (count - 1);
  }
  return false;
}

}  // namespace assay::broken
