// minimum/S3: For floats: `minimum` from IEEE-754, NaN where an operand is.
#include <Eigen/Core>
#include <cmath>
#include <cstdio>
int main() {
  const Eigen::Array4f x(0, 0, 0, 0), y(NAN, NAN, NAN, NAN);
  const float actual = x.min(y).eval()[0];
  std::printf("Eigen's array minimum of 0 and NaN is %g, for nan\n", actual);
  return !std::isnan(actual);
}
