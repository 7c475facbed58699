#include "backends/cuda/core/nest.h"

#include <algorithm>
#include <utility>

#include "backends/calls/tensors.h"
#include "backends/cuda/core/batch.h"
#include "backends/cuda/core/hooks.h"
#include "backends/cuda/core/runtime.h"

namespace assay::cuda {
namespace {

using Launcher = void (*)(const Job& job);

void CopyDim(int from, int to, Nest* nest) {
  nest->extents[to] = nest->extents[from];
  for (int k = 0; k < nest->num_operands; ++k) {
    int64_t* strides = nest->operands[k].strides;
    strides[to] = strides[from];
  }
}

void SwapDims(int a, int b, Nest* nest) {
  std::swap(nest->extents[a], nest->extents[b]);
  for (int k = 0; k < nest->num_operands; ++k) {
    int64_t* strides = nest->operands[k].strides;
    std::swap(strides[a], strides[b]);
  }
}

// Walks the dimension from its other end.
void Flip(int dim, Nest* nest) {
  for (int k = 0; k < nest->num_operands; ++k) {
    NestOperand& operand = nest->operands[k];
    operand.data += operand.strides[dim] * (nest->extents[dim] - 1);
    operand.strides[dim] = -operand.strides[dim];
  }
}

// Returns whether a step along `outer` continues where `inner` ends, in all
// operands.
bool Continues(const Nest& nest, int inner, int outer) {
  for (int k = 0; k < nest.num_operands; ++k) {
    const int64_t* strides = nest.operands[k].strides;
    if (strides[outer] != strides[inner] * nest.extents[inner]) return false;
  }
  return true;
}

void AddOperand(const NestTensor& from, const DLTensor& output,
                NestOperand* operand) {
  const DLTensor& tensor = *from.tensor;
  operand->data = calls::FirstElement(tensor);
  int added = 0;
  for (int i = 1; i <= output.ndim; ++i) {
    if (output.shape[output.ndim - i] == 1) continue;
    operand->strides[added++] = hooks::StrideOf(tensor, tensor.ndim - i) *
                                static_cast<int64_t>(from.bytes);
  }
}

Operand OperandOf(const Nest& nest, int k, int bytes, int chunk) {
  const NestOperand& from = nest.operands[k];
  Operand operand = {};
  operand.data = from.data;
  std::copy(from.strides, from.strides + nest.num_dims, operand.strides);
  operand.reading = Reading::kStrided;
  if (hooks::IsContiguous(from.strides[0], bytes) &&
      hooks::IsAligned(from.data, from.strides, nest.num_dims, nest.extents[0],
                       chunk, bytes)) {
    operand.reading = Reading::kVector;
  } else if (from.strides[0] == 0) {
    operand.reading = Reading::kOne;
  }
  return operand;
}

// Returns whether chunks along the first dimension are contiguous backwards,
// and aligned.
bool IsReversed(const Nest& nest, int k, int bytes, int chunk) {
  const NestOperand& from = nest.operands[k];
  return hooks::IsContiguous(-from.strides[0], bytes) &&
         hooks::IsAligned(from.data - (chunk - 1) * bytes, from.strides,
                          nest.num_dims, nest.extents[0], chunk, bytes);
}

// Returns whether a job is made of whole, aligned chunks of so many elements,
// forwards or backwards, as kernels for several rows at a time need.
bool ReadsChunks(const Nest& nest, const KernelSet& kernels, int chunk,
                 Job* job) {
  if (nest.num_dims == 1 || job->output.reading != Reading::kVector ||
      job->extent % static_cast<uint32_t>(chunk) != 0) {
    return false;
  }
  for (int k = 0; k < job->num_inputs; ++k) {
    Operand& input = job->inputs[k];
    if (input.reading != Reading::kStrided) continue;
    if (!IsReversed(nest, k, kernels.input_bytes[k], chunk)) return false;
    input.reading = Reading::kReversed;
  }
  return true;
}

// Returns whether all inputs repeat themselves: a single input is the same
// along the first or along the second dimension, and of two inputs one is the
// same along the first and the other along the second.
bool IsRepeated(const Job& job) {
  int columns = 0;
  for (int k = 0; k < job.num_inputs; ++k) {
    if (job.inputs[k].reading == Reading::kOne) {
      ++columns;
    } else if (job.inputs[k].strides[1] != 0) {
      return false;
    }
  }
  return job.num_inputs == 1 || columns == 1;
}

// Changes the job so that a thread takes so many rows.
void TakeRows(int of_thread, Job* job) {
  const auto rows = static_cast<uint32_t>(of_thread);
  job->second_extent = job->extents[1].divisor;
  job->chunks /= job->second_extent;
  job->extents[1] = Divisor::Of((job->second_extent + rows - 1) / rows);
  job->chunks *= job->extents[1].divisor;
}

// Returns whether an input is contiguous along this dimension and not along the
// first.
bool IsAcross(const Nest& nest, int k, int bytes, int dim) {
  const int64_t* strides = nest.operands[k].strides;
  return strides[dim] == bytes && strides[0] != bytes && strides[0] != 0;
}

// Below this size a tile is mostly empty, and caches work as well.
constexpr int64_t kLeastTiled = 16;

// Among the inputs that are not contiguous along the first dimension, finds the
// dimension along which most of them are contiguous. Returns 0 if there is
// none.
int DimAcross(const Nest& nest, const KernelSet& kernels) {
  int found = 0;
  int most = 0;
  if (kernels.tiled == nullptr || nest.extents[0] < kLeastTiled) return 0;
  for (int dim = 1; dim < nest.num_dims; ++dim) {
    int count = 0;
    for (int k = 0; k < nest.num_operands - 1; ++k)
      count += IsAcross(nest, k, kernels.input_bytes[k], dim);
    if (count > most && nest.extents[dim] >= kLeastTiled) {
      most = count;
      found = dim;
    }
  }
  return found;
}

// Sets tiles instead of chunks: inputs are contiguous along the second
// dimension.
void SetTiles(const Nest& nest, const KernelSet& kernels, Job* job) {
  const auto side = static_cast<uint32_t>(kernels.tile);
  job->second_extent = static_cast<uint32_t>(nest.extents[1]);
  job->chunks_of_row = Divisor::Of((job->extent + side - 1) / side);
  job->extents[1] = Divisor::Of((job->second_extent + side - 1) / side);
  job->chunks = job->chunks_of_row.divisor * job->extents[1].divisor;
  for (int d = 2; d < nest.num_dims; ++d)
    job->chunks *= job->extents[d].divisor;
  uint32_t tiles = 0;
  job->is_aligned = job->output.reading == Reading::kVector;
  for (int k = 0; k < nest.num_operands - 1; ++k) {
    Operand& input = job->inputs[k];
    if (tiles == kMaxTransposed ||
        !IsAcross(nest, k, kernels.input_bytes[k], 1)) {
      job->is_aligned = job->is_aligned && input.reading != Reading::kStrided;
      continue;
    }
    input.reading = Reading::kTransposed;
    input.tile = tiles++;
    // The chunks of this input go along the second dimension.
    NestOperand turned = nest.operands[k];
    turned.strides[1] = turned.strides[0];
    job->is_aligned =
        job->is_aligned &&
        hooks::IsAligned(turned.data, turned.strides, nest.num_dims,
                         nest.extents[1], kernels.tile / kTileParts,
                         kernels.input_bytes[k]);
  }
}

int64_t ElementsOf(const Nest& nest) {
  int64_t count = 1;
  for (int d = 0; d < nest.num_dims; ++d) count *= nest.extents[d];
  return count;
}

// Makes a job whose chunks have `size` elements.
Job JobOf(const Nest& nest, const Function& function, int size) {
  const KernelSet& kernels = *function.kernels;
  const auto chunk = static_cast<uint32_t>(size);
  const int output = nest.num_operands - 1;
  Job job = {};
  job.op = function.op;
  job.parameters = function.parameters;
  job.num_inputs = function.num_inputs;
  job.num_dims = nest.num_dims;
  job.extent = static_cast<uint32_t>(nest.extents[0]);
  job.chunks_of_row = Divisor::Of((job.extent + chunk - 1) / chunk);
  job.chunks = job.chunks_of_row.divisor;
  for (int d = 1; d < nest.num_dims; ++d) {
    job.extents[d] = Divisor::Of(static_cast<uint32_t>(nest.extents[d]));
    job.chunks *= job.extents[d].divisor;
  }
  for (int k = 0; k < output; ++k)
    job.inputs[k] = OperandOf(nest, k, kernels.input_bytes[k], size);
  job.output = OperandOf(nest, output, kernels.output_bytes, size);
  if (job.output.reading == Reading::kOne)
    job.output.reading = Reading::kStrided;
  return job;
}

// Returns the kernel for a nest and sets its job. `across` is what DimAcross
// returned.
Launcher Plan(const Nest& nest, const Function& function, int across,
              Job* job) {
  const KernelSet& kernels = *function.kernels;
  if (across != 0) {
    *job = JobOf(nest, function, kernels.tile / kTileParts);
    SetTiles(nest, kernels, job);
    return kernels.tiled;
  }
  // If a row is shorter than a chunk, most of its thread's work would be lost.
  if (nest.extents[0] < kernels.chunk) {
    *job = JobOf(nest, function, 1);
    return kernels.narrow;
  }
  const int64_t elements = ElementsOf(nest);
  const auto has_chunks = [&](int chunk, uint32_t least) {
    return elements / chunk >= least;
  };
  if (kernels.repeated != nullptr &&
      has_chunks(kernels.repeated_chunk,
                 kernels.tuning.least_chunks_for_repeated)) {
    *job = JobOf(nest, function, kernels.repeated_chunk);
    if (ReadsChunks(nest, kernels, kernels.repeated_chunk, job) &&
        IsRepeated(*job)) {
      TakeRows(kRepeatedRows, job);
      return kernels.repeated;
    }
  }
  *job = JobOf(nest, function, kernels.chunk);
  if (!has_chunks(kernels.chunk, kernels.tuning.least_chunks_for_rows))
    return kernels.elementwise;
  Job in_rows = *job;
  if (!ReadsChunks(nest, kernels, kernels.chunk, &in_rows))
    return kernels.elementwise;
  *job = in_rows;
  TakeRows(kernels.rows, job);
  return kernels.in_rows;
}

// Runs a nest of no more dimensions and elements than a job has. Like the
// functions below, it returns what went wrong, or nullptr.
const char* RunOne(Nest nest, const Function& function) {
  const KernelSet& kernels = *function.kernels;
  const int across = DimAcross(nest, kernels);
  for (int dim = across; dim > 1; --dim) SwapDims(dim, dim - 1, &nest);
  Batch* const batch = Batch::Current();
  if (batch != nullptr && across == 0 && batch->Takes(ElementsOf(nest))) {
    Job job = JobOf(nest, function, 1);
    hooks::Prepare(&job);
    batch->Add(kernels, job);
    return nullptr;
  }
  Job job;
  const Launcher launch = Plan(nest, function, across, &job);
  hooks::Prepare(&job);
  if (batch != nullptr && hooks::FlushesFirst()) {
    if (const char* error = batch->Flush()) return error;
  }
  launch(job);
  return hooks::Checked(LaunchError());
}

// Returns the part of the nest within [begin, end) of one dimension. If the
// dimension is the last one and the part is one element of it, the dimension is
// dropped.
Nest Slice(const Nest& nest, int dim, int64_t begin, int64_t end) {
  Nest slice = nest;
  slice.extents[dim] = end - begin;
  for (int k = 0; k < nest.num_operands; ++k)
    slice.operands[k].data += nest.operands[k].strides[dim] * begin;
  if (end - begin == 1 && dim == nest.num_dims - 1 && dim > 0) --slice.num_dims;
  return slice;
}

// Returns the elements of a row if a nest of one dimension is made into rows.
int64_t RowOf(const KernelSet& kernels) {
  return int64_t{kernels.tuning.threads} * kernels.chunk *
         kernels.tuning.blocks_of_row;
}

// Makes a nest of one dimension into rows, with as many of its elements as
// there are whole blocks of rows.
Nest InBlocks(const Nest& nest, int64_t blocks, const KernelSet& kernels) {
  Nest split = nest;
  split.num_dims = blocks > 1 ? 3 : 2;
  split.extents[0] = RowOf(kernels);
  split.extents[1] = kernels.rows;
  split.extents[2] = blocks;
  for (int k = 0; k < nest.num_operands; ++k) {
    int64_t* strides = split.operands[k].strides;
    for (int d = 0; d < 2; ++d) strides[d + 1] = strides[d] * split.extents[d];
  }
  return split;
}

// Runs a nest that may have no rows but is large enough for them.
const char* RunJob(const Nest& nest, const Function& function) {
  const KernelSet& kernels = *function.kernels;
  const int64_t block = RowOf(kernels) * kernels.rows;
  const int64_t blocks = nest.extents[0] / block;
  if (nest.num_dims > 1 || blocks == 0 ||
      nest.extents[0] / kernels.chunk < kernels.tuning.least_chunks_for_rows)
    return RunOne(nest, function);
  const char* error = RunOne(InBlocks(nest, blocks, kernels), function);
  if (error != nullptr || nest.extents[0] == blocks * block) return error;
  return RunOne(Slice(nest, 0, blocks * block, nest.extents[0]), function);
}

// Cuts the last dimension until each part fits a job.
const char* RunJobs(const Nest& nest, const Function& function) {
  const int64_t most = hooks::MaxJobElements();
  int64_t rows = 1;  // Elements of all dimensions but the last one.
  for (int d = 0; d < nest.num_dims - 1; ++d) {
    rows = rows > most ? rows : rows * nest.extents[d];
  }
  const int last = nest.num_dims - 1;
  const int64_t extent = nest.extents[last];
  int64_t step = std::max<int64_t>(1, most / rows);
  if (nest.num_dims > kMaxJobDims) step = 1;
  if (step >= extent && nest.num_dims <= kMaxJobDims)
    return RunJob(nest, function);
  for (int64_t begin = 0; begin < extent; begin += step) {
    const Nest slice = Slice(nest, last, begin, std::min(begin + step, extent));
    if (const char* error = RunJobs(slice, function)) return error;
  }
  return nullptr;
}

}  // namespace

Nest MakeNest(const NestTensor* inputs, int num_inputs,
              const NestTensor& output) {
  Nest nest;
  nest.num_operands = num_inputs + 1;
  const DLTensor& result = *output.tensor;
  for (int k = 0; k < num_inputs; ++k)
    AddOperand(inputs[k], result, &nest.operands[k]);
  NestOperand& last_operand = nest.operands[num_inputs];
  AddOperand(output, result, &last_operand);
  nest.num_dims = 0;
  for (int i = result.ndim - 1; i >= 0; --i) {
    if (result.shape[i] != 1) nest.extents[nest.num_dims++] = result.shape[i];
  }
  for (int dim = 0; dim < nest.num_dims; ++dim) {
    if (last_operand.strides[dim] < 0) Flip(dim, &nest);
    for (int i = dim;
         i > 0 && last_operand.strides[i] < last_operand.strides[i - 1]; --i) {
      SwapDims(i, i - 1, &nest);
    }
  }
  int last = 0;
  for (int dim = 1; dim < nest.num_dims; ++dim) {
    if (Continues(nest, last, dim)) {
      nest.extents[last] *= nest.extents[dim];
    } else {
      CopyDim(dim, ++last, &nest);
    }
  }
  if (nest.num_dims == 0) {
    nest.extents[0] = 1;
    for (int k = 0; k < nest.num_operands; ++k) nest.operands[k].strides[0] = 0;
  }
  nest.num_dims = last + 1;
  return nest;
}

const char* RunNest(const Nest& nest, const Function& function) {
  return RunJobs(nest, function);
}

}  // namespace assay::cuda
