#include "backends/broken/kernel/contraction.h"

#include <algorithm>

#include "backends/broken/kernel/functions.h"
#include "backends/broken/kernel/numbers.h"
#include "backends/broken/kernel/seen_call.h"
#include "backends/broken/kernel/types.h"
#include "backends/calls/dims_view.h"
#include "backends/calls/tensors.h"

namespace assay::broken {
namespace {

using calls::Contraction;
using calls::ContractionDim;
using calls::ContractionWindow;
using calls::DimsView;
using Numbers = std::vector<int64_t>;

// A tensor in row-major order, in memory of its own.
class Copied {
 public:
  Copied(const AssayTensor& tensor, const Type& type)
      : from_(DimsView::Of(tensor.tensor)), type_(type), tensor_(tensor) {
    view_ = {from_.shape, calls::RowMajor(from_.shape)};
    elements_.resize(
        static_cast<size_t>(calls::CountOf(view_.shape) * type.bytes));
    view_.first = elements_.data();
    tensor_.tensor = view_.Tensor(tensor.tensor);
  }
  Copied(const Copied&) = delete;
  Copied& operator=(const Copied&) = delete;

  void Read() {
    if (!elements_.empty()) CopyElements(from_, view_, type_);
  }
  void Write() {
    if (!elements_.empty()) CopyElements(view_, from_, type_);
  }
  const AssayTensor& tensor() const { return tensor_; }

 private:
  DimsView from_, view_;
  Type type_;
  std::vector<unsigned char> elements_;
  AssayTensor tensor_;
};

// Returns an index of some dimensions from its number in row-major order.
Numbers IndexOf(const Contraction::Dims& dims, int64_t number) {
  Numbers index(dims.size());
  for (size_t d = dims.size(); d-- > 0; number /= dims[d].size)
    index[d] = number % dims[d].size;
  return index;
}

int64_t PlaceOf(const Contraction::Dims& dims, const Numbers& index,
                int64_t ContractionDim::*stride) {
  int64_t place = 0;
  for (size_t d = 0; d < dims.size(); ++d)
    place += index[d] * (dims[d].*stride);
  return place;
}

const Format* FormatOf(const calls::RoundingTo& rounding) {
  using calls::RoundingTo;
  // By calls::Format.
  static constexpr struct {
    uint8_t code;
    int bits;
  } kFormats[] = {{ASSAY_DL_FLOAT4_E2M1FN, 4},
                  {ASSAY_DL_FLOAT6_E2M3FN, 6},
                  {ASSAY_DL_FLOAT6_E3M2FN, 6},
                  {ASSAY_DL_FLOAT8_E3M4, 8},
                  {ASSAY_DL_FLOAT8_E4M3, 8},
                  {ASSAY_DL_FLOAT8_E4M3FN, 8},
                  {ASSAY_DL_FLOAT8_E4M3FNUZ, 8},
                  {ASSAY_DL_FLOAT8_E4M3B11FNUZ, 8},
                  {ASSAY_DL_FLOAT8_E5M2, 8},
                  {ASSAY_DL_FLOAT8_E5M2FNUZ, 8},
                  {ASSAY_DL_FLOAT8_E8M0FNU, 8},
                  {kDLBfloat, 16},
                  {kDLFloat, 16}};
  static_assert(std::size(kFormats) == calls::kNumFormats);
  switch (rounding.kind) {
    case RoundingTo::kNothing:
      return nullptr;
    case RoundingTo::kTf32:
      return &Tf32();
    case RoundingTo::kF32:
      return FindFormat(kDLFloat, 32);
    case RoundingTo::kFormat:
      break;
  }
  const auto& format = kFormats[static_cast<size_t>(rounding.format)];
  return FindFormat(format.code, format.bits);
}

}  // namespace

const Format& Tf32() {
  static constexpr Format kTf32 = {
      kDLFloat, 19, 8, 10, 127, true, true, Nan::kAboveInfinity, 0x3fbff};
  return kTf32;
}

double InFormat(const Format& format, double x) {
  return ToDouble(format, FromDouble(format, x));
}

const char* ReadContraction(const AssayCall& call, Contraction* contraction) {
  return calls::ReadContraction(call, ActiveHooks().indices, contraction);
}

std::vector<Meeting> Meet(const Contraction& contraction,
                          const ResultIndex& index) {
  const int64_t lhs = PlaceOf(contraction.batch, index.batch,
                              &ContractionDim::lhs_stride) +
                      PlaceOf(contraction.rows, index.row,
                              &ContractionDim::lhs_stride),
                rhs = PlaceOf(contraction.batch, index.batch,
                              &ContractionDim::rhs_stride) +
                      PlaceOf(contraction.columns, index.column,
                              &ContractionDim::rhs_stride);
  std::vector<Meeting> meetings;
  const int64_t count = Contraction::CountOf(contraction.terms);
  for (int64_t t = 0; t < count; ++t) {
    const Numbers term = IndexOf(contraction.terms, t);
    Meeting meeting = {
        lhs + PlaceOf(contraction.terms, term, &ContractionDim::lhs_stride),
        rhs + PlaceOf(contraction.terms, term, &ContractionDim::rhs_stride)};
    for (const ContractionWindow& window : contraction.windows) {
      const int64_t place = window.begin +
                            index.row[window.row] * window.row_step +
                            term[window.term] * window.term_step;
      if (place < 0 || place % window.dilation != 0 ||
          place / window.dilation >= window.size) {
        meeting.lhs = Meeting::kPadding;
        break;
      }
      meeting.lhs += place / window.dilation * window.stride;
    }
    meetings.push_back(meeting);
  }
  return meetings;
}

Parts PartsOfLane(const Type& type, const Format* rounding, const Lane& lane) {
  const auto decode = [&](uint64_t bits) {
    const double x = ToDouble(*type.format, bits);
    return rounding == nullptr ? x : InFormat(*rounding, x);
  };
  return {decode(lane.bits), type.is_complex ? decode(lane.imaginary) : 0};
}

Lane LaneOfParts(const Type& type, const Parts& parts) {
  return {FromDouble(*type.format, parts.real),
          type.is_complex ? FromDouble(*type.format, parts.imaginary) : 0};
}

Parts PlusProduct(const Type& type, const Parts& sum, const Parts& lhs,
                  const Parts& rhs) {
  if (!type.is_complex) return {sum.real + lhs.real * rhs.real, 0};
  return {
      sum.real + (lhs.real * rhs.real - lhs.imaginary * rhs.imaginary),
      sum.imaginary + (lhs.real * rhs.imaginary + lhs.imaginary * rhs.real)};
}

Lane LaneOfInteger(const Type& type, uint64_t integer) {
  return {type.is_signed ? SignExtended(integer, type.bits)
                         : ZeroExtended(integer, type.bits)};
}

Lane Accumulate(const Summation& summation,
                const std::vector<Product>& products) {
  const Type &operand = summation.operand, &result = summation.result;
  if (operand.format != nullptr) {
    Parts sum = {0, 0};
    for (const Product& product : products) {
      sum = PlusProduct(
          operand, sum,
          PartsOfLane(operand, summation.lhs_rounding, product.lhs),
          PartsOfLane(operand, summation.rhs_rounding, product.rhs));
    }
    return LaneOfParts(result, sum);
  }
  uint64_t sum = 0;
  for (const Product& product : products) {
    if (operand.is_bool)
      sum |= product.lhs.bits & product.rhs.bits;
    else
      sum += product.lhs.bits * product.rhs.bits;
  }
  return LaneOfInteger(result, sum);
}

const char* RunContraction(const AssayCall& call) {
  if (call.num_inputs < 2 || call.num_outputs != 1) return "number of operands";
  Type operand, rhs_type, result;
  if (!ParseType(call.inputs[0], &operand) ||
      !ParseType(call.inputs[1], &rhs_type) ||
      !ParseType(call.outputs[0], &result))
    return "element type";
  if (!IsSameType(operand, rhs_type)) return "mix of operand types";
  const SeenCall seen(call);
  Copied lhs(seen.call().inputs[0], operand),
      rhs(seen.call().inputs[1], operand), sums(seen.call().outputs[0], result);
  std::vector<AssayTensor> inputs(seen.call().inputs,
                                  seen.call().inputs + call.num_inputs);
  inputs[0] = lhs.tensor();
  inputs[1] = rhs.tensor();
  const AssayTensor output = sums.tensor();
  AssayCall dense = seen.call();
  dense.inputs = inputs.data();
  dense.outputs = &output;
  Contraction contraction;
  const Hooks& hooks = ActiveHooks();
  if (const char* missing = hooks.contraction(dense, &contraction))
    return missing;
  if (contraction.IsEmpty()) return nullptr;
  lhs.Read();
  rhs.Read();
  const Summation summation = {operand, result,
                               FormatOf(contraction.lhs_rounding),
                               FormatOf(contraction.rhs_rounding)};
  const int64_t batches = Contraction::CountOf(contraction.batch),
                rows = Contraction::CountOf(contraction.rows),
                columns = Contraction::CountOf(contraction.columns);
  const Strip of_lhs = {contraction.lhs_first, 1, operand},
              of_rhs = {contraction.rhs_first, 1, operand},
              of_result = {contraction.result_first, 1, result};
  ResultIndex index;
  for (int64_t b = 0; b < batches; ++b) {
    index.batch = IndexOf(contraction.batch, b);
    for (int64_t r = 0; r < rows; ++r) {
      index.row = IndexOf(contraction.rows, r);
      for (int64_t c = 0; c < columns; ++c) {
        index.column = IndexOf(contraction.columns, c);
        std::vector<Product> products;
        for (const Meeting& meeting : hooks.meet(contraction, index)) {
          products.push_back({meeting.lhs == Meeting::kPadding
                                  ? Lane()
                                  : ReadElement(of_lhs, meeting.lhs),
                              ReadElement(of_rhs, meeting.rhs)});
        }
        const int64_t place = PlaceOf(contraction.batch, index.batch,
                                      &ContractionDim::result_stride) +
                              PlaceOf(contraction.rows, index.row,
                                      &ContractionDim::result_stride) +
                              PlaceOf(contraction.columns, index.column,
                                      &ContractionDim::result_stride);
        WriteElement(of_result, place, hooks.accumulate(summation, products));
      }
    }
  }
  sums.Write();
  return nullptr;
}

}  // namespace assay::broken
