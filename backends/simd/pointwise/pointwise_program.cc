#include "backends/simd/pointwise/pointwise_program.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "backends/calls/stages.h"
#include "backends/simd/core/bit_moves.h"
#include "backends/simd/core/names.h"
#include "backends/simd/pointwise/pointwise_function.h"

namespace assay::simd {

// The first failure is the one that is reported.
Making MakePointwise(const calls::PointwiseProgram& program,
                     const Options& options, const size_t* bytes) {
  // `polar` is made of several functions, none of which flushes subnormals.
  const Options stage_options = {
      options.target,
      program.name == "polar" ? Subnormals::kKeep : options.subnormals,
      options.threads};
  const calls::PointwiseStages stages = calls::MakeStages(program);
  auto function =
      std::make_unique<PointwiseFunction>(program.num_inputs, bytes);
  for (int i = 0; i < stages.num_stages; ++i) {
    const Signature& signature = stages.stages[i].signature;
    Making making = MakeFunction(signature, stage_options);
    if (making.function == nullptr) return making.failure;
    Stage stage = {std::move(making.function),
                   signature.num_inputs,
                   {},
                   signature.output.bytes()};
    std::copy_n(stages.stages[i].inputs, stage.num_inputs, stage.inputs);
    function->Add(std::move(stage));
  }
  for (int o = 0; o < stages.num_outputs; ++o) {
    Slot slot = stages.outputs[o];
    // If an input is the result, a stage copies it.
    if (slot < stages.num_inputs) {
      const size_t size = bytes[slot];
      slot = function->Add({MakeCopy(size, options.target), 1, {slot}, size});
    }
    function->AddOutput(slot);
  }
  std::unique_ptr<BlockFunction> single = function->Reduced();
  if (single != nullptr) return single;
  return function;
}

}  // namespace assay::simd
