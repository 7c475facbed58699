// How LLVM prints a float decides what MLIR text looks like: six digits in
// scientific notation where they are the value, else as many digits as the type
// may need, in the notation that is shorter. Digits are cut from the exact
// decimal expansion, and half is rounded up, as LLVM does.
#include "spec/text/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "spec/error.h"
#include "spec/types/float.h"

namespace assay::text {
namespace {

template <class F>
auto WithFloat(ElementType type, F f) {
  switch (type) {
#define ASSAY_FLOAT_CASE(kType) \
  case ElementType::kType:      \
    return f(Float<ElementType::kType>());
    ASSAY_FLOAT_CASE(kF4E2M1FN)
    ASSAY_FLOAT_CASE(kF6E2M3FN)
    ASSAY_FLOAT_CASE(kF6E3M2FN)
    ASSAY_FLOAT_CASE(kF8E3M4)
    ASSAY_FLOAT_CASE(kF8E4M3)
    ASSAY_FLOAT_CASE(kF8E4M3FN)
    ASSAY_FLOAT_CASE(kF8E4M3FNUZ)
    ASSAY_FLOAT_CASE(kF8E4M3B11FNUZ)
    ASSAY_FLOAT_CASE(kF8E5M2)
    ASSAY_FLOAT_CASE(kF8E5M2FNUZ)
    ASSAY_FLOAT_CASE(kF8E8M0FNU)
    ASSAY_FLOAT_CASE(kBF16)
    ASSAY_FLOAT_CASE(kF16)
    ASSAY_FLOAT_CASE(kF32)
    ASSAY_FLOAT_CASE(kF64)
#undef ASSAY_FLOAT_CASE
    default:
      CheckFailed("a float type", __FILE__, __LINE__);
  }
}

// The significant bits of a type, the leading one included.
int PrecisionOf(ElementType type) {
  return WithFloat(type, []<class T>(T) { return T::kFormat.precision(); });
}

// digits * 10^exponent; the last digit is not 0.
struct Decimal {
  std::string digits;
  int exponent = 0;

  void DropZeros() {
    const size_t last = digits.find_last_not_of('0');
    exponent += static_cast<int>(digits.size() - last - 1);
    digits.resize(last + 1);
  }
};

// floor(log2(S * 5^k)), exact: S * 5^k is no power of two for k > 0, nor near
// one.
int64_t TopBit(uint64_t s, int k) {
  if (k == 0) return std::bit_width(s) - 1;
  return static_cast<int64_t>(
      std::floor(std::log2(static_cast<long double>(s)) +
                 static_cast<long double>(k) * std::log2(5.0L)));
}

// Returns the digits of a positive value that LLVM keeps for `precision`
// digits.
Decimal DigitsOf(double value, int precision) {
  char buffer[1200];  // 5e-324 has 751 digits
  const int length = std::snprintf(buffer, sizeof buffer, "%.1100e", value);
  ASSAY_CHECK(length > 0 && length < static_cast<int>(sizeof buffer));
  const std::string_view text(buffer, static_cast<size_t>(length));
  const size_t e = text.find('e');
  Decimal decimal;
  decimal.digits =
      std::string(text.substr(0, 1)) + std::string(text.substr(2, e - 2));
  decimal.exponent =
      std::atoi(buffer + e + 1) - static_cast<int>(decimal.digits.size()) + 1;
  decimal.DropZeros();

  // Far more digits than asked for are cut off first, without rounding. LLVM
  // counts them in bits of the integer that has them all.
  int binary_exponent;
  const double fraction = std::frexp(value, &binary_exponent);
  auto significand = static_cast<uint64_t>(std::ldexp(fraction, 53));
  binary_exponent -= 53;
  const int zeros = std::countr_zero(significand);
  significand >>= zeros;
  binary_exponent += zeros;
  const int64_t bits = binary_exponent >= 0
                           ? std::bit_width(significand) + binary_exponent
                           : TopBit(significand, -binary_exponent) + 1;
  const int64_t required = (precision * 196 + 58) / 59;
  const int64_t removed = bits > required ? (bits - required) * 59 / 196 : 0;
  // The last digit of the integer significand * 5^k has this exponent.
  const int last = std::min(binary_exponent, 0);
  const int64_t kept = static_cast<int64_t>(decimal.digits.size()) +
                       decimal.exponent - last - removed;
  if (kept < static_cast<int64_t>(decimal.digits.size())) {
    decimal.exponent +=
        static_cast<int>(static_cast<int64_t>(decimal.digits.size()) - kept);
    decimal.digits.resize(static_cast<size_t>(kept));
    decimal.DropZeros();
  }

  if (static_cast<int>(decimal.digits.size()) <= precision) return decimal;
  const bool rounds_up = decimal.digits[static_cast<size_t>(precision)] >= '5';
  decimal.exponent += static_cast<int>(decimal.digits.size()) - precision;
  decimal.digits.resize(static_cast<size_t>(precision));
  if (rounds_up) {
    size_t i = decimal.digits.size();
    while (i > 0 && decimal.digits[i - 1] == '9') decimal.digits[--i] = '0';
    if (i > 0) {
      ++decimal.digits[i - 1];
    } else {
      decimal.digits.insert(decimal.digits.begin(), '1');
    }
  }
  decimal.DropZeros();
  return decimal;
}

// "1.500000e+00"
std::string ScientificText(double value) {
  if (value == 0) return "0.000000e+00";
  const Decimal decimal = DigitsOf(value, 6);
  const int exponent =
      decimal.exponent + static_cast<int>(decimal.digits.size()) - 1;
  std::string text = decimal.digits.substr(0, 1) + ".";
  text += decimal.digits.substr(1);
  text.append(7 - decimal.digits.size(), '0');
  return text +
         fmt::format("e{}{:02}", exponent < 0 ? '-' : '+', std::abs(exponent));
}

// "0.333333343", "1.0E+10", "16777217".
std::string NaturalText(double value, int type_precision) {
  const int precision = 2 + type_precision * 59 / 196;
  const Decimal decimal = DigitsOf(value, precision);
  const std::string& digits = decimal.digits;
  const int count = static_cast<int>(digits.size());
  const int exponent = decimal.exponent;
  constexpr int kMostPadding = 3;
  const int top = exponent + count - 1;
  const bool is_scientific =
      exponent >= 0 ? exponent > kMostPadding || count + exponent > precision
                    : top < 0 && -top > kMostPadding;
  if (is_scientific)
    return fmt::format("{}.{}E{}{}", digits[0],
                       count == 1 ? "0" : digits.substr(1), top < 0 ? '-' : '+',
                       std::abs(top));
  if (exponent >= 0)
    return digits + std::string(static_cast<size_t>(exponent), '0');
  if (top >= 0)
    return digits.substr(0, static_cast<size_t>(top + 1)) + "." +
           digits.substr(static_cast<size_t>(top + 1));
  return "0." + std::string(static_cast<size_t>(-top - 1), '0') + digits;
}

void AppendFloat(ElementType type, ElementBits bits, std::string* out) {
  const double value = FloatValue(type, bits);
  const auto reads_back = [&](const std::string& text) {
    return FloatBits(type, ParseDouble(text)) ==
           FloatBits(type, std::abs(value));
  };
  if (std::isfinite(value)) {
    std::string text = ScientificText(std::abs(value));
    if (!reads_back(text))
      text = NaturalText(std::abs(value), PrecisionOf(type));
    if (text.find('.') != std::string::npos) {
      if (std::signbit(value)) *out += '-';
      *out += text;
      return;
    }
  }
  *out += fmt::format("0x{:X}", static_cast<uint64_t>(bits));
}

}  // namespace

std::optional<uint64_t> ParseDigits(std::string_view digits) {
  int base = 10;
  if (digits.starts_with("0x")) {
    base = 16;
    digits.remove_prefix(2);
  }
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(
      digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc() || end != digits.data() + digits.size())
    return std::nullopt;
  return value;
}

bool IsInRangeOf(ElementType type, double value) {
  return WithFloat(type, [&]<class T>(T) {
    const double greatest = T::Max(false).ToDouble();
    const double least =
        T::FromBits(static_cast<typename T::Bits>(T::kFormat.has_zero ? 1 : 0))
            .ToDouble();
    return value == 0 ||
           (least <= std::abs(value) && std::abs(value) <= greatest);
  });
}

bool AreBitsOf(ElementType type, std::string_view text, uint64_t value) {
  const int bits = Info(type).bits;
  const int digits = static_cast<int>(text.size()) - 2;
  return (digits == (bits + 3) / 4 || digits == 2 * Info(type).bytes) &&
         (bits == 64 || value >> bits == 0);
}

std::optional<ElementBits> IntegerBits(ElementType type, bool is_negative,
                                       uint64_t magnitude) {
  const __int128 value = is_negative ? -static_cast<__int128>(magnitude)
                                     : static_cast<__int128>(magnitude);
  const __int128 max = IsSignedInteger(type)
                           ? 2 * MaxValue(type) + 1  // as without a sign
                           : MaxValue(type);
  if (value < MinValue(type) || value > max) return std::nullopt;
  return BitsOf(type, value > MaxValue(type) ? value - max - 1 : value);
}

double ParseDouble(std::string_view literal) {
  double value = 0;
  const auto [end, error] =
      std::from_chars(literal.data(), literal.data() + literal.size(), value);
  if (error == std::errc::result_out_of_range)
    return std::strtod(std::string(literal).c_str(), nullptr);
  return value;
}

ElementBits FloatBits(ElementType type, double value) {
  return WithFloat(type, [&]<class T>(T) -> ElementBits {
    return T::Round(value).value.ToBits();
  });
}

double FloatValue(ElementType type, ElementBits bits) {
  return WithFloat(type, [&]<class T>(T) {
    return T::FromBits(static_cast<typename T::Bits>(bits)).ToDouble();
  });
}

void AppendElement(ElementType part_type, ElementBits bits, std::string* out) {
  if (IsFloat(part_type)) return AppendFloat(part_type, bits, out);
  if (IsBoolean(part_type)) {
    *out += bits != 0 ? "true" : "false";
    return;
  }
  const __int128 value = ValueOf(part_type, bits);
  const fmt::format_int digits =
      value < 0 ? fmt::format_int(static_cast<int64_t>(value))
                : fmt::format_int(static_cast<uint64_t>(value));
  out->append(digits.data(), digits.size());
}

}  // namespace assay::text
