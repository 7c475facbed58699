// A search reports what it found for people to read: every finding is shrunk,
// and those that shrink to the same case are reported once.
#ifndef ASSAY_TOOLS_FOUND_REPORT_H_
#define ASSAY_TOOLS_FOUND_REPORT_H_

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cases/read/json.h"
#include "cases/run/earlier_calls.h"
#include "fuzz/campaign/campaign.h"
#include "fuzz/shrink/shrink.h"
#include "tools/limit_flags.h"

namespace assay {

// This says what was searched, and where the cases go.
struct SearchedFor {
  std::string backend, out;  // `out`: a folder; empty: they are printed
  std::vector<std::string> ops;
  const CampaignOptions* options;
  const Policy* policy;
  Generator* generator;
  bool asks_backend;  // not the constraints
  LimitFlags limits;  // as the flags were given, and so `how`
  HowFlags how;
  std::string memory;
};

// Says when an interruption ends what is shrunk.
struct ShrinkStops {
  // Shrinking stops, and keeps what it has.
  std::function<bool()> is_over = nullptr;
  // Processes that have not come to their end by then are ended.
  std::function<bool()> is_long_over = nullptr;
};

// Returns one line, in which bytes that are not UTF-8 are replaced.
std::string JsonText(const Json& json);

class FoundReport {
 public:
  explicit FoundReport(SearchedFor in, ShrinkStops stops = {})
      : in_(std::move(in)), stops_(std::move(stops)) {}

  // Shrinks the findings in processes of their own, because a case that ended a
  // process when it was judged may end this one, too, and writes the case files
  // one by one. Then prints the distinct findings, also those that an
  // interruption left as they were found.
  void Tell(const std::vector<const Finding*>& findings);

  size_t told() const { return kept_.size(); }
  // Returns a file that could not be written; empty if all were.
  const std::string& lost() const { return lost_; }

 private:
  // Several findings that shrink to the same case are kept as one.
  struct Kept {
    const Finding* finding;
    Json shrunk;      // Describe; null if it does not fail again
    std::string why;  // the reason why it does not
    int others = 0;
    bool is_written = false;
  };

  bool IsOver() const { return stops_.is_over && stops_.is_over(); }
  void Add(const Finding& finding, const Json& shrunk, const std::string& why);
  Json Describe(const Finding& finding);
  Shrunk ShrinkAlone(const Drawn& drawn,
                     const std::function<Verdict(const Case&)>& judge);
  Dependence FindDependence(const Finding& finding, const Drawn& drawn);
  std::optional<std::string> KnownAs(
      const Drawn& drawn,
      const std::function<Verdict(const Case&)>& judge) const;
  Json TextOfProgram(const Shrunk& shrunk, const std::string& path,
                     const std::function<Verdict(const Case&)>& judge) const;
  void Print(const Kept& kept);
  // Writes the case, and the text of a program.
  bool Write(const Json& shrunk);
  bool WriteFile(const std::string& path, const std::string& content);

  SearchedFor in_;
  ShrinkStops stops_;
  std::unique_ptr<Executor> shrinks_on_;
  std::vector<Kept> kept_;
  std::map<std::string, size_t> number_of_;  // in kept_, by shrunk signature
  // Each process that shrinks keeps the signatures of its results here.
  std::set<std::string> shrunk_;
  std::string lost_;
};

}  // namespace assay

#endif  // ASSAY_TOOLS_FOUND_REPORT_H_
