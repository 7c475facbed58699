// floor/S1: `roundToIntegralTowardNegative` from IEEE-754, which keeps the sign; vectors of SSE2, as without -march.
#undef __SSE4_1__
#undef __AVX__
#undef __AVX512F__
#include <Eigen/Core>
int main() {
  const Eigen::ArrayXf x = Eigen::ArrayXf::Constant(4, -0.0F), actual = x.floor();
  std::printf("Eigen's floor(-0.0), of 4 elements, with SSE2, is %g, for -0\n", actual[0]);
  return !std::signbit(actual[0]);
}
