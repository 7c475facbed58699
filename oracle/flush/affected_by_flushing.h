// Which elements of a result flushing may change, without a judgement of it.
#ifndef ASSAY_ORACLE_FLUSH_AFFECTED_BY_FLUSHING_H_
#define ASSAY_ORACLE_FLUSH_AFFECTED_BY_FLUSHING_H_

#include <cstdint>
#include <vector>

#include "spec/policy.h"
#include "spec/types/tensor.h"

namespace assay {

// Says of each element of a result whether the ways of flushing may differ in
// it. Precondition: CanFlush.
std::vector<uint8_t> AffectedByFlushing(const std::vector<Tensor>& inputs,
                                        const Policy& policy,
                                        const Tensor& actual);

}  // namespace assay

#endif  // ASSAY_ORACLE_FLUSH_AFFECTED_BY_FLUSHING_H_
