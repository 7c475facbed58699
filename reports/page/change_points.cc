#include "reports/page/change_points.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace assay {
namespace {

constexpr size_t kLeastLength = 2;
// The gain must be so many times the noise of a value and the logarithm of the
// number of values, as more positions have more accidents.
constexpr double kPenalty = 4;
// The median of the absolute value of a normal variable, in units of sigma.
constexpr double kNormalMedian = 0.6745;

double Median(std::vector<double> values) {
  const auto middle =
      values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

// Distances are not squared, and are from the median: one value that is far
// from the others makes no change of them.
double Distances(std::span<const double> values) {
  const double median = Median({values.begin(), values.end()});
  double sum = 0;
  for (const double value : values) sum += std::abs(value - median);
  return sum;
}

// Returns the standard deviation of the noise.
double NoiseOf(std::span<const double> values) {
  std::vector<double> differences;
  for (size_t i = 1; i < values.size(); ++i)
    differences.push_back(std::abs(values[i] - values[i - 1]));
  // A difference has twice the variance of a value.
  return std::max(Median(differences) / kNormalMedian / std::sqrt(2.0),
                  std::abs(Median({values.begin(), values.end()})) / 100);
}

void CutSeries(std::span<const double> values, size_t begin, double least_gain,
               std::vector<size_t>* points) {
  double best = least_gain;
  size_t at = 0;
  const double whole = Distances(values);
  for (size_t i = kLeastLength; i + kLeastLength <= values.size(); ++i) {
    const double gain =
        whole - Distances(values.first(i)) - Distances(values.subspan(i));
    if (gain > best) {
      best = gain;
      at = i;
    }
  }
  if (at == 0) return;
  CutSeries(values.first(at), begin, least_gain, points);
  points->push_back(begin + at);
  CutSeries(values.subspan(at), begin + at, least_gain, points);
}

}  // namespace

std::vector<size_t> ChangePoints(std::span<const double> values) {
  if (values.size() < 2 * kLeastLength) return {};
  std::vector<size_t> points;
  const double penalty =
      kPenalty * std::log(static_cast<double>(values.size()));
  CutSeries(values, 0, penalty * NoiseOf(values), &points);
  return points;
}

}  // namespace assay
