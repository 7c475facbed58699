// The silent matcher is one memcmp where a result is exact. Everything a person
// reads is computed only for a failure.
#include "oracle/judge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "spec/error.h"

namespace assay {
namespace {

// An i1 byte other than 0 and 1, which the ABI forbids whatever the op says.
bool IsNoBoolean(const Tensor& actual, int64_t i) {
  return IsBoolean(actual.element_type()) && actual.Bits(i) > 1;
}

bool Accepts(const Expectation& expectation, const Tensor& actual, int64_t i) {
  if (IsNoBoolean(actual, i)) return false;
  if (expectation.IsOpen(i)) return true;
  const __int128 value = ValueOf(actual.element_type(), actual.Bits(i));
  return ValueOf(actual.element_type(), expectation.lo.Bits(i)) <= value &&
         value <= ValueOf(actual.element_type(), expectation.hi.Bits(i));
}

// How far the actual value is from the nearest allowed one.
unsigned __int128 Distance(const Expectation& expectation, const Tensor& actual,
                           int64_t i) {
  const ElementType type = actual.element_type();
  const __int128 value = ValueOf(type, actual.Bits(i));
  const __int128 lo = ValueOf(type, expectation.lo.Bits(i)),
                 hi = ValueOf(type, expectation.hi.Bits(i));
  return static_cast<unsigned __int128>(value < lo   ? lo - value
                                        : value > hi ? value - hi
                                                     : 0);
}

std::string ElementText(ElementType type, uint64_t bits) {
  return fmt::format("{} ({})", FormatValue(type, bits),
                     FormatBits(type, bits));
}

std::string IndexText(const Shape& shape, int64_t position) {
  return fmt::format("[{}]", fmt::join(Unflatten(shape, position), ", "));
}

}  // namespace

Judgement Judge(const Expectation& expectation, const Tensor& actual) {
  ASSAY_CHECK(expectation.lo.type() == actual.type());
  Judgement judgement;
  judgement.elements = actual.size();
  judgement.open = std::ranges::count_if(expectation.flags, [](uint8_t f) {
    return (f & Expectation::kOpen) != 0;
  });
  const bool exact = expectation.lo.data() == expectation.hi.data() &&
                     expectation.flags.empty();
  const size_t bytes = static_cast<size_t>(actual.type().ByteSize());
  if (exact && std::memcmp(expectation.lo.data(), actual.data(), bytes) == 0)
    return judgement;
  unsigned __int128 worst = 0;
  for (int64_t i = 0; i < judgement.elements; ++i) {
    if (Accepts(expectation, actual, i)) continue;
    ++judgement.failed;
    if (expectation.IsOpen(i)) --judgement.open;
    if (judgement.first_failed < 0) judgement.first_failed = i;
    const unsigned __int128 distance = Distance(expectation, actual, i);
    if (judgement.worst_failed < 0 || distance > worst) {
      worst = distance;
      judgement.worst_failed = i;
    }
  }
  judgement.worst_error = static_cast<double>(worst);
  return judgement;
}

Basis BasisOf(const OpSpec& spec, const Op& op,
              const std::vector<Tensor>& inputs, const Policy& policy,
              int64_t index, const Tensor* actual) {
  Basis basis;
  if (actual != nullptr && IsNoBoolean(*actual, index)) {
    basis.text = "contract";
    return basis;
  }
  basis.text = "text";
  const uint64_t marks = ClausesOf(op, inputs, policy, index);
  for (const ClauseSpec& clause : spec.semantics) {
    if ((marks >> clause.number & 1) == 0) continue;
    basis.clauses.push_back(&clause);
    if (!clause.policy.empty()) basis.text = "policy:" + clause.policy;
  }
  return basis;
}

std::string AllowedText(const Expectation& expectation, int64_t index) {
  if (expectation.IsOpen(index)) return "any value";
  const ElementType type = expectation.lo.element_type();
  const uint64_t lo = expectation.lo.Bits(index),
                 hi = expectation.hi.Bits(index);
  if (lo == hi) return ElementText(type, lo);
  return fmt::format("{} to {}", ElementText(type, lo), ElementText(type, hi));
}

std::string Explain(const OpSpec& spec, const Op& op,
                    const std::vector<Tensor>& inputs, const Policy& policy,
                    const Expectation& expectation, const Tensor& actual,
                    const Judgement& judgement) {
  const Shape& shape = actual.type().shape;
  std::string text =
      fmt::format("{} of {} elements of {} differ", judgement.failed,
                  judgement.elements, actual.type().ToString());
  const auto element = [&](const char* which, int64_t i) {
    std::vector<std::string> operands;
    for (size_t k = 0; k < inputs.size(); ++k) {
      const int64_t at = inputs[k].type().shape.empty() ? 0 : i;
      operands.push_back(fmt::format(
          "{} = {}", op.inputs[k].name,
          ElementText(inputs[k].element_type(), inputs[k].Bits(at))));
    }
    for (const Attribute& attribute : op.attributes)
      operands.push_back(
          fmt::format("{} = {}", attribute.name, AttributeText(attribute)));
    text += fmt::format("\n  {} at {}: {}\n    expected {}\n    actual   {}",
                        which, IndexText(shape, i), fmt::join(operands, ", "),
                        AllowedText(expectation, i),
                        ElementText(actual.element_type(), actual.Bits(i)));
  };
  element("first", judgement.first_failed);
  if (judgement.worst_failed != judgement.first_failed)
    element("worst", judgement.worst_failed);
  const Basis basis =
      BasisOf(spec, op, inputs, policy, judgement.first_failed, &actual);
  for (const ClauseSpec* clause : basis.clauses) {
    text += fmt::format("\n  {}/{}: {}{}", spec.id, clause->label, clause->text,
                        clause->when.empty() ? "" : " (" + clause->when + ")");
  }
  if (basis.text == "contract")
    text += "\n  backend.h, rule 5: an i1 element is one byte, 0 or 1";
  text += fmt::format("\n  basis {}", basis.text);
  if (basis.text.starts_with("policy:")) {
    const std::string key = basis.text.substr(7);
    text += fmt::format(" = {} (policy {})", policy.Get(key), policy.name());
  }
  return text;
}

}  // namespace assay
