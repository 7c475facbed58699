// clamp/S1: `minimum(maximum(operand, min), max)`, which is NaN for a NaN.
#include <Eigen/Core>
#include <cmath>
#include <cstdio>
int main() {
  const Eigen::Array4f x(0, 0, 0, 0), y(NAN, NAN, NAN, NAN);
  const float actual = x.max(x).min(y).eval()[0];
  std::printf("Eigen's clamp of 0 from 0 to NaN is %g, for nan\n", actual);
  return !std::isnan(actual);
}
