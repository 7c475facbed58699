// clamp/S1: `minimum(maximum(operand, min), max)`, which is NaN where a bound is.
#include <Eigen/Core>
#include <cmath>
#include <cstdio>
int main() {
  const Eigen::ArrayXf x = Eigen::ArrayXf::Zero(4), actual = x.max(0.0F).min(NAN);
  std::printf("Eigen's array maximum of 0 and 0, and its minimum with NaN, is %g, for nan\n", actual[0]);
  return !std::isnan(actual[0]);
}
