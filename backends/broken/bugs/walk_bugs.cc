// There is a bug for every kind of walk in cases/walks/walks.json: a branch for
// calls of the kind that goes wrong, in the same way for every op. Except those
// of tensors without elements, each bug reads or writes within the tensors, so
// that values show it.
//
// The sound walk goes from row to row; a bug cuts a row in two and changes the
// part behind the cut. So it is one mistake of the branch and not all of it:
// the last row, the tail, the second tile.
#include <algorithm>

#include "backends/broken/bugs/bugs.h"
#include "backends/broken/bugs/walk_branch.h"
#include "backends/broken/bugs/walk_layouts.h"

namespace assay::broken {
namespace walk {
namespace {

// -------------------------------------------------------- What breaks, and how

int64_t Whole(const Job&) { return 0; }

int64_t SizeOfRow(const Job& job) {
  return job.rank == 0 ? 1 : job.shape[job.rank - 1];
}

template <int kAt>
int64_t At(const Job&) {
  return kAt;
}

// Returns the end of the last whole vector of 64 lanes, or of the last whole
// chunk of 1,024 elements.
template <int kLanesOrChunk>
int64_t Tail(const Job& job) {
  return SizeOfRow(job) / kLanesOrChunk * kLanesOrChunk;
}

int64_t LastVector(const Job& job) { return SizeOfRow(job) - 64; }
int64_t LastChunk(const Job& job) { return SizeOfRow(job) - 1024; }

// The part behind the cut is read kElements elements too early.
template <int kElements>
bool ReadsBehind(const Piece& piece, const Tensor& tensor, Strip* strip) {
  if (piece.begin > 0) Shift(strip, -kElements * Inner(piece.job, tensor));
  return true;
}

bool LeavesOutTail(const Piece& piece, const Tensor&, Strip*) {
  return piece.begin == 0;
}

// The last row is read from the row before it.
bool LastRowIsBefore(const Piece& piece, const Tensor& tensor, Strip* strip) {
  if (piece.IsLastRow()) Shift(strip, -Outer(piece.job, tensor));
  return true;
}

// The part of the last row that is behind the cut is read from the row before
// it.
bool TailOfLastRowIsBefore(const Piece& piece, const Tensor& tensor,
                           Strip* strip) {
  return piece.begin == 0 || LastRowIsBefore(piece, tensor, strip);
}

// The last index of the first dimension is read from the index before it.
bool LastMatrixIsBefore(const Piece& piece, const Tensor& tensor,
                        Strip* strip) {
  if (piece.index[0] == piece.job.shape[0] - 1)
    Shift(strip, -tensor.strides[0]);
  return true;
}

// Rows are in reverse, which for a negative stride is the order of their
// addresses.
bool RowsInReverse(const Piece& piece, const Tensor& tensor, Strip* strip) {
  const int d = piece.job.rank - 2;
  Shift(strip, (piece.job.shape[d] - 1 - 2 * piece.index[d]) *
                   Outer(piece.job, tensor));
  return true;
}

// Each row follows the one before it, without the gaps.
bool RowsFollow(const Piece& piece, const Tensor& tensor, Strip* strip) {
  Shift(strip, piece.index[piece.job.rank - 2] *
                   (piece.RowSize() - Outer(piece.job, tensor)));
  return true;
}

// A tile that is neither in the first row nor in the first column of tiles
// reads the tile to its left.
bool InnerTileIsTheOneBefore(const Piece& piece, const Tensor& tensor,
                             Strip* strip) {
  if (piece.begin > 0 && piece.index[piece.job.rank - 2] >= 32)
    Shift(strip, -32 * Inner(piece.job, tensor));
  return true;
}

// A square is repeated along its other dimension.
bool RepeatsAcross(const Piece& piece, const Tensor& tensor, Strip* strip) {
  const int64_t outer = Outer(piece.job, tensor);
  const int64_t inner = Inner(piece.job, tensor);
  Shift(strip, piece.index[0] * (inner - outer));
  strip->stride = outer;
  return true;
}

bool RowsFrom65535AreTheFirst(const Piece& piece, const Tensor& tensor,
                              Strip* strip) {
  const int d = piece.job.rank - 2;
  if (piece.index[d] >= 65535) Shift(strip, -65535 * tensor.strides[d]);
  return true;
}

// -------------------------------------------------------------------- The rest

// A tensor without elements is treated as if it had one element, whose bits
// change.
template <int kKind>
void WritesOfNothing(const Job& job) {
  Walk(job);
  const bool is_kind = kKind == 0   ? job.rank == 1 && job.shape[0] == 0
                       : kKind == 1 ? job.rank == 2 && job.shape[1] == 0
                                    : job.rank == 3 && job.shape[1] == 0;
  if (is_kind) job.out.data[0] ^= 0xff;
}

// A tensor of rank 0 is left out, because it has no dimension with an element.
void LeavesOutRankZero(Job* job) {
  if (job->rank > 0) {
    Merge(job);
    return;
  }
  job->rank = 1;
  job->shape[0] = 0;
}

// The stride of a dimension of size 1 between others is used as that of the
// dimension in front.
void TakesTheStrideOfOne(Job* job) {
  bool has_one[kMaxInputs] = {};
  for (int k = 0; k < job->num_inputs; ++k) {
    for (int d = 1; d + 1 < job->rank; ++d)
      has_one[k] |= job->shape[d] == 1 && job->in[k].strides[d] > 500;
  }
  Merge(job);
  for (int k = 0; k < job->num_inputs; ++k) {
    if (has_one[k] && job->rank > 0) job->in[k].strides[0] = 0;
  }
}

// A tensor whose first dimension is of size 1 is treated as one row without
// gaps.
void LeadingOneHasNoSteps(Job* job) {
  const bool has_one = job->rank == 2 && job->shape[0] == 1;
  Merge(job);
  for (int k = 0; k < job->num_inputs && has_one; ++k) {
    if (job->rank == 1 && job->in[k].strides[0] == 2) job->in[k].strides[0] = 1;
  }
}

// A vector that does not begin at the start of its buffer is read from there.
Tensor RoundsDown(const DLTensor& operand, const int* dimensions,
                  const Job& job, bool is_output) {
  Tensor tensor = View(operand, dimensions, job, is_output);
  const auto bytes =
      static_cast<uint64_t>((operand.dtype.bits + 7) / 8) * operand.dtype.lanes;
  if (!is_output && job.rank == 1 && operand.ndim == 1 &&
      operand.strides[0] == 1 && operand.byte_offset % (2 * bytes) != 0)
    tensor.data -= bytes;
  return tensor;
}

// An operand is repeated as if it had another shape. Its kind is its role in
// the call.
enum class Repeated { kVector, kColumn, kWithin, kNumber };

template <Repeated kKind>
Tensor ViewsWrong(const DLTensor& operand, const int* dimensions,
                  const Job& job, bool is_output) {
  Tensor tensor = View(operand, dimensions, job, is_output);
  if (is_output) return tensor;
  const bool is_square = job.rank == 2 && job.shape[0] == job.shape[1];
  const auto is_within = [&] {
    return operand.ndim == 3 && job.rank == 3 && operand.shape[1] == 1 &&
           job.shape[1] > 1;
  };
  if (kKind == Repeated::kVector && is_square && operand.ndim == 1)
    std::swap(tensor.strides[0], tensor.strides[1]);
  if (kKind == Repeated::kColumn && is_square && operand.ndim == 2 &&
      operand.shape[1] == 1)
    std::swap(tensor.strides[0], tensor.strides[1]);
  // The first row of a matrix is repeated.
  if (kKind == Repeated::kWithin && is_within()) tensor.strides[0] = 0;
  // Elements of the number are read as if it were a row.
  if (kKind == Repeated::kNumber && operand.ndim == 0 && job.rank == 2)
    tensor.strides[1] = 1;
  return tensor;
}

// ----------------------------------------------------------------------- Table

constexpr Branch kShortRow = {IsRow<2, 3>, At<1>, ReadsBehind<1>, false};
constexpr Branch kLongestTail = {IsRowOfVectors<63>, Tail<64>, ReadsBehind<1>,
                                 false};
constexpr Branch kNoTail = {IsRowOfVectors<0>, LastVector, ReadsBehind<64>,
                            false};
constexpr Branch kTailOfOne = {IsRowOfVectors<1>, Tail<64>, ReadsBehind<1>,
                               false};
constexpr Branch kChunks = {IsRowOfChunks, LastChunk, ReadsBehind<1024>, false};
constexpr Branch kTailOfChunks = {IsRowOfChunksAndTail, Tail<1024>,
                                  ReadsBehind<1024>, false};
constexpr Branch kIndexOf16Bits = {IsRow<65537, INT64_MAX>, At<65536>,
                                   ReadsBehind<65536>, false};
constexpr Branch kSubByte = {IsSubByteRow, Tail<64>, ReadsBehind<1>, false};
constexpr Branch kSubByteRows = {HasSubByteRows, Whole, LastRowIsBefore, false};
constexpr Branch kStep2 = {IsStepped<2>, Tail<64>, ReadsBehind<1>, false};
constexpr Branch kStep3 = {IsStepped<3>, Tail<64>, ReadsBehind<1>, false};
constexpr Branch kReversed = {IsStepped<-1>, Tail<64>, ReadsBehind<1>, false};
constexpr Branch kRows = {HasRows<8, 1024>, Whole, LastRowIsBefore, false};
constexpr Branch kLongRows = {HasRows<1025, INT64_MAX>, Tail<1024>,
                              TailOfLastRowIsBefore, false};
constexpr Branch kShortRows = {HasRows<2, 7>, Whole, LastRowIsBefore, false};
constexpr Branch kPitchOfRows = {HasPitchOfRows, Whole, RowsFollow, false};
constexpr Branch kRowsOfSteps = {HasRowsOfSteps, Whole, LastRowIsBefore, false};
constexpr Branch kRowsReversed = {HasSigns<-1, 1>, Whole, LastRowIsBefore,
                                  false};
constexpr Branch kColumnsReversed = {HasSigns<1, -1>, Whole, LastRowIsBefore,
                                     false};
constexpr Branch kReversedTwice = {HasSigns<-1, -1>, Whole, RowsInReverse,
                                   false};
constexpr Branch kOverlapping = {Overlaps, Whole, LastRowIsBefore, false};
constexpr Branch kTransposed = {IsTransposed, At<32>, InnerTileIsTheOneBefore,
                                false};
constexpr Branch kTransposedBatch = {IsTransposedBatch, Whole,
                                     LastMatrixIsBefore, false};
constexpr Branch kRotated = {IsRotated, Whole, LastMatrixIsBefore, false};
constexpr Branch kRowOverSquare = {IsRepeatedOverSquare<true>, Whole,
                                   RepeatsAcross, false};
constexpr Branch kColumnOverSquare = {IsRepeatedOverSquare<false>, Whole,
                                      RepeatsAcross, false};
constexpr Branch kOneElement = {IsRepeatedRow, Tail<64>, LeavesOutTail, false};
constexpr Branch kRepeatedWithin = {IsRepeatedWithin, Whole, LastMatrixIsBefore,
                                    false};
constexpr Branch kRepeatedAround = {IsRepeatedAround, Whole, RowsInReverse,
                                    false};
constexpr Branch kRank6 = {HasSixDimensions, Whole, LastMatrixIsBefore, false};
constexpr Branch kManyRows = {HasManyRows, Whole, RowsFrom65535AreTheFirst,
                              false};
constexpr Branch kEachItsOwn = {HasStridesOfItsOwn, Whole, RowsFollow, false};
constexpr Branch kResultSteps = {OutputIsRow, Tail<64>, ReadsBehind<1>, true};
constexpr Branch kResultRows = {HasRows<8, 1024>, Whole, LastRowIsBefore, true};
constexpr Branch kResultTransposed = {AllAreTransposed, At<32>,
                                      InnerTileIsTheOneBefore, false};
constexpr Branch kResultReversed = {HasSigns<-1, -1>, Whole, RowsInReverse,
                                    true};
constexpr Branch kInPlace = {IsInPlace, At<8>, ReadsBehind<8>, false};
constexpr Branch kRowsInPlace = {IsRowsInPlace, Whole, LastRowIsBefore, false};

constexpr auto kWalk = &Hooks::walk;
constexpr Bug kBugs[] = {
    {"WALK_SHORT_ROW", Replace<kWalk, WalkBranch<kShortRow>>},
    {"WALK_LONGEST_TAIL", Replace<kWalk, WalkBranch<kLongestTail>>},
    {"WALK_NO_TAIL", Replace<kWalk, WalkBranch<kNoTail>>},
    {"WALK_TAIL_OF_ONE", Replace<kWalk, WalkBranch<kTailOfOne>>},
    {"WALK_CHUNKS", Replace<kWalk, WalkBranch<kChunks>>},
    {"WALK_TAIL_OF_CHUNKS", Replace<kWalk, WalkBranch<kTailOfChunks>>},
    {"WALK_INDEX_OF_16_BITS", Replace<kWalk, WalkBranch<kIndexOf16Bits>>},
    {"WALK_SUB_BYTE", Replace<kWalk, WalkBranch<kSubByte>>},
    {"WALK_SUB_BYTE_ROWS", Replace<kWalk, WalkBranch<kSubByteRows>>},
    {"WALK_EMPTY", Replace<kWalk, WritesOfNothing<0>>},
    {"WALK_EMPTY_ROWS", Replace<kWalk, WritesOfNothing<1>>},
    {"WALK_EMPTY_WITHIN", Replace<kWalk, WritesOfNothing<2>>},
    {"WALK_RANK_0", Replace<&Hooks::merge, LeavesOutRankZero>},
    {"WALK_OFFSET", Replace<&Hooks::view, RoundsDown>},
    {"WALK_STEP_2", Replace<kWalk, WalkBranch<kStep2>>},
    {"WALK_STEP_3", Replace<kWalk, WalkBranch<kStep3>>},
    {"WALK_REVERSED", Replace<kWalk, WalkBranch<kReversed>>},
    {"WALK_ROWS", Replace<kWalk, WalkBranch<kRows>>},
    {"WALK_LONG_ROWS", Replace<kWalk, WalkBranch<kLongRows>>},
    {"WALK_SHORT_ROWS", Replace<kWalk, WalkBranch<kShortRows>>},
    {"WALK_PITCH_OF_ROWS", Replace<kWalk, WalkBranch<kPitchOfRows>>},
    {"WALK_ROWS_OF_STEPS", Replace<kWalk, WalkBranch<kRowsOfSteps>>},
    {"WALK_ROWS_REVERSED", Replace<kWalk, WalkBranch<kRowsReversed>>},
    {"WALK_COLUMNS_REVERSED", Replace<kWalk, WalkBranch<kColumnsReversed>>},
    {"WALK_REVERSED_TWICE", Replace<kWalk, WalkBranch<kReversedTwice>>},
    {"WALK_OVERLAPPING", Replace<kWalk, WalkBranch<kOverlapping>>},
    {"WALK_TRANSPOSED", Replace<kWalk, WalkBranch<kTransposed>>},
    {"WALK_TRANSPOSED_BATCH", Replace<kWalk, WalkBranch<kTransposedBatch>>},
    {"WALK_ROTATED", Replace<kWalk, WalkBranch<kRotated>>},
    {"WALK_ROW_OVER_SQUARE", Replace<kWalk, WalkBranch<kRowOverSquare>>},
    {"WALK_COLUMN_OVER_SQUARE", Replace<kWalk, WalkBranch<kColumnOverSquare>>},
    {"WALK_ONE_ELEMENT", Replace<kWalk, WalkBranch<kOneElement>>},
    {"WALK_REPEATED_WITHIN", Replace<kWalk, WalkBranch<kRepeatedWithin>>},
    {"WALK_REPEATED_AROUND", Replace<kWalk, WalkBranch<kRepeatedAround>>},
    {"WALK_RANK_6", Replace<kWalk, WalkBranch<kRank6>>},
    {"WALK_SIZES_OF_1", Replace<&Hooks::merge, TakesTheStrideOfOne>},
    {"WALK_LEADING_1", Replace<&Hooks::merge, LeadingOneHasNoSteps>},
    {"WALK_BROADCAST_VECTOR",
     Replace<&Hooks::view, ViewsWrong<Repeated::kVector>>},
    {"WALK_BROADCAST_COLUMN",
     Replace<&Hooks::view, ViewsWrong<Repeated::kColumn>>},
    {"WALK_BROADCAST_WITHIN",
     Replace<&Hooks::view, ViewsWrong<Repeated::kWithin>>},
    {"WALK_BROADCAST_NUMBER",
     Replace<&Hooks::view, ViewsWrong<Repeated::kNumber>>},
    {"WALK_MANY_ROWS", Replace<kWalk, WalkBranch<kManyRows>>},
    {"WALK_EACH_ITS_OWN", Replace<kWalk, WalkBranch<kEachItsOwn>>},
    {"WALK_RESULT_STEPS", Replace<kWalk, WalkBranch<kResultSteps>>},
    {"WALK_RESULT_ROWS", Replace<kWalk, WalkBranch<kResultRows>>},
    {"WALK_RESULT_TRANSPOSED", Replace<kWalk, WalkBranch<kResultTransposed>>},
    {"WALK_RESULT_REVERSED", Replace<kWalk, WalkBranch<kResultReversed>>},
    {"WALK_IN_PLACE", Replace<kWalk, WalkBranch<kInPlace>>},
    {"WALK_ROWS_IN_PLACE", Replace<kWalk, WalkBranch<kRowsInPlace>>},
};

}  // namespace
}  // namespace walk

std::span<const Bug> WalkBugs() { return walk::kBugs; }

}  // namespace assay::broken
