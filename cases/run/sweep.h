// Sweeps: cases of more elements than memory holds, such as all 2^32 values of
// f32, judged chunk by chunk and told as one verdict.
//
// A chunk is a case of its own: a flat slice of the operands, drawn alone. So
// whatever judges cases judges chunks, in any order and beside one another.
#ifndef ASSAY_CASES_RUN_SWEEP_H_
#define ASSAY_CASES_RUN_SWEEP_H_

#include <map>
#include <vector>

#include "cases/case.h"
#include "cases/run/verdict.h"

namespace assay {

// Verdicts on chunks, by number.
using ChunkVerdicts = std::map<int64_t, Verdict>;

// The chunks that a case is judged in; 1 if it is no sweep.
int64_t ChunkCount(const Case& c);

// The elements [begin, end), in row-major order, of a case of one op whose
// operands and results are of one shape: a case of flat tensors.
Case SliceOf(const Case& c, int64_t begin, int64_t end);

// Chunk `number`. The first, and every 64th after it, has a run B: what that
// shows of memory does not depend on the values. Precondition: `sweep.chunk`.
Case ChunkOf(const Case& sweep, int64_t number);

// One verdict of those on the chunks: the worst outcome in the order of
// precedence with the message of the first chunk that has it, and the elements
// and errors of all. When one is declined or skipped, so is the sweep, and
// chunks may be missing; unless another one shows something worse.
Verdict MergeChunks(const Case& sweep, const ChunkVerdicts& chunks);

}  // namespace assay

#endif  // ASSAY_CASES_RUN_SWEEP_H_
