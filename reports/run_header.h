// A RunHeader says what ran where. It is the first line of a results file, and
// decides whether two files are parts of one run.
#ifndef ASSAY_REPORTS_RUN_HEADER_H_
#define ASSAY_REPORTS_RUN_HEADER_H_

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// This is the format of the results file. Format 1 had no identity of suite and
// plugin.
inline constexpr int kResultsFormat = 4;
inline constexpr int kMostShards = 10000;

std::string AssayVersion();
// Returns the machine that this process runs on, as JSON.
std::string ThisHost();

struct RunHeader {
  std::vector<std::string> command;
  std::vector<std::string> suite;  // paths
  size_t cases = 0;  // of this file, per backend: each has that many results
  std::string suite_sha256;      // of the whole selected suite, before sharding
  std::vector<std::string> ops;  // of --op; empty: the whole suite
  bool cases_are_named = false;  // by --cases, so they need not be the suite
  struct Shard {
    int index = 1, count = 1;  // 1-based; 1 of 1 is the whole
  } shard;
  int repeat = 1;
  // The flags that say how programs run: " --operands both"; empty: none.
  std::string how;
  struct BackendInfo {
    std::string spec, name, version, path;
    std::string sha256;  // of the plugin's file; empty if there is none
    std::string policy;
    std::map<std::string, std::string, std::less<>> policy_values;
    std::string policy_file = {};  // its path; a shipped one has none
    // A shipped policy has no file and thus no digest.
    std::string policy_sha256 = {};
  };
  std::vector<BackendInfo> backends;
  std::string assay = AssayVersion();
  std::string time;  // UTC, when the run began; empty: now
  std::vector<std::string> hosts = {ThisHost()};  // several after a merge

  // These are digests of the files that cases are from, by name:
  // "conformance/add.json".
  std::map<std::string, std::string> files;

  bool is_whole() const {
    return ops.empty() && !cases_are_named && shard.count == 1;
  }
  // Returns whether the run is all that --op chose of the suite.
  bool is_selection() const {
    return !ops.empty() && !cases_are_named && shard.count == 1;
  }
  std::set<std::string> OpSet() const { return {ops.begin(), ops.end()}; }
};

// Returns one line of JSON, without the line's end.
std::string HeaderLine(const RunHeader& header);
// Throws InputError that begins with `file`.
RunHeader ParseHeader(const std::string& file, std::string_view line);

// Returns the first field in which two runs differ, with both values ("shard 1
// and 2"), or an empty text if both are the same run. Time, command, paths and
// host do not count.
std::string Difference(const RunHeader& a, const RunHeader& b);
// Returns such a text for everything but backends and shards.
std::string SuiteDifference(const RunHeader& a, const RunHeader& b);
// Returns such a text for one backend in two files.
std::string Difference(const RunHeader::BackendInfo& a,
                       const RunHeader::BackendInfo& b);

}  // namespace assay

#endif  // ASSAY_REPORTS_RUN_HEADER_H_
