#include "oracle/contraction/contraction.h"

namespace assay {

void SumResults::Set(int64_t i, ElementBits value, const RowSum& row) {
  result_.lo.SetBits(i, value);
  if (row.other_reading) {
    if (other_reading_.size() == 0) other_reading_ = Tensor(result_.lo.type());
    other_reading_.SetBits(i, *row.other_reading);
  }
  const SumRange& sum = row.sum;
  if (value != sum.first()) return;
  if (!sum.is_range) {
    several_.emplace_back(i, sum.possible);
  } else if (sum.range.hi != value) {
    upper_ends_.emplace_back(i, sum.range.hi);
  }
}

int64_t SumResults::Finish() {
  std::ranges::sort(several_, {}, [](const auto& one) { return one.first; });
  int64_t undecided = 0;
  for (const auto& [i, possible] : several_) {
    if (possible.kind != Possible::Kind::kRanges) {
      result_.SetOpen(i);
      undecided += possible.kind == Possible::Kind::kUndecided;
      continue;
    }
    upper_ends_.emplace_back(i, possible.ranges[0].hi);
    for (size_t n = 1; n < possible.ranges.size(); ++n)
      result_.alternatives.push_back(
          {i, possible.ranges[n].lo, possible.ranges[n].hi});
  }
  if (!upper_ends_.empty()) {
    result_.hi = Tensor(result_.lo.type());
    std::memcpy(result_.hi.data(), result_.lo.data(),
                static_cast<size_t>(result_.lo.byte_size()));
    for (const auto& [i, bits] : upper_ends_) result_.hi.SetBits(i, bits);
  }
  if (other_reading_.size() > 0)
    result_.readings.push_back(std::move(other_reading_));
  return undecided;
}

}  // namespace assay
