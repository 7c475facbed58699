// In each layout, operands lie at other places in a buffer, counted in elements
// from its start.
#include "cases/variants/layout_variants.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <optional>

#include "cases/variants/metamorphic_relations.h"
#include "cases/variants/repeated_operands.h"
#include "spec/error.h"

namespace assay {
namespace {

constexpr std::array kLayouts = {
    VariantKind{"gaps", "rows with unused elements between them"},
    VariantKind{"step2", "every second element"},
    VariantKind{"step3", "every third element"},
    VariantKind{"transposed", "the first dimension innermost"},
    VariantKind{"reversed", "negative strides"},
    VariantKind{"broadcast0",
                "stride 0 along one dimension, and other values along another"},
    VariantKind{"offset1", "operands one element into their buffers"},
    VariantKind{"odd_alignment",
                "operands and results aligned as their type and no more"},
    VariantKind{"mixed", "each operand in a layout of its own"},
    VariantKind{"output_strided", "results that are not contiguous"},
    VariantKind{"in_place", "the result in the memory of an operand"}};

// A variant may take several times the memory of a case's elements, so larger
// cases have none.
constexpr int64_t kMostElements = int64_t{1} << 24;

bool HasSeveral(const Shape& shape) {
  return WideDimensions(shape) > 0 && *ElementCount(shape) > 1;
}

Strides Times(Strides strides, int64_t factor) {
  for (int64_t& stride : strides) stride *= factor;
  return strides;
}

// Returns column-major order.
Layout Transposed(const Shape& shape) {
  Strides strides(shape.size());
  int64_t stride = 1;
  for (size_t d = 0; d < shape.size(); ++d) {
    strides[d] = stride;
    stride *= shape[d];
  }
  return {strides, 0};
}

// Returns rows of the innermost dimension with `gap` elements between them.
Layout WithGaps(const Shape& shape, int64_t gap) {
  Shape padded = shape;
  padded.back() += gap;
  return {RowMajorStrides(padded), 0};
}

Layout Reversed(const Shape& shape) {
  return {Times(RowMajorStrides(shape), -1), *ElementCount(shape) - 1};
}

Layout Stepping(const Shape& shape, int64_t step) {
  return {Times(RowMajorStrides(shape), step), 0};
}

// Returns the layout of operand number `k` in the variant `mixed`.
Layout Mixed(const Shape& shape, size_t k) {
  const bool has_rows = WideDimensions(shape) > 1;
  switch (k % 4) {
    case 0:
      return has_rows ? Transposed(shape) : Reversed(shape);
    case 1:
      return Stepping(shape, 2);
    case 2:
      return has_rows ? WithGaps(shape, 5) : Stepping(shape, 3);
    default:
      return Reversed(shape);
  }
}

// Returns a layout that is transposed with every second element unused; for one
// row, only the latter.
Layout OfOutput(const Shape& shape) {
  if (WideDimensions(shape) < 2) return Stepping(shape, 2);
  Layout layout = Transposed(shape);
  layout.strides = Times(layout.strides, 2);
  return layout;
}

// Returns the layout of an operand in the variant `kind`; row-major if the
// variant does not apply to the shape.
Layout OfInput(std::string_view kind, const Shape& shape, size_t k) {
  const Layout row_major = Layout::RowMajor(shape);
  if (ElementCount(shape) == 0) return row_major;
  if (kind == "offset1") return {row_major.strides, 1};
  if (kind == "odd_alignment")
    return {row_major.strides, static_cast<int64_t>(2 * k) + 1};
  if (!HasSeveral(shape)) return row_major;
  if (kind == "step2") return Stepping(shape, 2);
  if (kind == "step3") return Stepping(shape, 3);
  if (kind == "reversed") return Reversed(shape);
  if (kind == "mixed") return Mixed(shape, k);
  if (WideDimensions(shape) < 2) return row_major;
  if (kind == "transposed") return Transposed(shape);
  if (kind == "gaps") return WithGaps(shape, 3 + 2 * static_cast<int64_t>(k));
  return row_major;
}

// Returns the number of the operand whose memory the result of a call may take,
// or nullopt.
std::optional<size_t> InPlaceOperand(const Case& c) {
  const std::vector<Op>& body = c.program.main().body;
  if (body.size() != 1 || body[0].outputs.size() != 1) return std::nullopt;
  const std::vector<Op::Operand>& inputs = body[0].inputs;
  const auto it =
      std::ranges::find(inputs, body[0].outputs[0].type, &Op::Operand::type);
  if (it == inputs.end() || it->is_scalar) return std::nullopt;
  return static_cast<size_t>(it - inputs.begin());
}

void PutInPlace(Case* c) {
  const size_t operand = *InPlaceOperand(*c);
  Op& op = c->program.functions[0].body[0];
  op.outputs[0].in_place = operand;
  c->alias[op.outputs[0].value] = op.inputs[operand].value;
}

bool IsRun(const Case& c) {
  // Ops inside of a function have no layouts of their own.
  if (std::ranges::any_of(c.program.main().body,
                          [](const Op& op) { return FindOp(op.op)->control; }))
    return false;
  // A walk has a layout of its own already.
  if (!c.walk.empty()) return false;
  if (!c.Runs() || c.chunk > 0 || !c.alias.empty()) return false;
  const int64_t count =
      *ElementCount(c.program.main().body[0].outputs[0].type.tensor().shape);
  return 0 < count && count <= kMostElements;
}

}  // namespace

std::span<const VariantKind> LayoutVariants() { return kLayouts; }

std::vector<VariantKind> VariantKinds() {
  std::vector<VariantKind> kinds(kLayouts.begin(), kLayouts.end());
  std::ranges::copy(MetamorphicRelations(), std::back_inserter(kinds));
  return kinds;
}

Case DeferredVariant(const std::shared_ptr<const Case>& c,
                     std::string_view kind) {
  Case deferred;
  deferred.name = c->name + "@" + std::string(kind);
  deferred.op = c->op;
  deferred.file = c->file;
  deferred.variant = {std::string(kind)};
  deferred.original = c;
  return deferred;
}

Case MakeVariant(const Case& deferred) {
  return VariantOf(*deferred.original, deferred.variant->layout);
}

bool HasVariant(const Case& c, std::string_view kind) {
  if (!IsRun(c)) return false;
  if (IsRelation(kind)) return HasRelation(c, kind);
  if (kind == "in_place") return InPlaceOperand(c).has_value();
  if (kind == "broadcast0") return CanRepeat(c);
  if (kind == "output_strided")
    return std::ranges::any_of(c.program.main().body, [](const Op& op) {
      return HasSeveral(op.outputs[0].type.tensor().shape);
    });
  for (size_t k = 0; k < c.inputs.size(); ++k) {
    const Shape& shape = c.inputs[k].data.type.shape;
    const Layout layout = OfInput(kind, shape, k);
    if (layout.offset != 0 || !layout.IsRowMajor(shape)) return true;
  }
  return false;
}

Case VariantOf(const Case& c, std::string_view kind) {
  ASSAY_CHECK(HasVariant(c, kind));
  if (IsRelation(kind)) return Related(c, kind);
  Case variant = c;
  variant.name += "@" + std::string(kind);
  variant.expect.clear();
  variant.variant = {std::string(kind)};
  for (size_t k = 0; k < variant.inputs.size(); ++k) {
    CaseInput& input = variant.inputs[k];
    input.layout = OfInput(kind, input.data.type.shape, k);
  }
  if (kind == "broadcast0") RepeatOperands(&variant);
  variant.output_layouts.clear();
  if (kind == "in_place") PutInPlace(&variant);
  const bool is_odd = kind == "odd_alignment";
  variant.component_aligned = is_odd;
  for (const Op& op : variant.program.main().body) {
    for (const Op::Result& output : op.outputs) {
      Layout& layout = variant.output_layouts[output.value];
      layout = Layout::RowMajor(output.type.tensor().shape);
      if (ElementCount(output.type.tensor().shape) == 0) continue;
      if (is_odd) layout.offset = 1;
      if (HasSeveral(output.type.tensor().shape)) {
        if (kind == "output_strided")
          layout = OfOutput(output.type.tensor().shape);
        if (kind == "mixed") layout = Stepping(output.type.tensor().shape, 3);
      }
    }
  }
  return variant;
}

}  // namespace assay
