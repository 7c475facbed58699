#include <algorithm>
#include <string>
#include <vector>

#include "fuzz/shrink/edit.h"
#include "fuzz/shrink/passes.h"
#include "fuzz/shrink/simpler_values.h"

namespace assay {
namespace {

class LayoutSimplifier {
 public:
  explicit LayoutSimplifier(Smallest* smallest) : smallest_(*smallest) {}

  void Run() {
    if (smallest_.Try(InRowMajorOrder(smallest_.c()))) return;
    if (!smallest_.c().alias.empty()) {
      Case apart = smallest_.c();
      apart.alias.clear();
      for (Op::Result& result : apart.program.functions[0].body[0].outputs)
        result.in_place.reset();
      smallest_.Try(apart);
    }
    for (size_t k = 0; k < smallest_.c().inputs.size(); ++k) {
      const Shape shape = smallest_.c().inputs[k].data.type.shape;
      SimplifyLayout(shape, [&](Case* c) { return &c->inputs[k].layout; });
    }
    std::vector<std::string> placed;
    for (const auto& [value, layout] : smallest_.c().output_layouts)
      placed.push_back(value);
    for (const std::string& value : placed) {
      Case without = smallest_.c();
      without.output_layouts.erase(value);
      if (smallest_.Try(without)) continue;
      SimplifyLayout(TypeOf(smallest_.c(), value).shape,
                     [&](Case* c) { return &c->output_layouts.at(value); });
    }
  }

 private:
  template <class F>  // F(Case*): the layout in it
  void SimplifyLayout(const Shape& shape, F layout_of) {
    const auto with = [&](const Layout& layout) {
      Case c = smallest_.c();
      *layout_of(&c) = layout;
      return smallest_.Try(c);
    };
    const auto now = [&] {
      Case c = smallest_.c();
      return *layout_of(&c);
    };
    if (with(Layout::RowMajor(shape))) return;
    for (const Layout& layout : SimplerLayouts(now(), shape)) with(layout);
    // Each dimension is changed alone, whatever the others have.
    for (size_t d = 0; d < shape.size(); ++d) {
      Layout layout = now();
      layout.strides[d] = RowMajorStrides(shape)[d];
      if (shape[d] == 1) with(layout);
    }
    Layout layout = now();
    layout.offset = -layout.ExtentOf(shape)->below;
    with(layout);
    layout.offset += 1;
    with(layout);
  }

  Smallest& smallest_;
};

}  // namespace

void SimplifyLayouts(Smallest* smallest) { LayoutSimplifier(smallest).Run(); }

}  // namespace assay
