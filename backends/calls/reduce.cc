// A reduction combines neighbours, so that half of the terms are left, until
// one is left: a binary tree that keeps their order and depends on their number
// alone. The initial value is combined with the last one.
#include <algorithm>
#include <utility>

#include "backends/calls/attributes.h"
#include "backends/calls/functions.h"
#include "backends/calls/tensors.h"

namespace assay::calls {
namespace {

using Shape = Columns::Shape;

// Returns elements first, first + step, .. of the first dimension.
Column Every(const Column& terms, int64_t first, int64_t step, int64_t count,
             size_t bytes) {
  Column part = terms;
  part.view.shape[0] = count;
  part.view.Advance(first * terms.view.strides[0], bytes);
  part.view.strides[0] *= step;
  return part;
}

// A Fold applies the function to pairs of tuples.
class Fold {
 public:
  Fold(const FunctionCall& operands, Columns* columns)
      : operands_(operands), columns_(*columns) {}

  // Writes the results for tensors of one shape.
  void Combine(const std::vector<Column>& lhs, const std::vector<Column>& rhs,
               const std::vector<Column>& to) {
    const Shape& shape = lhs[0].view.shape;
    std::vector<Column> arguments = lhs;
    arguments.insert(arguments.end(), rhs.begin(), rhs.end());
    for (const Column& capture : operands_.captures)
      arguments.push_back(Columns::Broadcast(capture, shape));
    const Columns::Mark mark = columns_.GetMark();
    const std::vector<Column> results =
        columns_.Apply(*operands_.function, arguments, shape, &to[0]);
    // A result may be an operand of another one, so that none is written before
    // all of them are there; `to` shares no memory with the operands.
    for (size_t k = 0; k < to.size() && columns_.failure() == nullptr; ++k) {
      if (results[k].view.first != to[k].view.first)
        columns_.Convert(results[k], to[k]);
    }
    columns_.Rewind(mark);
  }

 private:
  const FunctionCall& operands_;
  Columns& columns_;
};

}  // namespace

void RunReduce(const AssayCall& call, const FunctionCall& operands,
               Columns* columns) {
  const std::vector<Column>& inputs = operands.groups[0];
  const std::vector<Column>& inits = operands.groups[1];
  const std::vector<Column>& outputs = operands.outputs;
  const Shape& sizes = inputs[0].view.shape;
  const auto dimensions = ListOf(call, "dimensions");
  if (!dimensions) return columns->Fail("attribute value");
  std::vector<bool> is_reduced(sizes.size());
  for (const int64_t d : *dimensions) {
    if (d < 0 || static_cast<size_t>(d) >= sizes.size())
      return columns->Fail("attribute value");
    is_reduced[static_cast<size_t>(d)] = true;
  }
  if (inits.size() != inputs.size() || outputs.size() != inputs.size() ||
      static_cast<size_t>(operands.function->num_results) != outputs.size())
    return columns->Fail("number of operands");
  // The terms come first: their order is that of the dimensions.
  std::vector<size_t> order;
  Shape kept;
  int64_t length = 1;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (!is_reduced[d]) {
      kept.push_back(sizes[d]);
      continue;
    }
    order.push_back(d);
    length *= sizes[d];
  }
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (!is_reduced[d]) order.push_back(d);
  }
  for (const Column& output : outputs) {
    if (output.view.shape != kept)
      return columns->Fail("mix of operand shapes");
  }
  if (CountOf(kept) == 0) return;

  Shape shape = kept;
  shape.insert(shape.begin(), length);
  std::vector<Column> starts, terms;
  for (size_t k = 0; k < inputs.size(); ++k) {
    const char* const type = outputs[k].type;
    Column start = columns->New(type, {});
    columns->Convert(inits[k], start);
    starts.push_back(Columns::Broadcast(start, kept));
    Column from = {inputs[k].type, {{}, {}, inputs[k].view.first}};
    for (const size_t d : order) {
      from.view.shape.push_back(sizes[d]);
      from.view.strides.push_back(inputs[k].view.strides[d]);
    }
    Column packed = columns->New(type, from.view.shape);
    if (length > 0) columns->Convert(from, packed);
    terms.push_back({type, {shape, RowMajor(shape), packed.view.first}});
  }

  Fold fold(operands, columns);
  const auto each = [&](const std::vector<Column>& tuple, int64_t first,
                        int64_t step, int64_t count) {
    std::vector<Column> parts;
    for (const Column& column : tuple) {
      parts.push_back(
          Every(column, first, step, count, BytesOfScalar(column.type)));
    }
    return parts;
  };
  std::vector<Column> others;
  for (const Column& term : terms) {
    Shape half = term.view.shape;
    half[0] = (length + 1) / 2;
    others.push_back(columns->New(term.type, half));
  }
  while (length > 1 && columns->failure() == nullptr) {
    const int64_t pairs = length / 2;
    fold.Combine(each(terms, 0, 2, pairs), each(terms, 1, 2, pairs),
                 each(others, 0, 1, pairs));
    for (size_t k = 0; k < terms.size() && length % 2 != 0; ++k) {
      columns->Convert(each({terms[k]}, length - 1, 1, 1)[0],
                       each({others[k]}, pairs, 1, 1)[0]);
    }
    length = pairs + length % 2;
    std::swap(terms, others);
  }
  std::vector<Column> results = starts;
  if (length == 1) {
    for (size_t k = 0; k < terms.size(); ++k) {
      terms[k].view.shape.erase(terms[k].view.shape.begin());
      terms[k].view.strides.erase(terms[k].view.strides.begin());
      results[k] = columns->New(terms[k].type, kept);
    }
    fold.Combine(starts, terms, results);
  }
  // An output may lie where an operand of another one does, which is not needed
  // any more.
  for (size_t k = 0; k < outputs.size(); ++k)
    columns->Convert(results[k], outputs[k]);
}

}  // namespace assay::calls
