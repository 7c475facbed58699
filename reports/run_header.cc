// The header is read with the reader that reports places: there is one per
// file, and people edit and concatenate such files.
#include "reports/run_header.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/utsname.h>

#include <ctime>
#include <fstream>
#include <thread>

#include "cases/read/json.h"
#include "spec/error.h"

namespace assay {
namespace {

std::string CpuModel() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(": ") + 2);
  }
  return "unknown";
}

RunHeader::BackendInfo ParseBackendInfo(const JsonView& json) {
  RunHeader::BackendInfo backend{json.At("backend").String(),
                                 json.At("name").String(),
                                 json.At("version").String(),
                                 json.At("path").String(),
                                 json.At("sha256").String(),
                                 json.At("policy").String(),
                                 {}};
  for (const auto& [key, value] : json.At("policy_values").Members())
    backend.policy_values[key] = value.String();
  if (const auto file = json.Find("policy_file"))
    backend.policy_file = file->String();
  if (const auto sha256 = json.Find("policy_sha256"))
    backend.policy_sha256 = sha256->String();
  return backend;
}

std::string Quoted(const std::string& text) {
  return text.empty() ? "none" : fmt::format("'{}'", text);
}

// This finds the first of several fields that differs.
class FieldComparison {
 public:
  template <class T>
  FieldComparison& Field(const char* name, const T& a, const T& b) {
    if (text_.empty() && a != b) {
      if constexpr (std::is_same_v<T, std::string>) {
        text_ = fmt::format("{} {} and {}", name, Quoted(a), Quoted(b));
      } else {
        text_ = fmt::format("{} {} and {}", name, a, b);
      }
    }
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace

std::string AssayVersion() { return ASSAY_VERSION; }

std::string ThisHost() {
  utsname system = {};
  uname(&system);
  const Json json = {{"cpu", CpuModel()},
                     {"cores", std::thread::hardware_concurrency()},
                     {"system", fmt::format("{} {} {}", system.sysname,
                                            system.release, system.machine)},
                     {"compiler", __VERSION__}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string HeaderLine(const RunHeader& header) {
  Json json;
  json["kind"] = "header";
  json["format"] = kResultsFormat;
  json["assay"] = header.assay;
  json["time"] = header.time.empty()
                     ? fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr)))
                     : header.time;
  json["command"] = header.command;
  json["suite"] = {{"paths", header.suite},
                   {"cases", header.cases},
                   {"sha256", header.suite_sha256},
                   {"files", header.files}};
  json["selection"] = {{"ops", header.ops}, {"cases", header.cases_are_named}};
  if (header.shard.count != 1)
    json["shard"] = {{"index", header.shard.index},
                     {"count", header.shard.count}};
  if (header.repeat != 1) json["repeat"] = header.repeat;
  if (!header.how.empty()) json["how"] = header.how;
  json["backends"] = Json::array();
  for (const RunHeader::BackendInfo& b : header.backends) {
    json["backends"].push_back({{"backend", b.spec},
                                {"name", b.name},
                                {"version", b.version},
                                {"path", b.path},
                                {"sha256", b.sha256},
                                {"policy", b.policy},
                                {"policy_values", b.policy_values}});
    if (!b.policy_file.empty()) {
      json["backends"].back()["policy_file"] = b.policy_file;
      json["backends"].back()["policy_sha256"] = b.policy_sha256;
    }
  }
  Json hosts = Json::array();
  for (const std::string& host : header.hosts)
    hosts.push_back(Json::parse(host));
  json["host"] = hosts.size() == 1 ? hosts[0] : hosts;
  // Names and paths need not be UTF-8.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

RunHeader ParseHeader(const std::string& file, std::string_view line) {
  const std::string foreign =
      "is not a results file of `assay run --out`: its first line is no header";
  Json document;
  try {
    document = ParseJson(file, std::string(line));
  } catch (const InputError&) {
    throw InputError(file, foreign);
  }
  const JsonView json(document, file + ":1");
  if (!document.is_object() || !document.contains("kind") ||
      document["kind"] != "header" || !document.contains("format"))
    throw InputError(file, foreign);
  const int64_t format = json.At("format").Integer(1, INT32_MAX);
  if (format != kResultsFormat) {
    throw InputError(
        file, fmt::format("has format {}, and this assay reads format {}; {}",
                          format, kResultsFormat,
                          format > kResultsFormat
                              ? "use the assay that wrote it, or a newer one"
                              : "it was written by an older assay: run again"));
  }
  RunHeader header;
  header.assay = json.At("assay").String();
  header.time = json.At("time").String();
  header.command = json.At("command").Strings();
  header.hosts.clear();
  if (const auto host = json.Find("host")) {
    const Json& hosts = host->json();
    for (const Json& one : hosts.is_array() ? hosts : Json::array({hosts}))
      header.hosts.push_back(one.dump());
  }
  const JsonView suite = json.At("suite");
  header.suite = suite.At("paths").Strings();
  header.cases = static_cast<size_t>(suite.At("cases").Integer(0, INT64_MAX));
  header.suite_sha256 = suite.At("sha256").String();
  if (const auto files = suite.Find("files")) {
    for (const auto& [name, digest] : files->Members())
      header.files[name] = digest.String();
  }
  header.ops = json.At("selection").At("ops").Strings();
  header.cases_are_named = json.At("selection").At("cases").Bool();
  if (const auto shard = json.Find("shard")) {
    header.shard.count =
        static_cast<int>(shard->At("count").Integer(2, kMostShards));
    header.shard.index =
        static_cast<int>(shard->At("index").Integer(1, header.shard.count));
  }
  if (const auto repeat = json.Find("repeat"))
    header.repeat = static_cast<int>(repeat->Integer(1, INT32_MAX));
  if (const auto how = json.Find("how")) header.how = how->String();
  for (const JsonView& backend : json.At("backends").Elements()) {
    header.backends.push_back(ParseBackendInfo(backend));
    for (size_t i = 0; i + 1 < header.backends.size(); ++i) {
      if (header.backends[i].spec == header.backends.back().spec)
        backend.Fail("the backend stands twice");
    }
  }
  return header;
}

std::string SuiteDifference(const RunHeader& a, const RunHeader& b) {
  return FieldComparison()
      .Field("suite sha256", a.suite_sha256, b.suite_sha256)
      .Field("selection of ops", a.OpSet(), b.OpSet())
      .Field("repeat", a.repeat, b.repeat)
      .Field("ways of running programs", a.how, b.how)
      .Field("version of assay", a.assay, b.assay)
      .text();
}

std::string Difference(const RunHeader::BackendInfo& a,
                       const RunHeader::BackendInfo& b) {
  const std::string text =
      FieldComparison()
          .Field("name", a.name, b.name)
          .Field("version", a.version, b.version)
          .Field("plugin sha256", a.sha256, b.sha256)
          .Field("policy", a.policy, b.policy)
          .Field("policy sha256", a.policy_sha256, b.policy_sha256)
          .Field("values of the policy", a.policy_values, b.policy_values)
          .text();
  return text.empty() ? "" : fmt::format("backend {}: {}", a.spec, text);
}

std::string Difference(const RunHeader& a, const RunHeader& b) {
  const auto specs = [](const RunHeader& header) {
    std::vector<std::string> names;
    for (const RunHeader::BackendInfo& backend : header.backends)
      names.push_back(backend.spec);
    return names;
  };
  if (const std::string text = SuiteDifference(a, b); !text.empty())
    return text;
  const std::string text =
      FieldComparison()
          .Field("number of shards", a.shard.count, b.shard.count)
          .Field("shard", a.shard.index, b.shard.index)
          .Field("number of cases", a.cases, b.cases)
          .Field("backends", specs(a), specs(b))
          .text();
  if (!text.empty()) return text;
  for (size_t i = 0; i < a.backends.size(); ++i) {
    const std::string backend = Difference(a.backends[i], b.backends[i]);
    if (!backend.empty()) return backend;
  }
  return "";
}

}  // namespace assay
