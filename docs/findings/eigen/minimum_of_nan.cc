// minimum/S3: For floats: `minimum` from IEEE-754, which is NaN where an operand is.
#include <Eigen/Core>
#include <cmath>
#include <cstdio>
int main() {
  const Eigen::ArrayXf x = Eigen::ArrayXf::Zero(4), y = Eigen::ArrayXf::Constant(4, NAN), actual = x.min(y);
  std::printf("Eigen's array minimum of 0 and NaN is %g, for nan\n", actual[0]);
  return !std::isnan(actual[0]);
}
