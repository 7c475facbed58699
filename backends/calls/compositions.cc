#include "backends/calls/compositions.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "backends/calls/batch_norm.h"
#include "backends/calls/functions.h"

namespace assay::calls {
namespace {

struct CompositionRoute {
  std::string_view op;
  const char* (*run)(const AssayCall& call, Machine* machine);
};

constexpr CompositionRoute kCompositionRoutes[] = {
    {"batch_norm_grad", RunBatchNormGrad},
    {"batch_norm_inference", RunBatchNormInference},
    {"batch_norm_training", RunBatchNormTraining},
    {"map", RunWithFunction},
    {"reduce", RunWithFunction},
    {"reduce_window", RunWithFunction},
    {"scatter", RunWithFunction},
    {"select_and_scatter", RunWithFunction},
    {"sort", RunWithFunction}};

const CompositionRoute* FindCompositionRoute(std::string_view op) {
  const auto* const route =
      std::ranges::find(kCompositionRoutes, op, &CompositionRoute::op);
  return route == std::end(kCompositionRoutes) ? nullptr : route;
}

}  // namespace

bool IsComposition(const char* op) {
  return FindCompositionRoute(op) != nullptr;
}

const char* RunComposition(const AssayCall& call, Machine* machine) {
  return FindCompositionRoute(call.op)->run(call, machine);
}

}  // namespace assay::calls
