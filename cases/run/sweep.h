// A sweep is a case of more elements than memory holds, such as all 2^32 values
// of f32, that is judged chunk by chunk and has one verdict.
//
// A chunk is a case of its own: a flat slice of the operands, drawn alone. So
// everything that judges cases can judge chunks, in any order and in parallel.
#ifndef ASSAY_CASES_RUN_SWEEP_H_
#define ASSAY_CASES_RUN_SWEEP_H_

#include <map>
#include <vector>

#include "cases/case.h"
#include "cases/run/verdict.h"

namespace assay {

// Verdicts on chunks, by number.
using ChunkVerdicts = std::map<int64_t, Verdict>;

// Returns the number of chunks that a case is judged in; 1 if it is no sweep.
int64_t ChunkCount(const Case& c);

// Returns the elements [begin, end), in row-major order, of a case of one op
// whose operands and results have one shape: a case of flat tensors.
Case SliceOf(const Case& c, int64_t begin, int64_t end);

// Returns chunk `number`. The first, and every 64th after it, has a run B,
// because what that shows about memory does not depend on the values.
// Precondition: `sweep.chunk` is not 0.
Case ChunkOf(const Case& sweep, int64_t number);

// Merges the verdicts on the chunks into one: it has the worst outcome in the
// order of precedence with the message of the first chunk that has it, and the
// elements and errors of all. When one is declined or skipped, so is the sweep,
// and chunks may be missing; unless another one shows something worse.
Verdict MergeChunks(const Case& sweep, const ChunkVerdicts& chunks);

}  // namespace assay

#endif  // ASSAY_CASES_RUN_SWEEP_H_
