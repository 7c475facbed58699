// scatter by any function: the updates are taken in rounds, in each of which no
// element is updated twice, so that the function is applied to all of a round
// at once.
#include <string.h>

#include <utility>

#include "backends/calls/functions.h"
#include "backends/calls/tensors.h"
#include "backends/calls/windows.h"

namespace assay::calls {
namespace {

using Shape = Columns::Shape;
using Places = std::vector<int64_t>;

// The places of elements, and of their updates, which are applied at once.
struct Round {
  Places elements, updates;
};

// Adds the places that the windows of an update reach within the operand.
class Rounds {
 public:
  Rounds(const Windows& windows, int64_t operand_count)
      : windows_(windows), counts_(static_cast<size_t>(operand_count)) {}

  std::vector<Round> All() {
    const int64_t count = windows_.BatchCount();
    if (count == 0 || windows_.WindowCount() == 0) return {};
    WindowCursor cursor(windows_, 0);
    for (int64_t i = 0; i < count; ++i) {
      if (i > 0) cursor.Next();
      AddWindow(cursor.window(), 0, 0, cursor.window().other);
    }
    return std::move(rounds_);
  }

 private:
  void AddWindow(const Window& window, size_t d, int64_t element,
                 int64_t update) {
    if (d == windows_.dims.size()) {
      const auto round =
          static_cast<size_t>(counts_[static_cast<size_t>(element)]++);
      if (round == rounds_.size()) rounds_.emplace_back();
      rounds_[round].elements.push_back(element);
      rounds_[round].updates.push_back(update);
      return;
    }
    const Windows::Dim& dim = windows_.dims[d];
    for (int64_t i = 0; i < dim.window_size; ++i) {
      const int64_t begin = window.begin[d];
      // begin + i may be more than int64_t has.
      if (begin < -i || begin >= dim.size - i) continue;
      AddWindow(window, d + 1, element + (begin + i) * dim.stride,
                update + i * dim.other_stride);
    }
  }

  const Windows& windows_;
  std::vector<int64_t> counts_;  // of updates, by element
  std::vector<Round> rounds_;
};

// Reads the indices, and where windows are in tensors in row-major order.
const char* ReadWindows(const AssayCall& call, const Shape& operand,
                        const AssayTensor& indices, const Shape& updates,
                        Machine* machine, Places* integers, Windows* windows) {
  if (const char* failure = machine->Read(indices, integers)) return failure;
  const DLTensor host = {nullptr, {kDLCPU, 0}, 0, {kDLInt, 64, 1},
                         nullptr, nullptr,     0};
  const DimsView of_operand = {operand, RowMajor(operand)};
  const DimsView of_updates = {updates, RowMajor(updates)};
  DimsView of_indices = DimsView::Of(indices.tensor);
  of_indices.strides = RowMajor(of_indices.shape);
  of_indices.first = reinterpret_cast<unsigned char*>(integers->data());
  AssayTensor on_host = indices;
  on_host.tensor = of_indices.Tensor(host);
  return ReadScatter(call, of_operand.Tensor(host), on_host,
                     of_updates.Tensor(host), windows);
}

}  // namespace

void RunScatter(const AssayCall& call, const FunctionCall& operands,
                Columns* columns) {
  const std::vector<Column>& inputs = operands.groups[0];
  const std::vector<Column>& updates = operands.groups[2];
  const std::vector<Column>& outputs = operands.outputs;
  const size_t count = inputs.size();
  if (operands.groups[1].size() != 1 || updates.size() != count ||
      outputs.size() != count ||
      static_cast<size_t>(operands.function->num_results) != count ||
      static_cast<size_t>(operands.function->num_arguments) < 2 * count)
    return columns->Fail("number of operands");
  const Shape& shape = inputs[0].view.shape;
  const Shape& update_shape = updates[0].view.shape;
  for (size_t k = 0; k < count; ++k) {
    if (updates[k].view.shape != update_shape || outputs[k].view.shape != shape)
      return columns->Fail("mix of operand shapes");
  }
  Places integers;
  Windows windows;
  if (const char* failure =
          ReadWindows(call, shape, call.inputs[count], update_shape,
                      &columns->machine(), &integers, &windows))
    return columns->Fail(failure);
  if (CountOf(shape) == 0) return;
  std::vector<Column> results, packed;
  for (size_t k = 0; k < count; ++k) {
    results.push_back(columns->New(outputs[k].type, shape));
    columns->Convert(inputs[k], results[k]);
    packed.push_back(columns->New(operands.function->argument_types[count + k],
                                  update_shape));
    if (CountOf(update_shape) > 0) columns->Convert(updates[k], packed[k]);
  }
  for (const Round& round : Rounds(windows, CountOf(shape)).All()) {
    const Columns::Mark mark = columns->GetMark();
    const Shape size = {static_cast<int64_t>(round.elements.size())};
    std::vector<Column> arguments;
    for (const Column& column : results)
      arguments.push_back(columns->Take(column, round.elements));
    for (const Column& column : packed)
      arguments.push_back(columns->Take(column, round.updates));
    for (const Column& capture : operands.captures)
      arguments.push_back(Columns::Broadcast(capture, size));
    const std::vector<Column> updated =
        columns->Apply(*operands.function, arguments, size);
    if (columns->failure() != nullptr) return;
    for (size_t k = 0; k < count; ++k)
      columns->Put(updated[k], round.elements, &results[k]);
    columns->Rewind(mark);
  }
  for (size_t k = 0; k < count; ++k) columns->Convert(results[k], outputs[k]);
}

}  // namespace assay::calls
