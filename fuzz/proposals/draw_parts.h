// Proposals share how they draw and add parts of a call.
#ifndef ASSAY_FUZZ_PROPOSALS_DRAW_PARTS_H_
#define ASSAY_FUZZ_PROPOSALS_DRAW_PARTS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/draw/choices.h"
#include "spec/program.h"

namespace assay {

uint32_t Below(Choices* choices, Topic topic, int64_t n);

Attribute List(std::string name, const std::vector<int64_t>& numbers);
Attribute Number(std::string name, int64_t number);
void AddOperand(const std::string& name, const std::string& value,
                const TensorType& type, Op* op);
void AddResult(const std::string& name, const TensorType& type, Op* op);

// Returns the shape, or one of rank 1 in place of rank 0.
Shape WithDimensions(const Shape& shape);
size_t DrawDimension(Choices* choices, const Shape& shape);
// Returns a permutation of the numbers below `count`.
std::vector<int64_t> DrawOrder(Choices* choices, size_t count);

}  // namespace assay

#endif  // ASSAY_FUZZ_PROPOSALS_DRAW_PARTS_H_
