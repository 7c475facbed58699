// sqrt/S1: For floats: `squareRoot` from IEEE-754, correctly rounded.
#include <Eigen/Core>
#include <cmath>
#include <cstdio>
int main() {
  const Eigen::ArrayXf x = Eigen::ArrayXf::Constant(16, 0.59083277F);
  const float actual = x.sqrt().eval()[0];
  std::printf("Eigen's sqrt(0.59083277) is %.9g, for 0.768656492\n", actual);
  return actual != std::sqrt(0.59083277F);
}
