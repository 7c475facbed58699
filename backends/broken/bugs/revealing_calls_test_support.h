// This header has a call on vectors for each planted bug, on which the bug
// shows. revealing_layout_calls_test_support.h has the bugs that need other
// layouts.
#ifndef ASSAY_BACKENDS_BROKEN_BUGS_REVEALING_CALLS_TEST_SUPPORT_H_
#define ASSAY_BACKENDS_BROKEN_BUGS_REVEALING_CALLS_TEST_SUPPORT_H_

#include <map>
#include <string>

#include "backends/broken/kernel/broken_test_support.h"

namespace assay::broken {

inline constexpr int64_t kLeast32 = INT32_MIN, kLeast64 = INT64_MIN;
// These are bits of f32.
inline constexpr int64_t kOne32 = 0x3f800000, kMinus32 = 0x80000000,
                         kNan32 = 0x7fc00000;

inline Call Compare(const DLDataType& type, int64_t a, const char* direction,
                    int64_t b, const char* how) {
  return {"compare",
          type,
          {{a}, {b}},
          {{"comparison_direction", direction}, {"compare_type", how}},
          kI1};
}

inline Call Convert(const DLDataType& from, int64_t x, const DLDataType& to) {
  return {"convert", from, {{x}}, {}, to};
}

inline Call Reduce(const DLDataType& type, int64_t x, const char* exponent_bits,
                   const char* mantissa_bits) {
  return {"reduce_precision",
          type,
          {{x}},
          {{"exponent_bits", exponent_bits}, {"mantissa_bits", mantissa_bits}}};
}

// Returns a call for each bug, on which it shows.
inline const std::map<std::string, Call>& RevealingCalls() {
  static const std::map<std::string, Call> calls = {
      {"LP01", AddOf(7)},
      {"LP03", AddOf(8)},
      {"LP04", AddOf(1)},
      {"LP06", AddOf(1)},
      {"LP07", AddOf(9)},
      {"LP09", AddOf(9)},
      {"LP10", AddOf(32)},
      {"LP12", {"shift_left", kI32, {Iota(9), {1, 1, 1, 1, 1, 1, 1, 1, 32}}}},
      {"LP13", {"shift_left", kI32, {Iota(8), {32, 1, 1, 1, 1, 1, 1, 1}}}},
      {"LP15", AddOf(8)},
      {"LP16", AddOf(264)},
      {"MEM01", AddOf(1)},
      {"MEM02", AddOf(9)},
      {"MEM03", AddOf(9)},
      {"MEM04", AddOf(1)},
      {"MEM05", AddOf(9)},
      {"MEM06", AddOf(1)},
      {"ME01", AddOf(9)},
      {"ME05", AddOf(1)},
      {"LY02", AddOf(1)},
      {"LY03", AddOf(9)},
      {"LY04", AddOf(9)},
      {"LY07", {"exponential", kF32, {{0x40000000}}}},  // 2
      {"SS02", Convert(kF32, 0x3fc00000, kI32)},        // 1.5
      {"SS03", AddOf(128)},
      {"ENV01", AddOf(1)},
      {"ENV02", AddOf(1)},
      {"CRASH01", {"add", kI8, {{37}, {0}}}},
      {"HANG01", AddOf(13)},
      {"SH02", {"shift_left", kUi8, {{255}, {32}}}},
      {"SH03", {"shift_left", kI32, {{1}, {32}}}},
      {"SH05", {"shift_right_arithmetic", kI8, {{-2}, {1}}}},
      {"SH06", {"shift_right_logical", kI8, {{-2}, {1}}}},
      {"SH08", {"shift_left", kI8, {{1}, {-1}}}},
      {"SH09", {"shift_left", kI8, {{8}, {-1}}}},
      {"SH11", {"shift_left", kUi8, {{255, 0}, {4, 4}}}},
      {"SH16", {"shift_left", kI8, {{1}, {-128}}}},
      {"SH17", {"shift_left", kI8, {{1, 1}, {-128, 1}}}},
      {"SH18", {"shift_left", kI8, {{1, 1}, {1, -128}}}},
      {"IA15", {"divide", kI32, {{9, 9}, {1, 3}}}},
      {"SH12", {"shift_left", kI8, {{1, 1, 1, 1}, {1, 1, 2, 2}}}},
      {"SH14",
       {"paddle.bitwise_right_shift",
        kI8,
        {{-1}, {1}},
        {{"is_arithmetic", "false"}}}},
      {"SH15",
       {"paddle.bitwise_left_shift",
        kI32,
        {{1 << 30}, {1}},
        {{"is_arithmetic", "true"}}}},
      {"IA02", {"multiply", kI8, {Iota(8), Iota(8)}}},
      {"IA03", {"multiply", kI64, {{int64_t{1} << 32}, {3}}}},
      {"IA05", {"remainder", kI32, {{kLeast32}, {-1}}}},
      {"IA06", {"remainder", kI8, {{-3}, {2}}}},
      {"IA08", {"divide", kI64, {{9007199254740993}, {1}}}},
      {"IA09", {"abs", kI64, {{kLeast64}}}},
      {"IA11",
       {"compare",
        kUi64,
        {{kLeast64}, {1}},
        {{"comparison_direction", "GT"}},
        kI1}},
      {"IA12", {"power", kI32, {{3}, {-1}}}},
      {"IA14", {"clamp", kI8, {{2}, {0}, {1}}}},
      {"BT01", {"count_leading_zeros", kI32, {{0}}}},
      {"BT03", {"popcnt", kI8, {{-1}}}},
      {"BT04", {"not", kI1, {{1}}}},
      {"FL01", {"maximum", kF32, {{kNan32}, {kOne32}}}},
      {"FL02", {"minimum", kF32, {{kOne32}, {kNan32}}}},
      {"FL04", {"maximum", kF32, {{kMinus32}, {0}}}},
      {"FL05", {"add", kF32, {{1}, {0}}}},
      {"FL05V", {"add", kF32, {Values(8, 1), Values(8, 0)}}},
      {"FL10", {"negate", kF32, {{0}}}},
      {"FL11", {"abs", kF32, {{kMinus32}}}},
      {"FL13", {"round_nearest_even", kF32, {{0x3f000000}}}},
      {"FL14", {"round_nearest_afz", kF32, {{0x3effffff}}}},
      {"FL16", {"ceil", kF32, {{0xbf000000}}}},
      {"FL17", Compare(kF32, kMinus32, "EQ", 0, "FLOAT")},
      {"FL19", Compare(kF32, kMinus32, "LT", 0, "TOTALORDER")},
      {"FL20", {"select", kF32, {{1}, {kOne32}, {kNan32}}}},
      {"FL26", {"is_finite", kF32, {{0x7f7fffff}}, {}, kI1}},
      {"FX01", {"negate", kF8E5M2FNUZ, {{0}}}},
      {"FX02", {"abs", kF8E5M2FNUZ, {{0x80}}}},
      {"FX05", {"ceil", kF8E3M4, {{0x6f}}}},
      {"FX06", {"divide", kF16, {{0x4200}, {0x4500}}}},
      {"FX07", {"maximum", kC64, {{kOne32, 0, 0, 0}, {0, kOne32, 0, 0}}}},
      {"FX08", {"select", kC64, {{1, 0}, {0, 1, 0, 0}, {0, 0, 0, 0}}}},
      {"FX09", {"select", kF32, {{1}, {0x7f800001}, {0}}}},
      {"FX16", {"remainder", kF32, {{0x4b7fffff}, {0x3dcccccd}}}},
      {"FX17", {"sqrt", kF32, {{kMinus32}}}},
      {"FX19", Compare(kF8E5M2FNUZ, 0, "LT", 0x80, "TOTALORDER")},
      {"FL22", {"exponential", kF32, {{0x3eb17218}}}},
      {"FL23", {"logistic", kF32, {{0x41080000}}}},  // 8.5
      {"FL25", {"atan2", kF32, {{0}, {kMinus32}}}},
      {"TR01", {"exponential", kF16, {{0x3b1d}}}},
      {"TR02", {"log", kF32, {{0x40498f51}}}},
      {"TR03", {"sine", kF32, {{0x3fc80000}}}},                   // 1.5625
      {"TR04", {"exponential", kF32, {{0xc2b40000}}}},            // -90
      {"TR05", {"sine", kF32, {{0x4a000000}}}},                   // 2^21
      {"TR06", {"cosine", kF32, {{0x447a0000}}}},                 // 1000
      {"TR07", {"exponential_minus_one", kF32, {{0x35800000}}}},  // 2^-20
      {"TR08", {"log_plus_one", kF32, {{0x33d6bf95}}}},           // 1e-7
      {"TR09", {"tanh", kF32, {{0x42340000}}}},                   // 45
      {"TR10", {"power", kF32, {{kMinus32 | kOne32}, {0x7f800000}}}},
      {"TR11", {"power", kF32, {{kMinus32 | kOne32}, {kOne32}}}},
      {"TR12", {"power", kF32, {{1}, {0x3f000000}}}},
      {"TR13", {"cbrt", kF32, {{kMinus32 | kOne32}}}},
      {"TR14", {"rsqrt", kF32, {{kMinus32}}}},
      {"TR15", {"tan", kF32, {{kMinus32}}}},
      {"TR16", {"logistic", kF16, {{0xc900}}}},  // -10
      {"TR17", {"log", kBf16, {{0x4040}}}},      // 3
      {"CX01", {"sqrt", kC64, {{kMinus32 | kOne32, kMinus32}}}},
      {"CX02", {"log", kC64, {{kMinus32 | kOne32, kMinus32}}}},
      {"CX03", {"abs", kC64, {{0x71800000, 0}}, {}, kF32}},            // 2^100
      {"CX04", {"divide", kC64, {{0x71800000, 0}, {0x71800000, 0}}}},  // 2^100
      {"CX05", {"tan", kC64, {{0, 0x42480000}}}},                      // 50 i
      {"CX06", {"exponential_minus_one", kC64, {{0x35800000, 0}}}},    // 2^-20
      {"CX07", {"multiply", kC64, {{0, kOne32}, {0, kOne32}}}},
      {"CX08", {"sign", kC64, {{1, 0}}}},
      {"CX09", {"power", kC64, {{0, kMinus32 | kOne32}, {0x3f000000, 0}}}},
      {"CX10", {"log", kC64, {{kOne32, 0x35800000}}}},  // 1 + 2^-20 i
      {"CV02", Convert(kF32, 0x43960000, kI8)},         // 300
      {"CV03", Convert(kF32, 0x3f400000, kI32)},        // 0.75
      {"CV05", Convert(kF32, 0x4f000000, kI32)},        // 2^31
      {"CV06", Convert(kF32, kNan32, kI8)},
      {"CV08", Convert(kF32, 0x7f800001, kBf16)},
      {"CV09", Convert(kF32, 0x3f808000, kBf16)},
      {"CV11", Convert(kF32, 0x33800000, kF16)},  // 2^-24
      // These are 2^62 + 2^54 + 1 and numbers as far above a tie of 2^63 and of
      // 1.5.
      {"CV19", Convert(kI64, 0x4040000000000001, kBf16)},
      {"CV20", Convert(kUi64, 0x4040000000000001, kBf16)},
      {"CV21", Convert(kI64, 0x5fffffffffffffff, kF8E8M0FNU)},
      {"CV22", Convert(kF32, 0x3f880001, kF8E4M3FN)},  // 1 + 2^-4 + 2^-23
      {"CV23", {"convert", kC128, {{0x3ff0020000001000, 0}}, {}, kF16}},
      {"CV12", Convert(kF64, 0x3ff0020000001000, kF16)},  // 1 + 2^-11 + 2^-40
      {"CV14", Convert(kUi64, kLeast64, kF32)},
      {"CV15", Convert(kF32, 0x3f000000, kI1)},
      {"CV17", Convert(kF32, 0x43fa0000, kF8E4M3FN)},  // 500
      {"CV18", {"convert", kI8, {Iota(16)}, {}, kI32}},
      {"FX03", Convert(kF32, 0x43fa0000, kF8E4M3FN)},
      {"FX04", Convert(kF32, kNan32, kF4E2M1FN)},
      {"FX10", Reduce(kF32, 0x38000000, "5", "10")},  // 2^-15
      {"FX11", Reduce(kF32, 0x40400000, "8", "0")},   // 3
      {"FX12", {"bitcast_convert", kI32, {{1}}, {}, kI8}},
      {"FX13", Convert(kF32, kMinus32, kI1)},
      {"FX14", Convert(kF64, 0x3ff0100000001000, kBf16)},  // 1 + 2^-8 + 2^-40
      // 2^62 + 2^38 + 1, above a tie of f32.
      {"FX15", Convert(kI64, 0x4000004000000001, kF32)},
      {"FX18", Convert(kF32, 0x3fc00000, kF8E8M0FNU)},  // 1.5
  };
  return calls;
}

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_BUGS_REVEALING_CALLS_TEST_SUPPORT_H_
