// The tests of this folder write calls on floats with these functions: elements
// are text, and results have the clauses that decided them.
#ifndef ASSAY_ORACLE_ELEMENTWISE_FLOAT_TEST_SUPPORT_H_
#define ASSAY_ORACLE_ELEMENTWISE_FLOAT_TEST_SUPPORT_H_

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "oracle/oracle.h"

namespace assay {

// Reads "1.5", "0x1p-126", "-inf", "nan" (the default one), "true", or the
// bits: "0x7f800001". A complex number is "1.5 -0".
inline ElementBits BitsOfText(ElementType type, const std::string& text) {
  if (IsComplex(type)) {
    const size_t space = text.find(' ');
    const ElementType part = PartType(type);
    return BitsOfText(part, text.substr(space + 1)) << Info(part).bits |
           BitsOfText(part, text.substr(0, space));
  }
  if (text.starts_with("0x") && text.find('p') == std::string::npos)
    return std::stoull(text, nullptr, 16);
  if (IsBoolean(type)) return text == "true";
  if (IsInteger(type)) {
    return BitsOf(type, IsUnsignedInteger(type)
                            ? static_cast<__int128>(std::stoull(text))
                            : static_cast<__int128>(std::stoll(text)));
  }
  return VisitKinds<kFloats>(type, [&]<class T>() -> ElementBits {
    if constexpr (T::kFormat.has_nan()) {
      if (text == "nan") return T::Nan().ToBits();
    }
    const Rounded<T> value = T::Round(std::strtod(text.c_str(), nullptr));
    EXPECT_EQ(value.unencodable, Unencodable::kNot) << text;
    return value.value.ToBits();
  });
}

inline Tensor TensorOfTexts(ElementType type, const Shape& shape,
                            const std::vector<std::string>& texts) {
  Tensor tensor(TensorType{shape, type});
  EXPECT_EQ(tensor.size(), static_cast<int64_t>(texts.size()));
  for (size_t i = 0; i < texts.size(); ++i)
    tensor.SetBits(static_cast<int64_t>(i), BitsOfText(type, texts[i]));
  return tensor;
}
inline Tensor RowOfTexts(ElementType type,
                         const std::vector<std::string>& texts) {
  return TensorOfTexts(type, {static_cast<int64_t>(texts.size())}, texts);
}

struct FloatCall {
  Op op;
  std::vector<Tensor> inputs;
};

inline FloatCall MakeFloatCall(const std::string& id,
                               std::vector<Tensor> inputs, TensorType result,
                               std::vector<Attribute> attributes = {}) {
  const OpSpec& spec = *FindOp(id);
  FloatCall call;
  call.op.op = id;
  for (size_t k = 0; k < inputs.size(); ++k) {
    const bool is_variadic = spec.inputs[0].variadic;
    const std::string& name = spec.inputs[is_variadic ? 0 : k].name;
    call.op.inputs.push_back({name,
                              is_variadic ? name + std::to_string(k) : name,
                              inputs[k].type()});
  }
  call.op.attributes = std::move(attributes);
  call.op.outputs.push_back(
      {spec.outputs[0].name, spec.outputs[0].name, std::move(result)});
  for (const ConstraintResult& r : CheckConstraints(spec, call.op))
    EXPECT_EQ(r.truth, Truth::kTrue) << id << ' ' << r.constraint->label;
  call.inputs = std::move(inputs);
  return call;
}

// Evaluates with and without marks, which must agree.
inline Evaluation EvaluateCall(const FloatCall& call,
                               const std::string& policy = "assay") {
  const Policy& p = Policy::Find(policy);
  const Evaluation counted = Evaluate(call.op, call.inputs, p, Marks::kCounted);
  const Evaluation silent = Evaluate(call.op, call.inputs, p, Marks::kNone);
  const Expectation &a = counted.outputs.at(0), &b = silent.outputs.at(0);
  for (int64_t i = 0; i < a.lo.size(); ++i) {
    EXPECT_TRUE(a.lo.Bits(i) == b.lo.Bits(i) && a.hi.Bits(i) == b.hi.Bits(i) &&
                a.flags == b.flags)
        << i;
    EXPECT_TRUE(a.hi.Bits(i) == a.lo.Bits(i) || a.Has(Expectation::kEither, i))
        << i;
  }
  return counted;
}

// Returns the labels of the clauses that were marked: "S3 E1".
inline std::string LabelsOf(const FloatCall& call,
                            const Evaluation& evaluation) {
  std::string labels;
  for (int n = 0; n < 64; ++n) {
    if ((evaluation.marks >> n & 1) == 0) continue;
    const ClauseSpec* clause = FindOp(call.op.op)->Clause(n);
    EXPECT_NE(clause, nullptr) << call.op.op << " has no clause " << n;
    if (clause == nullptr) continue;
    if (!labels.empty()) labels += ' ';
    labels += clause->label;
  }
  return labels;
}

// Returns one element of a result as its bits in text: "nan" where any NaN is
// right, "any" where any value is; complex numbers by part. "0x3c00|0x3c01"
// where either is right.
inline std::string TextOfEnd(const Expectation& expectation, const Tensor& end,
                             int64_t i) {
  const ElementType type = expectation.lo.element_type();
  std::string text;
  for (int p = 0; p < PartCount(type); ++p) {
    const ElementType part = PartType(type);
    const ElementBits bits = PartOf(type, end.Bits(i), p);
    const bool is_nan =
        IsFloat(part) && VisitKinds<kFloats>(part, [&]<class T>() {
          return T::FromBits(static_cast<typename T::Bits>(bits)).IsNan();
        });
    if (p > 0) text += ' ';
    text += is_nan && !expectation.keeps_nans ? "nan" : FormatBits(part, bits);
  }
  return text;
}

inline std::string TextOfResult(const Expectation& expectation, int64_t i) {
  if (expectation.IsOpen(i)) return "any";
  const std::string text = TextOfEnd(expectation, expectation.lo, i);
  if (!expectation.Has(Expectation::kEither, i)) return text;
  return text + '|' + TextOfEnd(expectation, expectation.hi, i);
}

inline std::string ExpectedText(ElementType type, const std::string& text) {
  if (text == "any") return text;
  if (const size_t bar = text.find('|'); bar != std::string::npos)
    return ExpectedText(type, text.substr(0, bar)) + '|' +
           ExpectedText(type, text.substr(bar + 1));
  const size_t space = text.find(' ');
  if (IsComplex(type) && space != std::string::npos) {
    const ElementType part = PartType(type);
    return ExpectedText(part, text.substr(0, space)) + ' ' +
           ExpectedText(part, text.substr(space + 1));
  }
  return text == "nan" ? text : FormatBits(type, BitsOfText(type, text));
}

}  // namespace assay

#endif  // ASSAY_ORACLE_ELEMENTWISE_FLOAT_TEST_SUPPORT_H_
