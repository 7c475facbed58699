// The verdict on a call names its worst element, so a step of the search is a
// call with 4096 mutations of the worst element so far. Every random word comes
// from Philox with the seed as key and (call, candidate, word) as counter.
#include "cases/variants/worst_error_search.h"

#include <Random123/philox.h>
#include <fmt/format.h>

#include "cases/run/sweep.h"
#include "spec/error.h"
#include "spec/nearest.h"

namespace assay {
namespace {

constexpr int64_t kCandidates = 4096;  // of a call
constexpr int kPatience = 24;  // calls without a worse one, before a new start

// Words are the random words of one candidate.
class Words {
 public:
  Words(uint64_t seed, int64_t call, int64_t candidate)
      : key_{{static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)}},
        counter_{{static_cast<uint32_t>(candidate), static_cast<uint32_t>(call),
                  static_cast<uint32_t>(call >> 32), 0}} {}
  uint64_t Next() {
    if (left_ == 0) {
      block_ = r123::Philox4x32()(counter_, key_);
      ++counter_[3];
      left_ = 2;
    }
    --left_;
    return uint64_t{block_[2 * left_]} << 32 | block_[2 * left_ + 1];
  }
  uint64_t Below(uint64_t end) { return Next() % end; }

 private:
  r123::Philox4x32::key_type key_;
  r123::Philox4x32::ctr_type counter_, block_ = {};
  size_t left_ = 0;
};

uint64_t MaskOf(int bits) {
  return bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
}

// Returns a float, as bits, near another.
uint64_t Mutated(const FloatFormat& format, uint64_t bits, Words* words) {
  const uint64_t mask = MaskOf(format.bits());
  const uint64_t mantissa = format.mantissa_mask();
  switch (words->Below(5)) {
    case 0: {  // a neighbour
      const uint64_t step = 1 + words->Below(uint64_t{1} << words->Below(13));
      return (words->Below(2) == 0 ? bits + step : bits - step) & mask;
    }
    case 1:  // bits of it
      for (uint64_t flips = 1 + words->Below(3); flips-- > 0;)
        bits ^= uint64_t{1}
                << words->Below(static_cast<uint64_t>(format.bits()));
      return bits;
    case 2: {  // the next exponents
      const uint64_t step = (1 + words->Below(2)) << format.mantissa_bits;
      return (words->Below(2) == 0 ? bits + step : bits - step) & mask;
    }
    case 3: {  // the same beginning
      const int kept = static_cast<int>(
          words->Below(static_cast<uint64_t>(format.mantissa_bits) + 1));
      const uint64_t low = mantissa >> kept;
      return (bits & ~low) | (words->Next() & low);
    }
    default:  // the same exponent
      return (bits & ~mantissa) | (words->Next() & mantissa);
  }
}

// Half of the candidates are from the grid, if there is one.
ElementBits Fresh(ElementType type, Words* words) {
  const ElementType part = PartType(type);
  const int width = Info(part).bits;
  const std::vector<ElementBits>& grid = GridBits(part);
  ElementBits bits = 0;
  for (int p = PartCount(type); p-- > 0;) {
    const uint64_t drawn = words->Next();
    bits = bits << (p == PartCount(type) - 1 ? 0 : width) |
           (words->Below(2) == 0 ? grid[drawn % grid.size()]
                                 : drawn & MaskOf(width));
  }
  return bits;
}

ElementBits MutatedElement(ElementType type, ElementBits bits, Words* words) {
  const ElementType part = PartType(type);
  const FloatFormat format = FormatOf(part);
  const int count = PartCount(type);
  const auto chosen =
      static_cast<int>(words->Below(static_cast<uint64_t>(count)));
  ElementBits mutated = 0;
  for (int p = count; p-- > 0;) {
    uint64_t value = static_cast<uint64_t>(PartOf(type, bits, p));
    if (p == chosen || words->Below(2) == 0)
      value = Mutated(format, value, words);
    mutated = mutated << (p == count - 1 ? 0 : Info(part).bits) | value;
  }
  return mutated;
}

}  // namespace

Case CallToSearch(const std::string& op_id, ElementType type, int64_t size) {
  const OpSpec* spec = FindOp(op_id);
  if (spec == nullptr)
    throw InputError("--op",
                     fmt::format("unknown op '{}'{}; `assay list ops` has all",
                                 op_id, DidYouMean(op_id, OpIds())));
  const std::string& rule = IsComplex(type) ? spec->complex_rule : spec->rule;
  if ((!IsFloat(type) && !IsComplex(type)) || rule != "ulp")
    throw InputError("--type",
                     fmt::format("results of {} on {} have no accuracy budget, "
                                 "so there is no error to search for",
                                 op_id, Name(type)));
  Case c;
  c.op = op_id;
  c.name = op_id + "/search";
  Op op;
  op.op = op_id;
  Function& main = c.program.functions.emplace_back();
  main.name = "main";
  const TensorType tensor = {{size}, type};
  for (const InputSpec& input : spec->inputs) {
    if (input.absent) continue;
    if (input.kind != InputSpec::Kind::kTensor)
      throw InputError("--op", fmt::format("{} has the attribute {}, which "
                                           "would have to be chosen",
                                           op_id, input.name));
    op.inputs.push_back({input.name, input.name, tensor});
    main.inputs.push_back({input.name, tensor});
    c.inputs.push_back(
        {{tensor, Tensor(tensor)}, Layout::RowMajor(tensor.shape)});
  }
  const InferredType inferred = InferResultTypes(*spec, op)[0];
  op.outputs.push_back({spec->outputs[0].name,
                        spec->outputs[0].name,
                        {*inferred.shape, *inferred.element_type}});
  main.results.push_back({spec->outputs[0].name, op.outputs[0].type});
  main.body.push_back(std::move(op));
  for (const ConstraintResult& result : CheckConstraints(*spec, main.body[0])) {
    if (result.truth == Truth::kFalse)
      throw InputError("--type", fmt::format("{} is not defined on {}: {}",
                                             op_id, Name(type), result.Text()));
  }
  return c;
}

WorstError SearchWorstError(
    const std::string& op, ElementType type, const WorstErrorOptions& options,
    const std::function<Verdict(const Case&)>& judge,
    const std::function<void(const WorstError&)>& progress) {
  WorstError search;
  Case call = CallToSearch(op, type, kCandidates);
  std::vector<Tensor> operands;
  for (CaseInput& input : call.inputs)
    operands.push_back(std::get<Tensor>(input.data.source));
  std::vector<ElementBits> base(operands.size());  // of this start
  double error = -1;
  int left = 0;  // of the patience
  for (int64_t number = 0; search.candidates < options.candidates; ++number) {
    const bool is_start = left == 0;
    if (is_start) {
      ++search.starts;
      error = -1;
      left = kPatience;
    }
    for (int64_t i = 0; i < kCandidates; ++i) {
      Words words(options.seed, number, i);
      const size_t chosen = words.Below(operands.size());
      for (size_t k = 0; k < operands.size(); ++k) {
        ElementBits bits = base[k];
        if (is_start) {
          bits = Fresh(type, &words);
        } else if (k == chosen || words.Below(2) == 0) {
          bits = MutatedElement(type, bits, &words);
        }
        operands[k].SetBits(i, bits);
      }
    }
    search.candidates += kCandidates;
    --left;
    const Verdict verdict = judge(call);
    if (verdict.outcome != Outcome::kPass && !search.failed)
      search.failed = verdict;
    if (!IsJudged(verdict.outcome)) return search;
    const int64_t at = verdict.accuracy ? verdict.accuracy->worst_index : -1;
    if (at >= 0 && verdict.accuracy->errors.worst > error) {
      error = verdict.accuracy->errors.worst;
      left = kPatience;
      for (size_t k = 0; k < operands.size(); ++k)
        base[k] = operands[k].Bits(at);
      if (error > search.error) {
        search.error = error;
        search.budget = verdict.accuracy->errors.budget;
        search.worst = SliceOf(call, at, at + 1);
        // The tensors of the call are used again.
        for (CaseInput& input : search.worst->inputs)
          input.data = {input.data.type, input.data.Materialise()};
        search.worst->window.reset();
      }
    } else if (error < 0) {
      left = 0;
    }
    progress(search);
  }
  return search;
}

}  // namespace assay
