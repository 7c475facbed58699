// The tests of the runner judge plugins that they make in their own process.
#ifndef ASSAY_CASES_RUN_PLUGIN_TEST_SUPPORT_H_
#define ASSAY_CASES_RUN_PLUGIN_TEST_SUPPORT_H_

#include <string>
#include <vector>

#include "backends/host/loader.h"
#include "cases/case.h"
#include "cases/run/runner.h"

namespace assay {

// Returns a plugin on the CPU that runs calls by this function.
inline AssayBackend PluginOf(decltype(AssayBackend::run) run) {
  AssayBackend plugin = {};
  plugin.struct_size = sizeof(plugin);
  plugin.abi_major = ASSAY_ABI_MAJOR;
  plugin.name = plugin.version = "test";
  plugin.device = {kDLCPU, 0};
  plugin.run = run;
  return plugin;
}

// Returns the elements of a tensor in row-major order.
template <class T>
T* ElementsOf(const AssayTensor& t) {
  return reinterpret_cast<T*>(static_cast<char*>(t.tensor.data) +
                              t.tensor.byte_offset);
}

// Judges the first case of a text.
inline Verdict JudgeFirst(const AssayBackend& plugin, const std::string& json,
                          const std::string& policy,
                          int64_t evaluated_bytes = Runner::kEvaluatedBytes) {
  InProcessExecutor executor(Backend::Adopt("test", &plugin));
  const std::vector<Case> cases =
      ParseCases("test.json", ParseJsonExactly("test.json", json), {});
  return Runner(&executor, Policy::Find(policy), "", evaluated_bytes)
      .Run(cases.at(0));
}

}  // namespace assay

#endif  // ASSAY_CASES_RUN_PLUGIN_TEST_SUPPORT_H_
