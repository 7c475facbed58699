#include "backends/broken/kernel/sliding.h"

#include <string.h>

#include <algorithm>

#include "backends/calls/attributes.h"
#include "backends/calls/dims_view.h"
#include "backends/calls/tensors.h"

namespace assay::broken {
namespace {

using Numbers = std::vector<int64_t>;

// A window of more elements takes too long, one at a time.
constexpr int64_t kMostOfAWindow = int64_t{1} << 20;

// Reads the numbers of a call. Returns false if they do not fit the operand.
bool ReadSliding(const FunctionCall& call, const Numbers& windows,
                 Sliding* sliding) {
  sliding->shape = call.inputs[0].shape;
  sliding->windows = windows;
  const size_t rank = sliding->shape.size();
  const Numbers ones(rank, 1);
  const auto read = [&](const char* name, Numbers* numbers) {
    *numbers = calls::ListOf(call.call, name).value_or(ones);
    return numbers->size() == rank &&
           std::ranges::all_of(*numbers, [](int64_t n) { return n >= 1; });
  };
  if (windows.size() != rank || !read("window_dimensions", &sliding->sizes) ||
      !read("window_strides", &sliding->strides) ||
      !read("base_dilations", &sliding->base_dilations) ||
      !read("window_dilations", &sliding->dilations))
    return false;
  sliding->low.assign(rank, 0);
  sliding->high.assign(rank, 0);
  const AssayAttribute* padding = calls::FindAttribute(call.call, "padding");
  if (padding == nullptr) return true;
  if (padding->value == nullptr ||
      calls::CountElements(padding->value->tensor) != 2 * rank)
    return false;
  const auto* const numbers = reinterpret_cast<const int64_t*>(
      calls::FirstElement(padding->value->tensor));
  for (size_t d = 0; d < rank; ++d) {
    sliding->low[d] = numbers[2 * d];
    sliding->high[d] = numbers[2 * d + 1];
  }
  return true;
}

bool IsTooLarge(const Numbers& sizes) {
  int64_t count = 1;
  return std::ranges::any_of(sizes, [&](int64_t size) {
    return __builtin_mul_overflow(count, size, &count) ||
           count > kMostOfAWindow;
  });
}

bool IsScalar(const Elements& elements) { return elements.shape.empty(); }

}  // namespace

Numbers Slide(const Sliding& sliding, int64_t window) {
  const size_t rank = sliding.shape.size();
  const Numbers steps = calls::RowMajor(sliding.shape);
  Numbers start(rank), offset(rank);
  for (size_t d = rank; d-- > 0; window /= sliding.windows[d])
    start[d] = window % sliding.windows[d] * sliding.strides[d];
  Numbers places;
  const int64_t count = calls::CountOf(sliding.sizes);
  for (int64_t i = 0; i < count; ++i) {
    int64_t left = i, place = 0;
    for (size_t d = rank; d-- > 0; left /= sliding.sizes[d]) {
      const int64_t padded =
          start[d] + left % sliding.sizes[d] * sliding.dilations[d];
      const int64_t dilated = padded - sliding.low[d];
      const int64_t step = sliding.base_dilations[d];
      if (dilated < 0 || dilated % step != 0 ||
          dilated / step >= sliding.shape[d])
        place = kPadding;
      if (place != kPadding) place += dilated / step * steps[d];
    }
    places.push_back(place);
  }
  return places;
}

std::vector<Tuple> Seen(const FunctionCall& call, const Sliding&, int64_t,
                        const Numbers& places) {
  std::vector<Tuple> terms;
  for (const int64_t place : places) {
    Tuple& term = terms.emplace_back();
    for (size_t k = 0; k < call.inputs.size(); ++k)
      term.push_back(place == kPadding ? call.init_values[k].At(0)
                                       : call.inputs[k].At(place));
  }
  return terms;
}

void RunReduceWindow(FunctionCall* call) {
  const size_t count = call->inputs.size();
  Sliding sliding;
  if (call->init_values.size() != count || call->outputs.size() != count)
    return call->Fail("number of operands");
  const Numbers windows = call->outputs[0].shape;
  if (!std::ranges::all_of(call->init_values, IsScalar) ||
      !std::ranges::all_of(call->outputs, [&](const Elements& output) {
        return output.shape == windows;
      }))
    return call->Fail("mix of operand shapes");
  if (!ReadSliding(*call, windows, &sliding))
    return call->Fail("attribute value");
  const Hooks& hooks = ActiveHooks();
  Tuple init;
  for (const Elements& of : call->init_values) init.push_back(of.At(0));
  const int64_t number = calls::CountOf(windows);
  if (number > 0 && IsTooLarge(sliding.sizes))
    return call->Fail("windows as large as these");
  for (int64_t window = 0; window < number && !call->IsDone(); ++window) {
    const std::vector<Tuple> terms =
        hooks.seen(*call, sliding, window, hooks.slide(sliding, window));
    const Tuple results = hooks.fold(*call, terms, init);
    for (size_t k = 0; k < count && !call->IsDone(); ++k) {
      if (results.size() == count && HasType(results[k], call->outputs[k].type))
        call->outputs[k].Set(window, results[k]);
      else
        call->Fail("result type");
    }
  }
}

bool Selects(const FunctionCall& call, const Scalar& first,
             const Scalar& second) {
  const Hooks& hooks = ActiveHooks();
  const Tuple results = hooks.apply(call, call.call.functions[0],
                                    hooks.bind(call, {first, second}));
  if (call.IsDone()) return false;
  if (results.size() != 1 || results[0].type.code != ASSAY_DL_BOOL) {
    call.Fail("a selector of another type");
    return false;
  }
  return results[0].bytes[0] != 0;
}

int64_t Pick(const FunctionCall& call, const Numbers& places) {
  int64_t picked = kPadding;
  for (const int64_t place : places) {
    if (place == kPadding) continue;
    if (picked == kPadding ||
        !Selects(call, call.inputs[0].At(picked), call.inputs[0].At(place)))
      picked = place;
  }
  return picked;
}

Numbers Givers(const Numbers& selected, int64_t element) {
  Numbers windows;
  for (size_t window = 0; window < selected.size(); ++window) {
    if (selected[window] == element)
      windows.push_back(static_cast<int64_t>(window));
  }
  return windows;
}

void RunSelectAndScatter(FunctionCall* call) {
  if (call->inputs.size() != 1 || call->init_values.size() != 2 ||
      call->outputs.size() != 1)
    return call->Fail("number of operands");
  const Elements &source = call->init_values[0], &init = call->init_values[1];
  if (!IsScalar(init) || call->outputs[0].shape != call->inputs[0].shape)
    return call->Fail("mix of operand shapes");
  Sliding sliding;
  if (!ReadSliding(*call, source.shape, &sliding))
    return call->Fail("attribute value");
  const int64_t number = calls::CountOf(source.shape);
  if (number > 0 && IsTooLarge(sliding.sizes))
    return call->Fail("windows as large as these");
  const Hooks& hooks = ActiveHooks();
  Numbers selected;
  for (int64_t window = 0; window < number && !call->IsDone(); ++window)
    selected.push_back(hooks.pick(*call, hooks.slide(sliding, window)));
  call->number = 1;
  const int64_t count = calls::CountOf(call->inputs[0].shape);
  for (int64_t i = 0; i < count && !call->IsDone(); ++i) {
    std::vector<Tuple> terms;
    for (const int64_t window : hooks.givers(selected, i))
      terms.push_back({source.At(window)});
    const Tuple result = hooks.fold(*call, terms, {init.At(0)});
    if (call->IsDone()) return;
    if (result.size() != 1 || !HasType(result[0], call->outputs[0].type))
      return call->Fail("result type");
    call->outputs[0].Set(i, result[0]);
  }
}

}  // namespace assay::broken
