// sign/S13: if compare(x, -0.0, EQ, FLOAT): return -0.0.
#include <Eigen/Core>
#include <cmath>
#include <cstdio>
int main() {
  const Eigen::ArrayXf x = Eigen::ArrayXf::Constant(4, -0.0F), actual = x.sign();
  std::printf("Eigen's array sign(-0.0) is %g, for -0\n", actual[0]);
  return !std::signbit(actual[0]);
}
