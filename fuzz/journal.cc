#include "fuzz/journal.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "cases/json.h"
#include "spec/error.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr int kFormat = 1;

}  // namespace

void MakeFindingsFolder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder))
    throw InputError(folder, "cannot be made a folder for findings: " +
                                 (error ? error.message() : "it is a file"));
}

CampaignJournal::CampaignJournal(const std::string& folder,
                                 const CampaignOptions& options,
                                 const std::vector<std::string>& ops,
                                 const std::string& cases, bool resumes,
                                 CampaignState* state)
    : path_((fs::path(folder) / "campaign.jsonl").string()) {
  MakeFindingsFolder(folder);
  Json header = {{"kind", "campaign"},
                 {"format", kFormat},
                 {"backend", options.backend},
                 {"policy", options.policy->name()},
                 {"seed", options.seed},
                 {"first", options.first},
                 {"ops", ops},
                 {"cases", cases}};
  const bool is_there = fs::exists(path_);
  if (is_there && !resumes)
    throw InputError(path_,
                     "holds a campaign: --resume goes on with it, or "
                     "name another folder");
  const bool has_header = is_there && Read(header, state);
  stream_.open(path_, std::ios::binary | std::ios::app);
  if (!stream_)
    throw InputError(
        path_, fmt::format("cannot be written: {}", std::strerror(errno)));
  if (!has_header) WriteLine(header);
  if (!stream_)
    throw InputError(
        path_, fmt::format("cannot be written: {}", std::strerror(errno)));
}

bool CampaignJournal::Read(const Json& header, CampaignState* state) {
  std::ifstream stream(path_, std::ios::binary);
  std::string line;
  size_t number = 0;
  std::uintmax_t whole = 0;
  while (std::getline(stream, line)) {
    ++number;
    // A line without an end was cut off when the process was killed.
    if (stream.eof()) break;
    const std::string where = fmt::format("{}:{}", path_, number);
    const Json json = ParseJson(where, line);
    const JsonView view(json, where);
    const std::string kind = view.At("kind").String();
    if (number == 1 && json != header)
      throw InputError(where,
                       "is of another campaign, or drawn by another version: " +
                           json.dump());
    if (kind == "finding") {
      Finding finding = FindingFromJson(view);
      const auto there = state->findings.find(finding.signature);
      if (there == state->findings.end() || finding.index < there->second.index)
        state->findings.insert_or_assign(finding.signature, finding);
    } else if (kind == "progress") {
      state->next =
          static_cast<uint64_t>(view.At("next").Integer(0, INT64_MAX));
      state->outcomes.clear();
      for (const auto& [name, count] : view.At("outcomes").Members()) {
        const auto outcome = FindOutcome(name);
        if (!outcome) count.Fail("no outcome has that name");
        state->outcomes[*outcome] =
            static_cast<uint64_t>(count.Integer(0, INT64_MAX));
      }
    } else if (kind != "campaign") {
      view.At("kind").Fail("expected campaign, finding or progress");
    }
    whole = static_cast<std::uintmax_t>(stream.tellg());
  }
  stream.close();
  std::error_code error;
  fs::resize_file(path_, whole, error);
  if (error) throw InputError(path_, error.message());
  return whole > 0;
}

void CampaignJournal::Write(const Finding& finding) {
  WriteLine(ToJson(finding));
}

void CampaignJournal::Write(const CampaignState& state) {
  if (state.next == written_next_) return;
  written_next_ = state.next;
  Json json = {{"kind", "progress"}, {"next", state.next}};
  json["outcomes"] = Json::object();
  for (const auto& [outcome, count] : state.outcomes)
    json["outcomes"][Name(outcome)] = count;
  WriteLine(json);
}

void CampaignJournal::WriteLine(const Json& json) {
  stream_ << json.dump(-1, ' ', false, Json::error_handler_t::replace) << "\n"
          << std::flush;
}

void CampaignJournal::Close() {
  stream_.flush();
  if (!stream_)
    throw InputError(path_,
                     "could not be written to its end; what was found "
                     "is printed above");
}

}  // namespace assay
