#include "backends/calls/window_fold.h"

#include <string.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "backends/calls/attributes.h"
#include "backends/calls/tensors.h"

namespace assay::calls {
namespace {

using Shape = Columns::Shape;

// A padded tensor of more bytes is made only if an eighth of it or more is the
// tensor. Folds take several times as many.
constexpr int64_t kMostPadded = int64_t{1} << 28;

// Returns how far windows reach along a dimension of the padded tensor.
__int128 Extent(const SlidingDim& dim) {
  return __int128{dim.windows - 1} * dim.stride +
         __int128{dim.size - 1} * dim.dilation + 1;
}

// The elements of a tensor, along a dimension, that windows may reach.
struct Reached {
  int64_t first, count;
};

Reached ReachedOf(const SlidingDim& dim, int64_t size) {
  const __int128 low = dim.padding_low, step = dim.base_dilation;
  const __int128 first = low >= 0 ? 0 : (-low + step - 1) / step;
  const __int128 behind = Extent(dim) - 1 - low;
  const __int128 last = behind < 0 ? -1 : behind / step;
  const __int128 end = std::min<__int128>(last + 1, size);
  if (first >= end) return {0, 0};
  return {static_cast<int64_t>(first), static_cast<int64_t>(end - first)};
}

// Returns elements first, first + step, .. along a dimension.
Column Along(const Column& column, size_t d, int64_t first, int64_t step,
             int64_t count) {
  Column part = column;
  part.view.Advance(first * column.view.strides[d], BytesOfScalar(column.type));
  part.view.shape[d] = count;
  part.view.strides[d] *= step;
  return part;
}

std::vector<Column> AllAlong(const std::vector<Column>& tuple, size_t d,
                             int64_t first, int64_t step, int64_t count) {
  std::vector<Column> parts;
  for (const Column& column : tuple)
    parts.push_back(Along(column, d, first, step, count));
  return parts;
}

class WindowFolder {
 public:
  WindowFolder(const std::vector<SlidingDim>& dims, const CombinePairs& combine,
               Columns* columns)
      : dims_(dims), combine_(combine), columns_(*columns) {}

  // Returns the part of the padded tensor that windows reach: a view of the
  // tensor, if nothing of it is padding and nothing is converted.
  Column Padded(const Column& tensor, const Column& padding) {
    Column from = tensor;
    Shape extents;
    auto bytes = static_cast<int64_t>(BytesOfScalar(padding.type));
    const int64_t most =
        std::max(kMostPadded, 8 * bytes * CountOf(tensor.view.shape));
    for (size_t d = 0; d < dims_.size(); ++d) {
      const __int128 extent = Extent(dims_[d]);
      if (extent > most / bytes) {
        columns_.Fail("windows over a padded tensor as large as this");
        return tensor;
      }
      extents.push_back(static_cast<int64_t>(extent));
      bytes *= extents.back();
      const Reached reached = ReachedOf(dims_[d], tensor.view.shape[d]);
      from = Along(from, d, reached.first, 1, reached.count);
    }
    const bool has_all =
        from.view.shape == extents && !ReachPadding(dims_, tensor.view.shape);
    if (has_all && strcmp(tensor.type, padding.type) == 0) return from;
    Column padded = columns_.New(padding.type, extents);
    if (columns_.failure() != nullptr) return padded;
    if (!has_all)
      columns_.Convert(Columns::Broadcast(padding, extents), padded);
    if (CountOf(from.view.shape) == 0) return padded;
    Column to = padded;
    for (size_t d = 0; d < dims_.size(); ++d) {
      const SlidingDim& dim = dims_[d];
      const Reached reached = ReachedOf(dim, tensor.view.shape[d]);
      to = Along(to, d, dim.padding_low + reached.first * dim.base_dilation,
                 dim.base_dilation, reached.count);
    }
    columns_.Convert(from, to);
    return padded;
  }

  // Folds along a dimension; those behind it are folded already.
  std::vector<Column> FoldAlong(const std::vector<Column>& tuple, size_t d) {
    const SlidingDim& dim = dims_[d];
    if (dim.size == 1) return Blocks(tuple, d, 0);
    int64_t rounds = 0;
    for (int64_t left = dim.size; left > 1; left /= 2) ++rounds;
    const bool overlap = __int128{dim.size} * dim.windows >
                         __int128{tuple[0].view.shape[d]} * rounds;
    return overlap ? Doubled(tuple, d) : Halved(tuple, d);
  }

 private:
  std::vector<Column> Combined(const std::vector<Column>& lhs,
                               const std::vector<Column>& rhs) {
    std::vector<Column> to;
    for (const Column& column : lhs)
      to.push_back(columns_.New(column.type, column.view.shape));
    if (columns_.failure() == nullptr) combine_(lhs, rhs, to);
    return to;
  }

  // Returns element `first` of each window, where elements are runs of
  // elements that begin there.
  std::vector<Column> Blocks(const std::vector<Column>& tuple, size_t d,
                             int64_t first) {
    const SlidingDim& dim = dims_[d];
    return AllAlong(tuple, d, first * dim.dilation, dim.stride, dim.windows);
  }

  // Windows that overlap share their runs of 1, 2, 4, .. elements, which begin
  // anywhere. A window is one of those for each digit of its size.
  std::vector<Column> Doubled(std::vector<Column> runs, size_t d) {
    const SlidingDim& dim = dims_[d];
    std::vector<Column> folded;
    int64_t done = 0;
    for (int64_t length = 1;; length *= 2) {
      if ((dim.size & length) != 0) {
        const std::vector<Column> block = Blocks(runs, d, done);
        folded = folded.empty() ? block : Combined(folded, block);
        done += length;
      }
      if (columns_.failure() != nullptr) return runs;
      // The longest run is needed at one place of each window.
      if (dim.size - done == 2 * length) {
        const std::vector<Column> block =
            Combined(Blocks(runs, d, done), Blocks(runs, d, done + length));
        return folded.empty() ? block : Combined(folded, block);
      }
      const int64_t distance = length * dim.dilation;
      const int64_t count = runs[0].view.shape[d] - distance;
      runs = Combined(AllAlong(runs, d, 0, 1, count),
                      AllAlong(runs, d, distance, 1, count));
    }
  }

  // Each window is halved by combining neighbours, until one element is left.
  std::vector<Column> Halved(const std::vector<Column>& tuple, size_t d) {
    const SlidingDim& dim = dims_[d];
    std::vector<Column> terms;
    for (const Column& column : Blocks(tuple, d, 0)) {
      Column term = column;
      term.view.shape.insert(term.view.shape.begin(), dim.size);
      const int64_t step = tuple[terms.size()].view.strides[d] * dim.dilation;
      term.view.strides.insert(term.view.strides.begin(), step);
      terms.push_back(std::move(term));
    }
    for (int64_t length = dim.size;
         length > 1 && columns_.failure() == nullptr;) {
      const int64_t pairs = length / 2, rest = length % 2;
      std::vector<Column> half;
      for (const Column& term : terms) {
        Shape shape = term.view.shape;
        shape[0] = pairs + rest;
        half.push_back(columns_.New(term.type, shape));
      }
      if (columns_.failure() != nullptr) break;
      combine_(AllAlong(terms, 0, 0, 2, pairs), AllAlong(terms, 0, 1, 2, pairs),
               AllAlong(half, 0, 0, 1, pairs));
      for (size_t k = 0; k < terms.size() && rest != 0; ++k)
        columns_.Convert(Along(terms[k], 0, length - 1, 1, 1),
                         Along(half[k], 0, pairs, 1, 1));
      terms = std::move(half);
      length = pairs + rest;
    }
    for (Column& term : terms) {
      term.view.shape.erase(term.view.shape.begin());
      term.view.strides.erase(term.view.strides.begin());
    }
    return terms;
  }

  const std::vector<SlidingDim>& dims_;
  const CombinePairs& combine_;
  Columns& columns_;
};

}  // namespace

bool ReadSlidingDims(const AssayCall& call, const Shape& windows,
                     std::vector<SlidingDim>* dims) {
  const size_t rank = windows.size();
  for (const int64_t count : windows) dims->push_back({1, 1, 1, 1, 0, count});
  const std::pair<const char*, int64_t SlidingDim::*> lists[] = {
      {"window_dimensions", &SlidingDim::size},
      {"window_strides", &SlidingDim::stride},
      {"base_dilations", &SlidingDim::base_dilation},
      {"window_dilations", &SlidingDim::dilation}};
  for (const auto& [name, member] : lists) {
    if (FindAttribute(call, name) == nullptr) continue;
    const std::optional<Shape> list = ListOf(call, name);
    if (!list || list->size() != rank) return false;
    for (size_t d = 0; d < rank; ++d) {
      if ((*list)[d] < 1) return false;
      (*dims)[d].*member = (*list)[d];
    }
  }
  const AssayAttribute* padding = FindAttribute(call, "padding");
  if (padding == nullptr) return true;
  const AssayTensor* value = padding->value;
  if (value == nullptr || value->tensor.ndim != 2 ||
      value->tensor.shape[0] != static_cast<int64_t>(rank) ||
      value->tensor.shape[1] != 2 || value->tensor.dtype.bits != 64)
    return false;
  for (size_t d = 0; d < rank; ++d)
    memcpy(&(*dims)[d].padding_low,
           FirstElement(value->tensor) + 2 * d * sizeof(int64_t),
           sizeof(int64_t));
  return true;
}

bool ReachPadding(const std::vector<SlidingDim>& dims, const Shape& shape) {
  for (size_t d = 0; d < dims.size(); ++d) {
    const __int128 extent = Extent(dims[d]);
    if (dims[d].padding_low > 0 || extent - dims[d].padding_low > shape[d] ||
        (dims[d].base_dilation > 1 && extent > 1) ||
        (dims[d].base_dilation > 1 && dims[d].padding_low != 0))
      return true;
  }
  return false;
}

std::vector<Column> FoldWindows(const std::vector<SlidingDim>& dims,
                                const std::vector<Column>& tensors,
                                const std::vector<Column>& padding,
                                const CombinePairs& combine, Columns* columns) {
  WindowFolder folder(dims, combine, columns);
  std::vector<Column> tuple;
  for (size_t k = 0; k < tensors.size(); ++k)
    tuple.push_back(folder.Padded(tensors[k], padding[k]));
  for (size_t d = dims.size(); d-- > 0;) {
    if (columns->failure() != nullptr) return tuple;
    tuple = folder.FoldAlong(tuple, d);
  }
  return tuple;
}

void ApplyToPairs(const AssayFunction& function,
                  const std::vector<Column>& captures,
                  const std::vector<Column>& lhs,
                  const std::vector<Column>& rhs, const std::vector<Column>& to,
                  Columns* columns) {
  const Shape& shape = lhs[0].view.shape;
  std::vector<Column> arguments = lhs;
  arguments.insert(arguments.end(), rhs.begin(), rhs.end());
  for (const Column& capture : captures)
    arguments.push_back(Columns::Broadcast(capture, shape));
  const Columns::Mark mark = columns->GetMark();
  const std::vector<Column> results =
      columns->Apply(function, arguments, shape, &to[0]);
  // A result may be an operand of another one, so that none is written before
  // all of them are there.
  for (size_t k = 0; k < to.size() && columns->failure() == nullptr; ++k) {
    if (results[k].view.first != to[k].view.first)
      columns->Convert(results[k], to[k]);
  }
  columns->Rewind(mark);
}

}  // namespace assay::calls
