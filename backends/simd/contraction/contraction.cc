// A contraction is computed in tiles of the result: for each block of terms,
// the rows and columns of the tile are packed, and their products are added to
// its sums. So the terms of every element are added in their order, one after
// the other, whatever the layout of operands and the number of threads.
#include "backends/simd/contraction/contraction.h"

#include <string.h>

#include <algorithm>
#include <vector>

#include "backends/calls/contraction.h"
#include "backends/calls/dims_view.h"
#include "backends/calls/integers.h"
#include "backends/calls/overlap.h"
#include "backends/simd/contraction/lanes.h"
#include "backends/simd/contraction/packing.h"
#include "backends/simd/contraction/products.h"
#include "backends/simd/contraction/small.h"
#include "backends/simd/core/environment.h"
#include "backends/simd/core/parts.h"
#include "backends/simd/movement/moves.h"

namespace assay::simd {
namespace {

using calls::Contraction;
using calls::ContractionDim;

// A block of lhs, 512 KiB of f32, stays in a cache of the second level, and a
// panel of rhs in one of the first.
constexpr int64_t kMostRows = 480, kMostColumns = 1024, kMostLanes = 256;
// Rows that are a power of two apart would compete for the same lines.
constexpr int64_t kLhsStride = kMostLanes + 16;
// From so many products on, a thread costs less than it gains.
constexpr double kThreadedProducts = 1 << 22;

int64_t RoundUp(int64_t number, int64_t to) {
  return (number + to - 1) / to * to;
}

int64_t Quotient(int64_t number, int64_t by) { return (number + by - 1) / by; }

// Dimensions that follow each other in all tensors become one.
void Merge(Contraction::Dims* dims) {
  Contraction::Dims merged;
  for (const ContractionDim& dim : *dims) {
    if (dim.size == 1) continue;
    if (!merged.empty()) {
      ContractionDim& last = merged.back();
      if (last.lhs_stride == dim.size * dim.lhs_stride &&
          last.rhs_stride == dim.size * dim.rhs_stride &&
          last.result_stride == dim.size * dim.result_stride) {
        last = {last.size * dim.size, dim.lhs_stride, dim.rhs_stride,
                dim.result_stride};
        continue;
      }
    }
    merged.push_back(dim);
  }
  *dims = merged;
}

// How the result is divided in tiles.
struct Tiling {
  int64_t tile_rows, tile_columns, row_tiles, column_tiles;
};

Tiling TilingOf(int64_t batch, int64_t rows, int64_t columns, int parts,
                int threads) {
  const auto tiles = [](int64_t count, int64_t most, int64_t wanted,
                        int64_t step) {
    return std::clamp(RoundUp(Quotient(count, most), wanted), int64_t{1},
                      std::max(Quotient(count, step), int64_t{1}));
  };
  Tiling tiling;
  // The longer side is divided among threads.
  const int64_t wanted = batch >= threads ? 1 : threads;
  const bool by_rows = rows * 4 >= columns;
  tiling.tile_rows =
      RoundUp(Quotient(rows, tiles(rows, kMostRows / parts,
                                   by_rows ? wanted : 1, kRowsAtATime)),
              kRowsAtATime);
  constexpr int64_t kColumns = 64;
  tiling.tile_columns = RoundUp(
      Quotient(columns,
               tiles(columns, kMostColumns, by_rows ? 1 : wanted, kColumns)),
      kColumns);
  tiling.row_tiles = Quotient(rows, tiling.tile_rows);
  tiling.column_tiles = Quotient(columns, tiling.tile_columns);
  return tiling;
}

// Computes tiles, one after the other, in memory of its own.
class TileComputer {
 public:
  TileComputer(const Contraction& contraction, const Computation& computation,
               const Options& options)
      : contraction_(contraction),
        computation_(computation),
        options_(options),
        products_(ProductsOf(options.target)),
        lane_bytes_(BytesOf(computation.lanes)),
        panel_columns_(
            static_cast<int64_t>(products_.panel_bytes / lane_bytes_)),
        lhs_(contraction, computation, options),
        rhs_(contraction, computation, panel_columns_, options),
        from_sums_(contraction.result, computation, options) {}

  void Run(int64_t batch, const Range& rows, const Range& columns) {
    const auto parts = int64_t{computation_.parts};
    const int64_t packed_rows = RoundUp(rows.count * parts, kRowsAtATime);
    const int64_t packed_columns = RoundUp(columns.count, panel_columns_);
    const auto bytes = static_cast<int64_t>(lane_bytes_);
    auto* const sums = sums_memory_.Get<unsigned char>(
        static_cast<size_t>(packed_rows * packed_columns * bytes));
    const int64_t terms = Contraction::CountOf(contraction_.terms);
    if (terms == 0) {
      memset(sums, 0,
             static_cast<size_t>(packed_rows * packed_columns * bytes));
    }
    auto* const packed_lhs = lhs_memory_.Get<unsigned char>(
        static_cast<size_t>(packed_rows * kLhsStride * bytes));
    auto* const packed_rhs = rhs_memory_.Get<unsigned char>(
        static_cast<size_t>(kMostLanes * packed_columns * bytes));
    SetBatch(batch);
    SetResult(rows, columns);
    const auto b = static_cast<size_t>(batch - batch_.first);
    const int64_t terms_of_lane = TermsOf(computation_.lanes);
    const int64_t most_terms = kMostLanes * terms_of_lane / parts;
    // Sums of one block are written once: to the result, if it can be.
    const int64_t stored_rows = are_rows_in_place_ && are_adjacent_ &&
                                        terms <= most_terms && terms > 0 &&
                                        packed_columns == columns.count
                                    ? rows.count / kRowsAtATime * kRowsAtATime
                                    : 0;
    for (int64_t first = 0; first < terms; first += most_terms) {
      const Range block = {first, std::min(most_terms, terms - first)};
      const int64_t lanes = Quotient(block.count * parts, terms_of_lane);
      const int64_t panel = lanes * panel_columns_;
      lhs_.Pack(lhs_offsets_[b], rows, block, packed_lhs,
                static_cast<size_t>(kLhsStride * bytes));
      rhs_.Pack(rhs_offsets_[b], columns, block, packed_rhs,
                static_cast<size_t>(panel * bytes));
      const Environment environment(options_.subnormals);
      const auto add = [&](int64_t row, int64_t count, void* to,
                           int64_t stride) {
        if (count == 0) return;
        products_.add_products[static_cast<int>(computation_.lanes)](
            {packed_lhs + row * kLhsStride * bytes, kLhsStride, packed_rhs,
             panel, to, stride, count, packed_columns, lanes, first == 0});
      };
      add(0, stored_rows, ResultAt(b, 0) + column_offsets_[0] * bytes,
          row_stride_);
      add(stored_rows, packed_rows - stored_rows, sums, packed_columns);
    }
    Store(b, stored_rows, sums, packed_columns);
  }

 private:
  void SetBatch(int64_t batch) {
    if (batch_.first <= batch && batch < batch_.first + batch_.count) return;
    constexpr int64_t kAtATime = 256;
    batch_ = {batch, std::min(kAtATime, batches_ - batch)};
    const auto set = [&](int64_t ContractionDim::*stride,
                         std::vector<int64_t>* offsets) {
      SetOffsets(contraction_.batch, batch_, stride, offsets);
    };
    set(&ContractionDim::lhs_stride, &lhs_offsets_);
    set(&ContractionDim::rhs_stride, &rhs_offsets_);
    set(&ContractionDim::result_stride, &result_offsets_);
  }

  void SetResult(const Range& rows, const Range& columns) {
    if (rows != rows_) {
      SetOffsets(contraction_.rows, rows, &ContractionDim::result_stride,
                 &row_offsets_);
      rows_ = rows;
      row_stride_ = rows.count > 1 ? row_offsets_[1] - row_offsets_[0] : 0;
      are_rows_in_place_ = computation_.parts == 1 && from_sums_.IsIdentity();
      for (size_t r = 1; r < row_offsets_.size(); ++r)
        are_rows_in_place_ &=
            row_offsets_[r] - row_offsets_[r - 1] == row_stride_;
    }
    if (columns != columns_) {
      SetOffsets(contraction_.columns, columns, &ContractionDim::result_stride,
                 &column_offsets_);
      are_adjacent_ = AreAdjacent(column_offsets_);
      columns_ = columns;
    }
  }

  unsigned char* ResultAt(size_t batch, int64_t row) const {
    return contraction_.result_first +
           (result_offsets_[batch] + row_offsets_[static_cast<size_t>(row)]) *
               static_cast<int64_t>(contraction_.result.bytes());
  }

  // Stores rows from the first on.
  void Store(size_t batch, int64_t first, const unsigned char* sums,
             int64_t stride) {
    const size_t bytes = contraction_.result.bytes();
    const auto count = static_cast<size_t>(columns_.count);
    auto* const elements = elements_memory_.Get<unsigned char>(count * bytes);
    const size_t row_bytes = static_cast<size_t>(stride) * lane_bytes_;
    for (int64_t r = first; r < rows_.count; ++r) {
      const unsigned char* numbers = sums;
      if (computation_.parts == 2) {
        numbers = JoinParts(sums, sums + row_bytes, count);
        sums += row_bytes;
      }
      sums += row_bytes;
      unsigned char* const to = ResultAt(batch, r);
      if (are_adjacent_) {
        from_sums_.Run(numbers,
                       to + column_offsets_[0] * static_cast<int64_t>(bytes),
                       count);
        continue;
      }
      from_sums_.Run(numbers, elements, count);
      for (size_t c = 0; c < count; ++c) {
        memcpy(to + column_offsets_[c] * static_cast<int64_t>(bytes),
               elements + c * bytes, bytes);
      }
    }
  }

  const unsigned char* JoinParts(const unsigned char* real,
                                 const unsigned char* imaginary, size_t count) {
    auto* const joined =
        joined_memory_.Get<unsigned char>(2 * count * lane_bytes_);
    for (size_t c = 0; c < count; ++c) {
      memcpy(joined + 2 * c * lane_bytes_, real + c * lane_bytes_, lane_bytes_);
      memcpy(joined + (2 * c + 1) * lane_bytes_, imaginary + c * lane_bytes_,
             lane_bytes_);
    }
    return joined;
  }

  const Contraction& contraction_;
  const Computation computation_;
  const Options& options_;
  const ProductsTable& products_;
  const size_t lane_bytes_;
  const int64_t panel_columns_;
  LhsPacking lhs_;
  RhsPacking rhs_;
  const FromSums from_sums_;
  LinesOfMemory sums_memory_, lhs_memory_, rhs_memory_, elements_memory_,
      joined_memory_;
  const int64_t batches_ = Contraction::CountOf(contraction_.batch);
  Range batch_ = {-1, 0}, rows_ = {-1, 0}, columns_ = {-1, 0};
  std::vector<int64_t> lhs_offsets_, rhs_offsets_, result_offsets_;
  std::vector<int64_t> row_offsets_, column_offsets_;
  int64_t row_stride_ = 0;
  // Whether sums are elements of the result, and its rows equally far apart.
  bool are_rows_in_place_ = false;
  bool are_adjacent_ = false;
};

int ThreadsFor(const Contraction& contraction, const Options& options) {
  double products = 1;
  for (const Contraction::Dims* dims :
       {&contraction.batch, &contraction.rows, &contraction.columns,
        &contraction.terms})
    products *= static_cast<double>(Contraction::CountOf(*dims));
  return products >= kThreadedProducts ? options.threads : 1;
}

// Calls run(first, end) with parts of `count` items in threads.
template <class F>
void RunParts(int64_t count, int threads, F run) {
  const int64_t parts = std::min<int64_t>(threads, count);
  RunInThreads(parts, [&](int64_t part) {
    const Environment environment(Subnormals::kKeep);
    const auto wide = static_cast<__int128>(count);
    run(static_cast<int64_t>(wide * part / parts),
        static_cast<int64_t>(wide * (part + 1) / parts));
  });
}

void ComputeSmall(const Contraction& contraction, const Options& options) {
  const Computation computation = SmallComputationOf(contraction, options);
  RunParts(Contraction::CountOf(contraction.batch),
           ThreadsFor(contraction, options), [&](int64_t begin, int64_t end) {
             SmallProducts(contraction, computation, options)
                 .Run({begin, end - begin});
           });
}

void Compute(const Contraction& contraction, const Options& options) {
  const Computation computation = ComputationOf(contraction, options);
  const int64_t batch = Contraction::CountOf(contraction.batch),
                rows = Contraction::CountOf(contraction.rows),
                columns = Contraction::CountOf(contraction.columns);
  const int threads = ThreadsFor(contraction, options);
  const Tiling tiling =
      TilingOf(batch, rows, columns, computation.parts, threads);
  const int64_t tiles = tiling.row_tiles * tiling.column_tiles;
  RunParts(batch * tiles, threads, [&](int64_t begin, int64_t end) {
    TileComputer computer(contraction, computation, options);
    for (int64_t i = begin; i < end; ++i) {
      const int64_t tile = i / batch;
      const int64_t row = tile / tiling.column_tiles * tiling.tile_rows,
                    column = tile % tiling.column_tiles * tiling.tile_columns;
      computer.Run(i % batch, {row, std::min(tiling.tile_rows, rows - row)},
                   {column, std::min(tiling.tile_columns, columns - column)});
    }
  });
}

bool IsInPlace(const AssayCall& call, const Contraction& contraction) {
  const size_t bytes = contraction.operand.bytes();
  for (const int i : {0, 1}) {
    const DLTensor& input = call.inputs[i].tensor;
    if (CountElements(input) > 0 &&
        calls::Overlap(input, bytes, call.outputs[0].tensor,
                       contraction.result.bytes()))
      return true;
  }
  return false;
}

const char* RunOutOfPlace(const AssayCall& call, const Options& options) {
  Contraction contraction;
  if (const char* failure =
          calls::ReadContraction(call, calls::ReadHostIntegers, &contraction))
    return failure;
  if (contraction.IsEmpty()) return nullptr;
  Merge(&contraction.batch);
  Merge(&contraction.columns);
  // The windows name dimensions of rows and terms by their numbers.
  if (contraction.windows.empty()) {
    Merge(&contraction.rows);
    Merge(&contraction.terms);
  }
  if (AreSmall(contraction)) {
    ComputeSmall(contraction, options);
  } else {
    Compute(contraction, options);
  }
  return nullptr;
}

}  // namespace

const char* RunContraction(const AssayCall& call, const Options& options) {
  Contraction contraction;
  if (const char* failure =
          calls::ReadContraction(call, calls::ReadHostIntegers, &contraction))
    return failure;
  if (contraction.IsEmpty()) return nullptr;
  if (!IsInPlace(call, contraction)) return RunOutOfPlace(call, options);
  // The result is copied to its place when no operand is needed any longer.
  const DLTensor& output = call.outputs[0].tensor;
  calls::DimsView view = calls::DimsView::Of(output);
  view.strides = calls::RowMajor(view.shape);
  LinesOfMemory memory;
  view.first = memory.Get<unsigned char>(CountElements(output) *
                                         contraction.result.bytes());
  AssayTensor result = call.outputs[0];
  result.tensor = view.Tensor(output);
  AssayCall elsewhere = call;
  elsewhere.outputs = &result;
  if (const char* failure = RunOutOfPlace(elsewhere, options)) return failure;
  return RunMoves(calls::MakeCall("reshape", {&result, 1}, call.outputs[0]),
                  options);
}

}  // namespace assay::simd
