#include "fuzz/campaign/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "cases/read/json.h"
#include "spec/error.h"
#include "spec/printable_text.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr int kFormat = 5;

// Checks the first line. Without a sum it may have been written by an older
// assay.
void RequireFormat(const std::string& where, const std::string& line) {
  const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (json.is_object() && json.contains("format") && json["format"] != kFormat)
    throw InputError(
        where, fmt::format("has format {}, and this assay reads format {}: it "
                           "was written by another assay; begin anew in "
                           "another folder",
                           Cut(json["format"].dump()), kFormat));
}

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
  Json header = {
      {"kind", "campaign"},
      {"format", kFormat},
      {"backend", options.backend},
      {"policy", options.policy->name()},
      {"seed", options.seed},
      {"first", options.first},
      {"ops", ops},
      {"cases", cases},
      {"declined", options.declined ? options.declined->Digest() : ""}};
  if (const HowToRun& how = options.open.how; how != HowToRun())
    header["how"] = {how.granularity, how.operands, how.compiles, how.fuel};
  if (!options.policy->sha256().empty())
    header["policy_sha256"] = options.policy->sha256();
  const bool is_there = fs::exists(path_);
  if (is_there && !resumes)
    throw InputError(path_,
                     "holds a campaign: --resume goes on with it, or "
                     "name another folder");
  // The lock is taken before the journal is read, because another campaign may
  // be writing it.
  lock_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock_ < 0)
    throw InputError(
        path_, fmt::format("cannot be written: {}", std::strerror(errno)));
  try {
    if (flock(lock_, LOCK_EX | LOCK_NB) != 0)
      throw InputError(path_, "another campaign is writing it");
    const bool has_header = Read(header, state);
    stream_.open(path_, std::ios::binary | std::ios::app);
    if (stream_ && !has_header) WriteLine(header);
    if (!stream_)
      throw InputError(
          path_, fmt::format("cannot be written: {}", std::strerror(errno)));
  } catch (...) {
    close(lock_);
    throw;
  }
}

CampaignJournal::~CampaignJournal() { close(lock_); }

bool CampaignJournal::Read(const Json& header, CampaignState* state) {
  LineReader lines(path_);
  while (lines.Next()) {
    const std::string where = lines.where();
    if (lines.number() == 1) RequireFormat(where, lines.line());
    if (!sum_.Take(&lines.line())) lines.Fail(kWrongSum);
    const Json json = ParseJson(where, lines.line());
    const JsonView view(json, where);
    const std::string kind = view.At("kind").String();
    if (lines.number() == 1 && json != header)
      throw InputError(
          where,
          "is of another campaign, drawn by another version, or of "
          "a backend that declined other calls: " +
              Cut(json.dump()));
    if (kind == "finding") {
      Finding finding = FindingFromJson(view);
      const auto there = state->findings.find(finding.signature);
      if (there == state->findings.end() || finding.index < there->second.index)
        state->findings.insert_or_assign(finding.signature, finding);
    } else if (kind == "progress") {
      state->next =
          static_cast<uint64_t>(view.At("next").Integer(0, INT64_MAX));
      state->turned_away =
          static_cast<uint64_t>(view.At("turned_away").Integer(0, INT64_MAX));
      state->elements =
          static_cast<uint64_t>(view.At("elements").Integer(0, INT64_MAX));
      state->open =
          static_cast<uint64_t>(view.At("open").Integer(0, INT64_MAX));
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
  }
  // A line without an end was cut off when the process was killed.
  std::error_code error;
  fs::resize_file(path_, static_cast<std::uintmax_t>(lines.bytes()), error);
  if (error) throw InputError(path_, error.message());
  return lines.bytes() > 0;
}

void CampaignJournal::Write(const Finding& finding) {
  WriteLine(ToJson(finding));
}

void CampaignJournal::Write(const CampaignState& state) {
  if (state.next == written_next_) return;
  written_next_ = state.next;
  Json json = {{"kind", "progress"},
               {"next", state.next},
               {"turned_away", state.turned_away},
               {"elements", state.elements},
               {"open", state.open}};
  json["outcomes"] = Json::object();
  for (const auto& [outcome, count] : state.outcomes)
    json["outcomes"][Name(outcome)] = count;
  WriteLine(json);
}

void CampaignJournal::WriteLine(const Json& json) {
  std::string line = json.dump(-1, ' ', true, Json::error_handler_t::replace);
  line.pop_back();  // the brace
  stream_ << line << sum_.End(line) << std::flush;
}

void CampaignJournal::Close() {
  stream_.flush();
  if (!stream_)
    throw InputError(path_,
                     "could not be written to its end; what was found "
                     "is printed above");
}

}  // namespace assay
