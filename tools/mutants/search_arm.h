// Two arms of `assay mutants` search: engine 1 and engine 2 of the fuzzer run
// on one planted bug, and the cases until it is found are counted.
#ifndef ASSAY_TOOLS_MUTANTS_SEARCH_ARM_H_
#define ASSAY_TOOLS_MUTANTS_SEARCH_ARM_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cases/run/verdict.h"
#include "fuzz/draw/draw.h"
#include "tools/mutants/planted_bugs.h"

namespace assay {

// Returns the number of processes that search, or judge, a planted bug: as many
// as there are processors, but few on a GPU, where they take turns.
int JobsOn(const std::string& backend);

// These are the results of the seeds. A search that found nothing took the
// whole budget: its executions are censored there.
struct SearchResult {
  int64_t budget = 0;
  std::vector<int64_t> executions;  // to the kill, by seed; budget + 1: none
  std::string by;                   // the first seed's case
  std::string how;                  // its outcome

  int Kills() const;
  // Returns budget + 1 if half of the seeds or more found nothing.
  int64_t Median() const;
  bool IsKilled() const { return Median() <= budget; }
};

class SearchArm {
 public:
  // `sound` is the backend without a bug. `ops` are globs: a bug is searched
  // for on those of its ops that match one. `engine2` is the program of
  // fuzz/libfuzzer/ops_fuzzer.cc; if it is empty, engine 1 searches.
  SearchArm(std::string sound, std::vector<std::string> ops, int seeds,
            int64_t budget, std::string engine2);

  // Throws BackendError if the bug cannot be planted.
  SearchResult Search(const PlantedBug& bug);
  // Returns the findings on the kernel without a bug, in the budget of one
  // seed: each would be counted as killing every bug.
  std::vector<std::string> SearchSound();

 private:
  // Returns the generator of a list of ops, which is made once.
  Generator* GeneratorOf(const std::vector<std::string>& ops,
                         bool is_of_programs);
  std::vector<std::string> OpsOf(const PlantedBug& bug) const;
  int64_t SearchOnce(const PlantedBug& bug, uint64_t seed,
                     SearchResult* result);
  int64_t RunEngine2(const PlantedBug& bug, uint64_t seed,
                     SearchResult* result) const;

  std::string sound_;
  std::vector<std::string> ops_;
  int seeds_;
  int64_t budget_;
  std::string engine2_;
  // By ops, and by whether half of the cases are programs.
  std::map<std::pair<std::vector<std::string>, bool>,
           std::unique_ptr<Generator>>
      generators_;
};

}  // namespace assay

#endif  // ASSAY_TOOLS_MUTANTS_SEARCH_ARM_H_
