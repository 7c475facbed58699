// A result of 53 bits that is right except for the last one is off by half an
// ulp and 2^-28 ulp after it is rounded to 24 bits or fewer; a result of 64
// bits, rounded to 53, is off by half an ulp and 2^-10 ulp.
#include "backends/broken/kernel/real_functions.h"

#include <cmath>

#include "backends/broken/kernel/numbers.h"

namespace assay::broken {
namespace {

// `f` takes numbers of one type, double or long double, and returns one.
template <typename F, typename... Bits>
uint64_t InWiderType(const Type& type, F f, Bits... bits) {
  const Format& format = *type.format;
  if (format.bits < 64) return FromDouble(format, f(ToDouble(format, bits)...));
  return FromDouble(format, static_cast<double>(f(static_cast<long double>(
                                ToDouble(format, bits))...)));
}

}  // namespace

uint64_t Atan2Float(const Type& type, const uint64_t* x) {
  return InWiderType(
      type, [](auto a, auto b) { return std::atan2(a, b); }, x[0], x[1]);
}

uint64_t CbrtFloat(const Type& type, const uint64_t* x) {
  return InWiderType(
      type, [](auto a) { return std::cbrt(a); }, x[0]);
}

uint64_t CosineFloat(const Type& type, const uint64_t* x) {
  return InWiderType(
      type, [](auto a) { return std::cos(a); }, x[0]);
}

uint64_t ExponentialFloat(const Type& type, const uint64_t* x) {
  return InWiderType(
      type, [](auto a) { return std::exp(a); }, x[0]);
}

uint64_t ExponentialMinusOneFloat(const Type& type, const uint64_t* x) {
  return InWiderType(
      type, [](auto a) { return std::expm1(a); }, x[0]);
}

uint64_t LogFloat(const Type& type, const uint64_t* x) {
  return InWiderType(
      type, [](auto a) { return std::log(a); }, x[0]);
}

uint64_t LogPlusOneFloat(const Type& type, const uint64_t* x) {
  return InWiderType(
      type, [](auto a) { return std::log1p(a); }, x[0]);
}

uint64_t LogisticFloat(const Type& type, const uint64_t* x) {
  return InWiderType(
      type, [](auto a) { return 1 / (1 + std::exp(-a)); }, x[0]);
}

// Powers of an infinity are computed in double, where they are exact: glibc's
// powl for x87 returns +inf for -inf to the power of -2^63.
uint64_t PowerFloat(const Type& type, const uint64_t* x) {
  const auto power = [](auto a, auto b) -> decltype(a) {
    if (std::isinf(a))
      return std::pow(static_cast<double>(a), static_cast<double>(b));
    return std::pow(a, b);
  };
  return InWiderType(type, power, x[0], x[1]);
}

uint64_t RsqrtFloat(const Type& type, const uint64_t* x) {
  return InWiderType(
      type, [](auto a) { return 1 / std::sqrt(a); }, x[0]);
}

uint64_t SineFloat(const Type& type, const uint64_t* x) {
  return InWiderType(
      type, [](auto a) { return std::sin(a); }, x[0]);
}

uint64_t TanFloat(const Type& type, const uint64_t* x) {
  return InWiderType(
      type, [](auto a) { return std::tan(a); }, x[0]);
}

uint64_t TanhFloat(const Type& type, const uint64_t* x) {
  return InWiderType(
      type, [](auto a) { return std::tanh(a); }, x[0]);
}

}  // namespace assay::broken
