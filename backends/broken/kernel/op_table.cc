#include "backends/broken/kernel/op_table.h"

#include <string.h>

#include <algorithm>

#include "backends/broken/kernel/complex_functions.h"
#include "backends/broken/kernel/conversions.h"
#include "backends/broken/kernel/float_functions.h"
#include "backends/broken/kernel/functions.h"
#include "backends/broken/kernel/real_functions.h"

namespace assay::broken {
namespace {

constexpr OpFunctions kOps[] = {
    {"abs", 1, Abs, EachPart<AbsFloat>, AbsComplex},
    {"add", 2, Add, EachPart<AddFloat>, EachPart<AddFloat>},
    {"and", 2, And, nullptr, nullptr},
    {"atan2", 2, nullptr, EachPart<Atan2Float>, OfComplex<Atan2>},
    {"bitcast_convert", 1, Identity, MoveElement, MoveElement},
    {"broadcast_in_dim", 1, Identity, MoveElement, MoveElement},
    {"cbrt", 1, nullptr, EachPart<CbrtFloat>, OfComplex<Cbrt>},
    {"ceil", 1, nullptr, EachPart<CeilFloat>, nullptr},
    {"clamp", 3, Clamp, EachPart<ClampFloat>, ClampComplex},
    {"complex", 2, nullptr, BuildComplex, nullptr},
    {"cosine", 1, nullptr, EachPart<CosineFloat>, OfComplex<Cosine>},
    {"count_leading_zeros", 1, CountLeadingZeros, nullptr, nullptr},
    {"divide", 2, Divide, EachPart<DivideFloat>, OfComplex<Divide>},
    {"exponential", 1, nullptr, EachPart<ExponentialFloat>,
     OfComplex<Exponential>},
    {"exponential_minus_one", 1, nullptr, EachPart<ExponentialMinusOneFloat>,
     OfComplex<ExponentialMinusOne>},
    {"floor", 1, nullptr, EachPart<FloorFloat>, nullptr},
    {"imag", 1, nullptr, ImaginaryPart, ImaginaryPart},
    {"is_finite", 1, nullptr, EachPart<IsFinite>, nullptr},
    {"log", 1, nullptr, EachPart<LogFloat>, OfComplex<Log>},
    {"log_plus_one", 1, nullptr, EachPart<LogPlusOneFloat>,
     OfComplex<LogPlusOne>},
    {"logistic", 1, nullptr, EachPart<LogisticFloat>, OfComplex<Logistic>},
    {"maximum", 2, Maximum, EachPart<MaximumFloat>, MaximumComplex},
    {"minimum", 2, Minimum, EachPart<MinimumFloat>, MinimumComplex},
    {"multiply", 2, Multiply, EachPart<MultiplyFloat>, OfComplex<Multiply>},
    {"negate", 1, Negate, EachPart<NegateFloat>, EachPart<NegateFloat>},
    {"not", 1, Not, nullptr, nullptr},
    {"or", 2, Or, nullptr, nullptr},
    {"paddle.bitwise_left_shift", 2, ShiftLeft, nullptr, nullptr},
    {"popcnt", 1, PopulationCount, nullptr, nullptr},
    {"power", 2, Power, EachPart<PowerFloat>, PowerComplex},
    {"real", 1, nullptr, RealPart, RealPart},
    {"reduce_precision", 1, nullptr, ReducePrecision, nullptr},
    {"remainder", 2, Remainder, EachPart<RemainderFloat>, nullptr},
    {"round_nearest_afz", 1, nullptr, EachPart<RoundAwayFromZero>, nullptr},
    {"round_nearest_even", 1, nullptr, EachPart<RoundToEven>, nullptr},
    {"rsqrt", 1, nullptr, EachPart<RsqrtFloat>, OfComplex<Rsqrt>},
    {"select", 3, Select, SelectElement, SelectElement},
    {"shift_left", 2, ShiftLeft, nullptr, nullptr},
    {"shift_right_arithmetic", 2, ShiftRightArithmetic, nullptr, nullptr},
    {"shift_right_logical", 2, ShiftRightLogical, nullptr, nullptr},
    {"sign", 1, Sign, EachPart<SignFloat>, OfComplex<Sign>},
    {"sine", 1, nullptr, EachPart<SineFloat>, OfComplex<Sine>},
    {"sqrt", 1, nullptr, EachPart<SqrtFloat>, OfComplex<Sqrt>},
    {"subtract", 2, Subtract, EachPart<SubtractFloat>, EachPart<SubtractFloat>},
    {"tan", 1, nullptr, EachPart<TanFloat>, OfComplex<Tan>},
    {"tanh", 1, nullptr, EachPart<TanhFloat>, OfComplex<Tanh>},
    {"xor", 2, Xor, nullptr, nullptr},
};

}  // namespace

const OpFunctions* FindOp(const char* name) {
  const auto found = std::ranges::find_if(
      kOps, [&](const OpFunctions& op) { return strcmp(op.name, name) == 0; });
  return found == std::end(kOps) ? nullptr : found;
}

}  // namespace assay::broken
