// Written as NAME.partial and renamed at the end: an interrupted run leaves no
// file that could be taken for a result.
#include "reports/json_lines.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>

#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <thread>

#include "spec/error.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

using Json = nlohmann::ordered_json;

std::string CpuModel() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(": ") + 2);
  }
  return "unknown";
}

// Messages quote what backends say, which need not be UTF-8.
std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Json HeaderJson(const RunHeader& header) {
  utsname system = {};
  uname(&system);
  Json json;
  json["kind"] = "header";
  json["format"] = 1;
  json["assay"] = ASSAY_VERSION;
  json["time"] = fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr)));
  json["command"] = header.command;
  json["suite"] = {{"paths", header.suite}, {"cases", header.cases}};
  for (const RunHeader::BackendInfo& b : header.backends) {
    json["backends"].push_back({{"backend", b.spec},
                                {"name", b.name},
                                {"version", b.version},
                                {"path", b.path},
                                {"policy", b.policy->name()},
                                {"policy_values", b.policy->values()}});
  }
  json["host"] = {{"cpu", CpuModel()},
                  {"cores", std::thread::hardware_concurrency()},
                  {"system", fmt::format("{} {} {}", system.sysname,
                                         system.release, system.machine)},
                  {"compiler", __VERSION__}};
  return json;
}

Json VerdictJson(const Verdict& verdict) {
  Json json;
  json["kind"] = "result";
  json["backend"] = verdict.backend;
  json["case"] = verdict.case_name;
  json["op"] = verdict.op;
  json["type"] = verdict.type;
  json["outcome"] = Name(verdict.outcome);
  for (Outcome outcome : verdict.also) json["also"].push_back(Name(outcome));
  if (!verdict.basis.empty()) json["basis"] = verdict.basis;
  if (!verdict.clauses.empty()) json["clauses"] = verdict.clauses;
  json["elements"] = verdict.elements;
  if (verdict.open > 0) json["open"] = verdict.open;
  if (verdict.unchecked_literals > 0)
    json["unchecked_literals"] = verdict.unchecked_literals;
  if (!verdict.violated.empty()) json["violated"] = verdict.violated;
  if (!verdict.covered.empty()) json["covered"] = verdict.covered;
  if (!verdict.message.empty()) json["message"] = verdict.message;
  if (!verdict.replay.empty()) json["replay"] = verdict.replay;
  return json;
}

JsonLinesWriter::JsonLinesWriter(const std::string& path,
                                 const RunHeader& header)
    : path_(path) {
  // The rename at the end would replace a device or a pipe.
  for (const std::string& target : {path, path + ".partial"}) {
    std::error_code error;
    if (fs::exists(target, error) && !fs::is_regular_file(target, error))
      throw InputError(target, "is not a regular file");
  }
  stream_.open(path + ".partial");
  if (!stream_)
    throw InputError(path,
                     "cannot be written: " + std::string(std::strerror(errno)));
  stream_ << Dump(HeaderJson(header)) << '\n';
}

JsonLinesWriter::~JsonLinesWriter() {
  if (!stream_.is_open()) return;  // finished, or never opened
  stream_.close();
  std::error_code error;
  fs::remove(path_ + ".partial", error);
}

void JsonLinesWriter::Write(const Verdict& verdict) {
  stream_ << Dump(VerdictJson(verdict)) << '\n';
}

void JsonLinesWriter::Finish(const Summary& summary) {
  Json footer;
  footer["kind"] = "footer";
  footer["counts"] = Json::object();
  for (const auto& [outcome, count] : summary.Totals())
    footer["counts"][Name(outcome)] = count;
  footer["elements"] = summary.elements();
  footer["open"] = summary.open();
  stream_ << Dump(footer) << '\n';
  stream_.close();
  if (!stream_ ||
      std::rename((path_ + ".partial").c_str(), path_.c_str()) != 0) {
    throw InputError(path_,
                     "cannot be written: " + std::string(std::strerror(errno)));
  }
}

}  // namespace assay
