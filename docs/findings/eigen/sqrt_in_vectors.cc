// sqrt/S1: For floats: `squareRoot` from IEEE-754, which is correctly rounded; EIGEN_FAST_MATH is on by default.
#include <Eigen/Core>
#include <cmath>
#include <cstdio>
int main() {
  const Eigen::ArrayXf x = Eigen::ArrayXf::Constant(16, 0.59083277F), actual = x.sqrt();
  std::printf("Eigen's sqrt(0.59083277), of 16 elements, is %.9g, for %.9g\n", actual[0], std::sqrt(x[0]));
  return actual[0] != std::sqrt(x[0]);
}
