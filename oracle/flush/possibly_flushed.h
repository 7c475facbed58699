// These functions say what results may be where any way of flushing is allowed,
// and judge none.
#ifndef ASSAY_ORACLE_FLUSH_POSSIBLY_FLUSHED_H_
#define ASSAY_ORACLE_FLUSH_POSSIBLY_FLUSHED_H_

#include <cstdint>
#include <map>
#include <vector>

#include "oracle/oracle.h"
#include "oracle/scalars.h"
#include "spec/policy.h"
#include "spec/program.h"
#include "spec/types/tensor.h"

namespace assay {

// Precondition of both functions: CanFlush. `kept` is what the op gives without
// flushing.

// Says of each element of a result whether the ways of flushing may differ in
// it.
std::vector<uint8_t> AffectedByFlushing(const std::vector<Tensor>& inputs,
                                        const Policy& policy,
                                        const Expectation& kept);

// Returns, by position, what the elements of the op's one result may be in
// which the ways of flushing may differ.
std::map<int64_t, Possible> PossiblyFlushed(const Op& op,
                                            const std::vector<Tensor>& inputs,
                                            const Policy& policy,
                                            const Expectation& kept);

}  // namespace assay

#endif  // ASSAY_ORACLE_FLUSH_POSSIBLY_FLUSHED_H_
