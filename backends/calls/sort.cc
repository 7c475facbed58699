// Sorting is done by merge exchange (Knuth, The Art of Computer Programming,
// volume 3, algorithm 5.2.2 M): a network of comparisons that depends on the
// number of elements alone. The comparisons of a stage are of different
// elements, so that they are done at once, and any comparator leaves a
// permutation.
#include <stdio.h>
#include <string.h>

#include <utility>

#include "backends/calls/attributes.h"
#include "backends/calls/functions.h"
#include "backends/calls/tensors.h"

namespace assay::calls {
namespace {

using Shape = Columns::Shape;

class Network {
 public:
  // `columns` are sorted along the dimension; the last one has the numbers of
  // the elements if the sort is stable.
  Network(std::vector<Column> sorted, size_t dimension, bool is_stable,
          const FunctionCall& operands, Columns* columns)
      : sorted_(std::move(sorted)),
        dimension_(dimension),
        is_stable_(is_stable),
        operands_(operands),
        columns_(*columns) {}

  void Sort() {
    const int64_t size = sorted_[0].view.shape[dimension_];
    int64_t most = 1;
    while (most < size) most *= 2;
    for (int64_t p = most / 2; p > 0; p /= 2) {
      ExchangeAll(p, 0, p);
      for (int64_t q = most / 2; q != p; q /= 2) ExchangeAll(p, p, q - p);
    }
  }

 private:
  // Compares the elements i, with i & p equal to r, with those at i + distance.
  void ExchangeAll(int64_t p, int64_t r, int64_t distance) {
    const int64_t count = sorted_[0].view.shape[dimension_] - distance - r;
    if (count <= 0) return;
    const int64_t rest = count % (2 * p);
    const int64_t blocks = count / (2 * p) + (rest >= p ? 1 : 0);
    Exchange(r, blocks, p, 2 * p, distance);
    if (rest < p) Exchange(r + blocks * 2 * p, 1, rest, 2 * p, distance);
  }

  // Returns `blocks` of `size` elements, which begin `step` elements apart.
  Column Part(const Column& column, int64_t first, int64_t blocks, int64_t size,
              int64_t step) const {
    Column part = column;
    const int64_t stride = column.view.strides[dimension_];
    const auto at = static_cast<ptrdiff_t>(dimension_);
    part.view.Advance(first * stride, BytesOfScalar(column.type));
    part.view.shape[dimension_] = size;
    part.view.shape.insert(part.view.shape.begin() + at, blocks);
    part.view.strides.insert(part.view.strides.begin() + at, step * stride);
    return part;
  }

  // Returns what the comparator says of pairs of tuples.
  Column IsLess(const std::vector<Column>& lhs,
                const std::vector<Column>& rhs) {
    const Shape& shape = lhs[0].view.shape;
    std::vector<Column> arguments;
    for (size_t k = 0; k < operands_.outputs.size(); ++k) {
      arguments.push_back(lhs[k]);
      arguments.push_back(rhs[k]);
    }
    for (const Column& capture : operands_.captures)
      arguments.push_back(Columns::Broadcast(capture, shape));
    const std::vector<Column> results =
        columns_.Apply(*operands_.function, arguments, shape);
    if (columns_.failure() == nullptr &&
        (results.size() != 1 || strcmp(results[0].type, "tensor<i1>") != 0))
      columns_.Fail("a comparator of another type");
    return columns_.failure() == nullptr ? results[0] : Column{};
  }

  void Exchange(int64_t first, int64_t blocks, int64_t size, int64_t step,
                int64_t distance) {
    if (blocks == 0 || size == 0 || columns_.failure() != nullptr) return;
    const Columns::Mark mark = columns_.GetMark();
    std::vector<Column> low, high;
    for (const Column& column : sorted_) {
      low.push_back(Part(column, first, blocks, size, step));
      high.push_back(Part(column, first + distance, blocks, size, step));
    }
    const Shape& shape = low[0].view.shape;
    Column swaps = IsLess(high, low);
    if (is_stable_) {
      const Column is_ordered =
          columns_.Truth("or", {swaps, IsLess(low, high)}, shape);
      const Column is_tie = columns_.Truth("not", {is_ordered}, shape);
      const Column is_later = columns_.Compare("GT", low.back(), high.back());
      const Column is_tie_to_swap =
          columns_.Truth("and", {is_tie, is_later}, shape);
      swaps = columns_.Truth("or", {swaps, is_tie_to_swap}, shape);
    }
    for (size_t k = 0; k < sorted_.size(); ++k) {
      const Column lesser = columns_.Select(swaps, high[k], low[k]);
      const Column greater = columns_.Select(swaps, low[k], high[k]);
      columns_.Convert(lesser, low[k]);
      columns_.Convert(greater, high[k]);
    }
    columns_.Rewind(mark);
  }

  const std::vector<Column> sorted_;
  const size_t dimension_;
  const bool is_stable_;
  const FunctionCall& operands_;
  Columns& columns_;
};

}  // namespace

void RunSort(const AssayCall& call, const FunctionCall& operands,
             Columns* columns) {
  const std::vector<Column>& inputs = operands.groups[0];
  const std::vector<Column>& outputs = operands.outputs;
  const Shape& shape = inputs[0].view.shape;
  const auto rank = static_cast<int64_t>(shape.size());
  int64_t dimension = NumberOf(call, "dimension").value_or(-1);
  if (dimension < 0) dimension += rank;
  if (outputs.size() != inputs.size())
    return columns->Fail("number of operands");
  for (size_t k = 0; k < inputs.size(); ++k) {
    if (outputs[k].view.shape != shape)
      return columns->Fail("mix of operand shapes");
    if (strcmp(outputs[k].type, inputs[k].type) != 0)
      return columns->Fail("result type");
  }
  // A sort of scalars has no dimension by the letter.
  if (dimension < 0 || dimension >= rank)
    return columns->Fail("attribute value");
  if (CountOf(shape) == 0) return;

  std::vector<Column> sorted;
  for (const Column& input : inputs) {
    sorted.push_back(columns->New(input.type, shape));
    columns->Convert(input, sorted.back());
  }
  const AssayAttribute* const attribute = FindAttribute(call, "is_stable");
  const bool is_stable =
      attribute != nullptr && strcmp(attribute->text, "true") == 0;
  if (is_stable) {
    char text[sizeof("-9223372036854775808")];
    snprintf(text, sizeof(text), "%lld", static_cast<long long>(dimension));
    AssayAttribute iota_dimension = {};
    iota_dimension.name = "iota_dimension";
    iota_dimension.text = text;
    sorted.push_back(columns->New("tensor<i64>", shape));
    columns->Run("iota", {}, sorted.back(), {iota_dimension});
  }
  Network(sorted, static_cast<size_t>(dimension), is_stable, operands, columns)
      .Sort();
  for (size_t k = 0; k < outputs.size(); ++k)
    columns->Convert(sorted[k], outputs[k]);
}

}  // namespace assay::calls
