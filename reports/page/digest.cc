// The first line of a digest is about the run. Each section of the page writes
// and reads lines of its own, of which that of the causes has the last.
#include "reports/page/digest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "cases/read/line_reader.h"
#include "reports/page/digest_text.h"
#include "reports/page/page.h"
#include "reports/reasons.h"
#include "spec/error.h"

namespace assay {
namespace {

constexpr int kDigestFormat = 1;
constexpr size_t kMostDigestReasons = 60;
constexpr const char* kVerdictKinds[] = {"good", "bad", "not judged"};

// Returns the header without what only a run needs: where files lie, and
// digests of them.
RunHeader Shortened(RunHeader header) {
  header.files.clear();
  for (std::string& path : header.suite)
    path = std::filesystem::path(path).filename();
  for (std::string& word : header.command) word = WithoutFolders(word);
  for (RunHeader::BackendInfo& backend : header.backends) {
    backend.path.clear();
    backend.spec = DigestBackend(backend.spec);
    backend.policy_file = WithoutFolders(backend.policy_file);
  }
  return header;
}

Json ReasonsJson(const std::map<std::string, int64_t>& reasons) {
  Json json = Json::object();
  int64_t others = 0;
  size_t taken = 0;
  for (const auto& [cases, reason] :
       FoldedReasons(reasons, kMostDigestReasons)) {
    if (taken++ < kMostDigestReasons) {
      json[WithoutFolders(reason)] = cases;
    } else {
      others += cases;
    }
  }
  if (others > 0) json["other reasons"] = others;
  return json;
}

// Adds the backends, and what is said of the run, to those of other digests.
void AddHeader(const std::string& file, RunHeader header, PageFacts* facts) {
  RunHeader& all = facts->header;
  for (const RunHeader::BackendInfo& backend : header.backends) {
    if (std::ranges::find(all.backends, backend.spec,
                          &RunHeader::BackendInfo::spec) != all.backends.end())
      throw InputError(file,
                       fmt::format("has backend '{}', as a file before it "
                                   "has",
                                   backend.spec));
  }
  header.command = {fmt::format("{}", fmt::join(header.command, " "))};
  if (all.backends.empty()) {
    all = std::move(header);
    return;
  }
  if (all.suite_sha256 != header.suite_sha256)
    all.suite_sha256 = "not the same of all files";
  all.cases = std::max(all.cases, header.cases);
  all.time = std::max(all.time, header.time);
  all.assay = std::max(all.assay, header.assay);
  all.command.back() += "\n";
  all.command.insert(all.command.end(), header.command.begin(),
                     header.command.end());
  all.backends.insert(all.backends.end(), header.backends.begin(),
                      header.backends.end());
  for (const std::string& host : header.hosts) {
    if (std::ranges::find(all.hosts, host) == all.hosts.end())
      all.hosts.push_back(host);
  }
}

void AddFirstLine(const std::string& file, const JsonView& json,
                  PageFacts* facts) {
  json.At("format").Integer(kDigestFormat, kDigestFormat);
  AddHeader(file, ParseHeader(file, json.At("header").json().dump()), facts);
  facts->seconds += json.At("seconds").Number();
  facts->counts.cases += DigestCount(json.At("cases"));
  facts->counts.judged += DigestCount(json.At("judged"));
  facts->counts.elements += DigestCount(json.At("elements"));
  facts->counts.open += DigestCount(json.At("open"));
  for (const auto& [reason, cases] : json.At("not_judged").Members())
    facts->counts.not_judged[std::string(reason)] += DigestCount(cases);
  for (const JsonView& verdict : json.At("verdicts").Elements()) {
    const std::string kind = verdict.At("kind").String();
    const auto* it = std::ranges::find(kVerdictKinds, kind);
    if (it == std::end(kVerdictKinds)) verdict.At("kind").Fail("is no verdict");
    facts->verdicts.push_back(
        {static_cast<PageVerdict::Kind>(it - std::begin(kVerdictKinds)),
         verdict.At("backend").String(), verdict.At("text").String()});
  }
}

}  // namespace

std::string DigestBackend(const std::string& spec) {
  const size_t end = std::min(spec.find('?'), spec.size());
  const size_t slash = spec.rfind('/', end);
  if (slash == std::string::npos) return spec;
  const size_t colon = spec.find(':');
  return spec.substr(0, colon < slash ? colon + 1 : 0) + spec.substr(slash + 1);
}

std::string WithoutFolders(std::string_view text) {
  const auto is_of_path = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '/' ||
           c == '.' || c == '_' || c == '-' || c == '+';
  };
  std::string shortened;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && is_of_path(text[end])) ++end;
    std::string_view word = text.substr(i, std::max<size_t>(end - i, 1));
    if (word.size() > 1 && word.starts_with('/'))
      word.remove_prefix(word.rfind('/') + 1);
    shortened += word;
    i += std::max<size_t>(end - i, 1);
  }
  return shortened;
}

bool IsDigest(const std::string& file) {
  LineReader lines(file);
  if (!lines.Next()) return false;
  const Json json = Json::parse(lines.line(), nullptr, false);
  return json.is_object() && json.contains("kind") && json["kind"] == "digest";
}

std::string Page::ToDigest(const PageFacts& facts) const {
  Json first = {{"kind", "digest"},
                {"format", kDigestFormat},
                {"header", Json::parse(HeaderLine(Shortened(facts.header)))},
                {"seconds", facts.seconds},
                {"cases", facts.counts.cases},
                {"judged", facts.counts.judged},
                {"elements", facts.counts.elements},
                {"open", facts.counts.open},
                {"not_judged", ReasonsJson(facts.counts.not_judged)},
                {"verdicts", Json::array()}};
  for (const PageVerdict& verdict : facts.verdicts)
    first["verdicts"].push_back(
        {{"backend", DigestBackend(verdict.backend)},
         {"kind", kVerdictKinds[static_cast<size_t>(verdict.kind)]},
         {"text", verdict.text}});
  const std::string text =
      DigestLine(first) + matrix_.ToDigest() + clauses_.ToDigest();
  return text + causes_.ToDigest(kMostDigestBytes -
                                 std::min(kMostDigestBytes, text.size()));
}

void Page::AddDigest(const std::string& file, PageFacts* facts) {
  LineReader lines(file);
  bool is_complete = false;
  while (lines.Next()) {
    const std::string place = lines.where();
    const Json document = ParseJson(place, lines.line());
    const JsonView json(document, place);
    const std::string kind = json.At("kind").String();
    if (is_complete) lines.Fail("follows the last line of a digest");
    if ((lines.number() == 1) != (kind == "digest"))
      lines.Fail("is no line of a digest that stands here");
    if (kind == "digest") {
      AddFirstLine(file, json, facts);
    } else if (kind == "ops") {
      matrix_.AddOps(json);
    } else if (kind == "clauses") {
      clauses_.AddClauses(json);
    } else if (kind == "cause") {
      causes_.AddCause(json);
    } else if (kind == "left_out") {
      causes_.AddLeftOut(json);
      is_complete = true;
    } else {
      json.At("kind").Fail("is no kind of line of a digest");
    }
  }
  if (!is_complete || lines.is_cut_off())
    throw InputError(file,
                     "is truncated: the last line of a digest is not there");
}

}  // namespace assay
