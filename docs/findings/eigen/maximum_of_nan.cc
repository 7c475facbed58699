// maximum/S3: For floats: `maximum` from IEEE-754, which is NaN where an operand is.
#include <Eigen/Core>
#include <cmath>
#include <cstdio>
int main() {
  const Eigen::ArrayXf x = Eigen::ArrayXf::Zero(4), y = Eigen::ArrayXf::Constant(4, NAN), actual = x.max(y);
  std::printf("Eigen's array maximum of 0 and NaN is %g, for nan\n", actual[0]);
  return !std::isnan(actual[0]);
}
