#include "fuzz/shrink/shrink.h"

#include <algorithm>
#include <set>

#include "cases/variants/layout_variants.h"
#include "fuzz/campaign/finding.h"
#include "fuzz/shrink/cost.h"
#include "fuzz/shrink/edit.h"
#include "fuzz/shrink/program_edit.h"
#include "fuzz/shrink/simpler_values.h"
#include "spec/error.h"

namespace assay {
namespace {

class Shrinker {
 public:
  Shrinker(const ShrinkOptions& options,
           const std::function<Verdict(const Case&)>& judge)
      : options_(options), judge_(judge) {}

  Shrunk Run(const Case& c, const std::string& variant) {
    best_.c = c;
    best_.variant = variant;
    for (CaseInput& input : best_.c.inputs) {
      input.data.source = input.data.Materialise();
      input.data.window.reset();
    }
    best_.c.expect.clear();
    best_.c.runs_twice = true;
    best_.verdict = Judge(best_.c, variant);
    best_.fails = IsFinding(best_.verdict);
    if (!best_.fails) return Finish();
    // Shapes are changed value by value, and that of a tuple is several: a case
    // that fails with a tuple only stays as it is.
    if (const auto without = WithoutTuples(best_.c)) {
      Verdict verdict = Judge(*without, variant);
      if (IsFinding(verdict) && verdict.outcome == best_.verdict.outcome) {
        best_.c = *without;
        best_.verdict = std::move(verdict);
      }
    }
    if (!HasTensorsAlone(best_.c.program.main())) return Finish();
    core_ = Core(best_.c, best_.verdict);
    cost_ = CostOf(best_.c, !variant.empty());
    for (bool again = true; again && HasBudget();) {
      const Cost before = cost_;
      RemoveEarlier();
      RemoveOps();
      if (best_.c.violates.empty()) {
        RemoveAxes();
        CanonicaliseLayouts();
      } else {
        SimplifyTypes();
      }
      SimplifyAttributes();
      ChangeElementTypes();
      SimplifyValues();
      again = cost_ < before;
    }
    return Finish();
  }

 private:
  bool HasBudget() const { return best_.executions < options_.most_executions; }

  Shrunk Finish() {
    best_.is_complete = HasBudget();
    return std::move(best_);
  }

  Verdict Judge(const Case& c, const std::string& variant) {
    ++best_.executions;
    return judge_(variant.empty() ? c : VariantOf(c, variant));
  }

  // Takes the candidate if it costs less, is as it says, and fails in the same
  // way.
  bool Try(const std::optional<Case>& candidate) {
    return candidate && Try(*candidate, best_.variant);
  }
  bool Try(const Case& candidate, const std::string& variant) {
    if (!HasBudget()) return false;
    const Cost cost = CostOf(candidate, !variant.empty());
    if (!(cost < cost_)) return false;
    if (!variant.empty() && !HasVariant(candidate, variant)) return false;
    if (!IsAsItSays(candidate)) return false;
    Verdict verdict = Judge(candidate, variant);
    if (!IsFinding(verdict) || !HasCore(candidate, verdict)) return false;
    best_.c = candidate;
    best_.variant = variant;
    best_.verdict = std::move(verdict);
    cost_ = cost;
    core_ = Core(candidate, best_.verdict);
    return true;
  }

  // The clauses of a program are those of all of its ops, so that it loses some
  // with each op.
  static bool IsProgram(const Case& c) {
    const std::vector<Op>& body = c.program.main().body;
    return body.size() > 1 || FindOp(body[0].op)->control;
  }
  static std::string Core(const Case& c, const Verdict& verdict) {
    return IsProgram(c) ? CoreWithoutClauses(verdict) : CoreOf(verdict);
  }
  bool HasCore(const Case& candidate, const Verdict& verdict) const {
    if (IsProgram(best_.c)) return CoreWithoutClauses(verdict) == core_;
    return Core(candidate, verdict) == core_;
  }

  // Removes calls before the case: all of them, halves, quarters, .., each.
  void RemoveEarlier() {
    for (size_t size = best_.c.after.size(); size > 0; size /= 2) {
      for (size_t end = best_.c.after.size(); end > 0;) {
        const size_t begin = end - std::min(size, end);
        Case c = best_.c;
        c.after.erase(c.after.begin() + static_cast<std::ptrdiff_t>(begin),
                      c.after.begin() + static_cast<std::ptrdiff_t>(end));
        Try(c, best_.variant);
        end = begin;
      }
    }
  }

  void RemoveOps() {
    if (!best_.variant.empty()) Try(best_.c, "");
    const Case& c = best_.c;
    if (!c.violates.empty()) return;
    for (size_t i = c.program.main().body.size(); i-- > 0;) {
      if (Try(OneOp(c, i, *options_.policy))) return;
    }
    for (size_t count = 1; count < c.program.main().body.size(); ++count) {
      if (Try(FirstOps(c, count))) break;
    }
    SimplifyProgram();
  }

  void SimplifyProgram() {
    for (bool again = IsProgram(best_.c); again;) {
      again = false;
      for (const Case& simpler : SimplerPrograms(best_.c, *options_.policy)) {
        again = Try(simpler, best_.variant);
        if (again) break;
      }
    }
  }

  // ------------------------------------------------------------- dimensions

  void RemoveAxes() {
    TakeFailedElement();
    for (size_t d = 0; d < AxesOf(best_.c).size();) {
      ShortenAxis(d);
      // The next axis has moved to this position.
      const std::vector<Axis> axes = AxesOf(best_.c);
      if (d < axes.size() && Try(WithoutAxis(best_.c, axes[d]))) continue;
      ++d;
    }
    for (size_t d = 0; d + 1 < AxesOf(best_.c).size();) {
      const std::vector<Axis> axes = AxesOf(best_.c);
      if (!Try(Merged(best_.c, axes[d], axes[d + 1]))) ++d;
    }
  }

  // Takes the failed element alone, because a wrong value needs no other.
  void TakeFailedElement() {
    const int64_t failed = best_.verdict.first_failed;
    if (failed < 0 || best_.c.program.main().body.size() > 1) return;
    const Shape shape =
        best_.c.program.main().body[0].outputs[0].type.tensor().shape;
    if (shape.empty() || !best_.variant.empty()) return;
    const Index index = Unflatten(shape, failed);
    Case alone = best_.c;
    for (size_t d = 0; d < AxesOf(alone).size(); ++d) {
      const Axis axis = AxesOf(alone)[d];
      const int64_t at = index[axis.places[0].dimension];
      if (auto sliced = Sliced(alone, axis, at, at + 1))
        alone = std::move(*sliced);
    }
    Case scalar = alone;
    while (true) {
      const std::vector<Axis> axes = AxesOf(scalar);
      const auto it = std::ranges::find(axes, 1, &Axis::size);
      if (it == axes.end()) break;
      auto without = WithoutAxis(scalar, *it);
      if (!without) break;
      scalar = std::move(*without);
    }
    if (!Try(scalar)) Try(alone);
  }

  // Shortens the axis to the least size that still fails: small ones and those
  // around vectors at once, then by halves, by a vector, one by one.
  void ShortenAxis(size_t d) {
    for (bool shorter = true; shorter;) {
      shorter = false;
      const std::vector<Axis> axes = AxesOf(best_.c);
      if (d >= axes.size()) return;
      const Axis& axis = axes[d];
      const std::set<int64_t> sizes = {1,
                                       2,
                                       3,
                                       4,
                                       5,
                                       7,
                                       8,
                                       9,
                                       16,
                                       17,
                                       33,
                                       axis.size / 2,
                                       axis.size - 8,
                                       axis.size - 1};
      for (const int64_t size : sizes) {
        if (size < 1 || size >= axis.size || shorter) continue;
        for (const int64_t begin : Begins(axis, size)) {
          shorter = Try(Sliced(best_.c, axis, begin, begin + size));
          if (shorter) break;
        }
      }
    }
  }

  // Returns where a part of this size may begin: at the start, at the end,
  // around the element that failed.
  std::set<int64_t> Begins(const Axis& axis, int64_t size) const {
    const size_t d = axis.places[0].dimension;
    std::set<int64_t> begins = {0, axis.size - size};
    const Shape& shape =
        best_.c.program.main().body.back().outputs[0].type.tensor().shape;
    const int64_t failed = best_.verdict.first_failed;
    const auto count = ElementCount(shape);
    if (failed >= 0 && count && failed < *count && d < shape.size()) {
      const int64_t at = Unflatten(shape, failed)[d];
      if (at + size <= axis.size) begins.insert(at);
    }
    return begins;
  }

  // ---------------------------------------------------------------- layouts

  void CanonicaliseLayouts() {
    if (Try(InRowMajorOrder(best_.c), best_.variant)) return;
    if (!best_.c.alias.empty()) {
      Case apart = best_.c;
      apart.alias.clear();
      for (Op::Result& result : apart.program.functions[0].body[0].outputs)
        result.in_place.reset();
      Try(apart, best_.variant);
    }
    for (size_t k = 0; k < best_.c.inputs.size(); ++k) {
      const Shape shape = best_.c.inputs[k].data.type.shape;
      SimplifyLayout(shape, [&](Case* c) { return &c->inputs[k].layout; });
    }
    std::vector<std::string> placed;
    for (const auto& [value, layout] : best_.c.output_layouts)
      placed.push_back(value);
    for (const std::string& value : placed) {
      Case without = best_.c;
      without.output_layouts.erase(value);
      if (Try(without, best_.variant)) continue;
      SimplifyLayout(TypeOf(best_.c, value).shape,
                     [&](Case* c) { return &c->output_layouts.at(value); });
    }
  }

  template <class F>  // F(Case*): the layout in it
  void SimplifyLayout(const Shape& shape, F layout_of) {
    const auto with = [&](const Layout& layout) {
      Case c = best_.c;
      *layout_of(&c) = layout;
      return Try(c, best_.variant);
    };
    if (with(Layout::RowMajor(shape))) return;
    for (const Layout& layout : SimplerLayouts(*layout_of(&best_.c), shape))
      with(layout);
    // Each dimension is changed alone, whatever the others have.
    for (size_t d = 0; d < shape.size(); ++d) {
      Layout layout = *layout_of(&best_.c);
      layout.strides[d] = RowMajorStrides(shape)[d];
      if (shape[d] == 1) with(layout);
    }
    Layout layout = *layout_of(&best_.c);
    layout.offset = -layout.ExtentOf(shape)->below;
    with(layout);
    layout.offset += 1;
    with(layout);
  }

  // ------------------------------------------------------------- attributes

  void SimplifyAttributes() {
    for (size_t n = 0; n < best_.c.program.main().body.size(); ++n) {
      for (size_t i = 0; i < best_.c.program.main().body[n].attributes.size();
           ++i) {
        const Attribute attribute =
            best_.c.program.main().body[n].attributes[i];
        const Tensor* tensor = std::get_if<Tensor>(&attribute.value);
        Case without = best_.c;
        auto& attributes = without.program.functions[0].body[n].attributes;
        attributes.erase(attributes.begin() + static_cast<std::ptrdiff_t>(i));
        const InputSpec* input =
            FindOp(without.program.main().body[n].op)->Input(attribute.name);
        if (input->absent && Try(without, best_.variant)) break;
        const bool is_only_op = best_.c.program.main().body.size() == 1;
        if (is_only_op && tensor != nullptr &&
            tensor->type().shape.size() == 1 &&
            IsInteger(tensor->element_type()))
          SimplifyList(i);
        if (tensor == nullptr || !tensor->type().shape.empty()) continue;
        for (const ElementBits bits :
             SimplerBits(tensor->element_type(), tensor->Bits(0))) {
          Case c = best_.c;
          Tensor simpler(tensor->type());
          simpler.SetBits(0, bits);
          c.program.functions[0].body[n].attributes[i].value = simpler;
          if (Try(c, best_.variant)) break;
        }
      }
    }
    for (size_t k = 0; k < best_.c.program.main().body[0].inputs.size(); ++k) {
      Case c = best_.c;
      c.program.functions[0].body[0].inputs[k].is_scalar = false;
      Try(c, best_.variant);
    }
  }

  // Removes elements of a list of numbers, and changes them to simpler ones.
  void SimplifyList(size_t attribute) {
    const auto list = [&] {
      return std::get<Tensor>(
          best_.c.program.main().body[0].attributes[attribute].value);
    };
    for (int64_t i = 0; i < list().size();) {
      const Tensor numbers = list();
      Tensor without(TensorType{{numbers.size() - 1}, numbers.element_type()});
      for (int64_t k = 0; k < without.size(); ++k)
        without.SetBits(k, numbers.Bits(k < i ? k : k + 1));
      if (Try(WithNumbers(best_.c, attribute, without))) continue;
      for (const ElementBits bits :
           SimplerBits(numbers.element_type(), numbers.Bits(i))) {
        Tensor simpler = Copy(numbers);
        simpler.SetBits(i, bits);
        if (Try(WithNumbers(best_.c, attribute, simpler))) break;
      }
      ++i;
    }
  }

  // ------------------------------------------------------------------ types

  // A call that violates a constraint has types alone. Each of their dimensions
  // is removed, or becomes 1, in one tensor or in all of them.
  void SimplifyTypes() {
    for (const TypedName& input :
         std::vector<TypedName>(best_.c.program.main().inputs))
      SimplifyType(input.name);
    for (const Op::Result& result :
         std::vector<Op::Result>(best_.c.program.main().body[0].outputs))
      SimplifyType(result.value);
    for (size_t d = 0; d < AxesOf(best_.c).size(); ++d) {
      for (const int64_t size : {0, 1, 2}) {
        Case c = best_.c;
        const Axis axis = AxesOf(best_.c)[d];
        for (const Axis::Place& place : axis.places) {
          TensorType type = TypeOf(c, place.value);
          if (place.dimension >= type.shape.size()) continue;
          const auto at =
              type.shape.begin() + static_cast<std::ptrdiff_t>(place.dimension);
          if (size == 0) {
            type.shape.erase(at);
          } else {
            *at = std::min(*at, size);
          }
          SetType(place.value, type, &c);
        }
        if (Try(c, "")) break;
      }
    }
  }

  void SimplifyType(const std::string& value) {
    for (size_t d = 0; d < TypeOf(best_.c, value).shape.size();) {
      const TensorType type = TypeOf(best_.c, value);
      TensorType without = type;
      without.shape.erase(without.shape.begin() +
                          static_cast<std::ptrdiff_t>(d));
      Case c = best_.c;
      SetType(value, without, &c);
      if (Try(c, "")) continue;
      for (const int64_t size : {int64_t{1}, int64_t{2}, int64_t{3}}) {
        TensorType shorter = type;
        shorter.shape[d] = std::min(type.shape[d], size);
        c = best_.c;
        SetType(value, shorter, &c);
        if (Try(c, "")) break;
      }
      ++d;
    }
  }

  // Tries a simpler type of the same kind everywhere, because another kind is
  // another bug.
  void ChangeElementTypes() {
    std::set<ElementType> there;
    for (const TypedName& input : best_.c.program.main().inputs)
      there.insert(input.type.tensor().element_type);
    for (const ElementType from : there) {
      std::vector<ElementType> simpler;
      for (const ElementTypeInfo& info : ElementTypes()) {
        if (info.kind == Info(from).kind &&
            TypeCost(info.type) < TypeCost(from))
          simpler.push_back(info.type);
      }
      std::ranges::sort(simpler, {}, TypeCost);
      for (const ElementType to : simpler) {
        if (Try(WithElementType(best_.c, from, to))) break;
      }
    }
  }

  // ----------------------------------------------------------------- values

  void SimplifyValues() {
    for (size_t k = 0; k < best_.c.inputs.size(); ++k) {
      const ElementType type = best_.c.inputs[k].data.type.element_type;
      if (Values(k).size() == 0) continue;
      const auto all = [&](ElementBits bits) {
        Tensor tensor(Values(k).type());
        for (int64_t i = 0; i < tensor.size(); ++i) tensor.SetBits(i, bits);
        return TryValues(k, tensor);
      };
      if (all(0)) continue;
      if (Values(k).size() > 1) {
        all(BitsOfOne(type));
        const int64_t failed = best_.verdict.first_failed;
        if (failed >= 0 && failed < Values(k).size())
          all(Values(k).Bits(failed));
        ZeroRanges(k);
      }
      SimplifyElements(k);
    }
  }

  Tensor Values(size_t k) const { return best_.c.inputs[k].data.Materialise(); }

  bool TryValues(size_t k, const Tensor& values) {
    Case c = best_.c;
    c.inputs[k].data.source = values;
    return Try(c, best_.variant);
  }

  // Sets halves, quarters, .. of the elements to zero.
  void ZeroRanges(size_t k) {
    const int64_t size = Values(k).size();
    for (int64_t part = size; part >= 1 && HasBudget(); part /= 2) {
      for (int64_t begin = 0; begin < size; begin += part) {
        Tensor values = Copy(Values(k));
        bool changed = false;
        for (int64_t i = begin; i < std::min(begin + part, size); ++i) {
          changed |= values.Bits(i) != 0;
          values.SetBits(i, 0);
        }
        if (changed) TryValues(k, values);
      }
      // More elements than that are not worth a call each.
      if (size / part >= 64) break;
    }
  }

  // Changes elements that have one value together, then each alone.
  void SimplifyElements(size_t k) {
    std::set<ElementBits> tried;
    for (int64_t i = 0; i < Values(k).size() && tried.size() < 16; ++i) {
      ElementBits bits = Values(k).Bits(i);
      if (bits == 0 || !tried.insert(bits).second) continue;
      for (bool again = true; again;) {
        again = false;
        for (const ElementBits simpler :
             SimplerBits(Values(k).element_type(), bits)) {
          Tensor values = Copy(Values(k));
          for (int64_t j = 0; j < values.size(); ++j) {
            if (values.Bits(j) == bits) values.SetBits(j, simpler);
          }
          if (!TryValues(k, values)) continue;
          bits = simpler;
          again = true;
          break;
        }
      }
    }
  }

  static Tensor Copy(const Tensor& tensor) {
    Tensor copy(tensor.type());
    for (int64_t i = 0; i < copy.size(); ++i) copy.SetBits(i, tensor.Bits(i));
    return copy;
  }

  const ShrinkOptions& options_;
  const std::function<Verdict(const Case&)>& judge_;
  Shrunk best_;
  std::string core_;
  Cost cost_ = {};
};

}  // namespace

Shrunk Shrink(const Case& c, const std::string& variant,
              const ShrinkOptions& options,
              const std::function<Verdict(const Case&)>& judge) {
  return Shrinker(options, judge).Run(c, variant);
}

}  // namespace assay
