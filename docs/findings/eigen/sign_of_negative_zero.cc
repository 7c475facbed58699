// sign/S13: if compare(x, -0.0, EQ, FLOAT): return -0.0.
#include <Eigen/Core>
#include <cmath>
#include <cstdio>
int main() {
  const Eigen::Array4f x(-0.0F, -0.0F, -0.0F, -0.0F);
  const float actual = x.sign().eval()[0];
  std::printf("Eigen's array sign(-0.0) is %g, for -0\n", actual);
  return !std::signbit(actual);
}
