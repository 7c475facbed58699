// The file is written with tinyxml2's printer, which escapes but does not check
// characters: XML 1.0 has no control characters, however they are escaped, and
// TerminalText leaves none.
#include "reports/junit.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <cstdio>
#include <cstring>
#include <memory>

#include "spec/error.h"
#include "spec/printable_text.h"

namespace assay {
namespace {

std::string FirstLine(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

bool IsJunitError(Outcome outcome) {
  return outcome == Outcome::kCrash || outcome == Outcome::kTimeout ||
         outcome == Outcome::kMemory || outcome == Outcome::kError;
}

}  // namespace

void JunitReport::Add(const Verdict& verdict,
                      const Expectedness& expectedness) {
  using Kind = Expectedness::Kind;
  Suite& suite = suites_[{verdict.backend, verdict.op}];
  Test test{verdict.case_name, Result::kPassed, "", "", ""};
  const bool is_pass = verdict.outcome == Outcome::kPass;
  const auto skip = [&](const std::string& why) {
    test = {verdict.case_name, Result::kSkipped, Name(verdict.outcome), why,
            ""};
    ++suite.skipped;
  };
  if (expectedness.kind == Kind::kNotJudged) {
    if (!has_skipped_) {
      ++suite.not_judged;
      return;
    }
    skip(verdict.message);
  } else if (expectedness.kind == Kind::kExpected && !is_pass) {
    skip(fmt::format("expected {}: {}", Name(verdict.outcome),
                     expectedness.entry->reason));
  } else if (expectedness.kind == Kind::kUnexpectedPass) {
    test.result = Result::kFailed;
    test.type = "unexpected_pass";
    test.message = fmt::format("passes, and the baseline waives a failure: {}",
                               expectedness.entry->reason);
    ++suite.failures;
  } else if (!is_pass) {
    test = Failed(verdict, &suite);
  }
  suite.tests.push_back(std::move(test));
}

JunitReport::Test JunitReport::Failed(const Verdict& verdict, Suite* suite) {
  const bool is_error = IsJunitError(verdict.outcome);
  ++(is_error ? suite->errors : suite->failures);
  const size_t number = causes_.Add(verdict);
  const Cause& cause = causes_[number];
  Test test{verdict.case_name, is_error ? Result::kError : Result::kFailed,
            cause.Text(), FirstLine(verdict.message), ""};
  if (verdict.alone == Outcome::kPass)
    test.message += " (depends on earlier calls)";
  if (cause.cases == 1) {
    suite->causes.push_back(number);
    test.text = fmt::format("{}\nreplay: {}\nexplain: {}", verdict.message,
                            verdict.replay, ExplainCommand(header_, verdict));
  } else {
    test.text = fmt::format("like {}\nreplay: {}", cause.example.case_name,
                            verdict.replay);
  }
  return test;
}

void JunitReport::AddGate(const GateResult& gate) {
  const std::pair<const char*, int64_t> findings[] = {
      {"everything required is judged", gate.required_not_judged},
      {"as many elements are judged as required", gate.unseen},
      {"as much is judged as the baseline records", gate.lost},
      {"no entry of the baseline is past its day", gate.expired},
      {"every entry of the baseline matches a case", gate.stale},
      {"one way of flushing subnormals explains each op and type",
       gate.contradictions}};
  Suite& suite = suites_[{"assay", "gate"}];
  for (const auto& [name, count] : findings) {
    Test& test =
        suite.tests.emplace_back(Test{name, Result::kPassed, "", "", ""});
    if (count == 0) continue;
    test = {name, Result::kFailed, "gate", fmt::format("not so: {}", count),
            gate.text};
    ++suite.failures;
  }
}

void JunitReport::Write(const std::string& path) const {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
      std::fopen(path.c_str(), "w"), std::fclose);
  if (!file)
    throw InputError(path,
                     "cannot be written: " + std::string(std::strerror(errno)));
  tinyxml2::XMLPrinter xml(file.get());
  const auto attribute = [&](const char* name, const std::string& value) {
    xml.PushAttribute(name, TerminalText(value).c_str());
  };
  xml.PushHeader(false, true);
  xml.OpenElement("testsuites");
  xml.PushAttribute("name", "assay");
  for (const auto& [key, suite] : suites_) {
    const auto& [backend, op] = key;
    xml.OpenElement("testsuite");
    attribute("name", backend + "." + op);
    xml.PushAttribute("tests", std::to_string(suite.tests.size()).c_str());
    xml.PushAttribute("failures", std::to_string(suite.failures).c_str());
    xml.PushAttribute("errors", std::to_string(suite.errors).c_str());
    xml.PushAttribute("skipped", std::to_string(suite.skipped).c_str());
    if (suite.not_judged > 0 || !suite.causes.empty()) {
      xml.OpenElement("properties");
      const auto property = [&](const std::string& name,
                                const std::string& value) {
        xml.OpenElement("property");
        attribute("name", name);
        attribute("value", value);
        xml.CloseElement();
      };
      if (suite.not_judged > 0)
        property("not judged", std::to_string(suite.not_judged));
      for (const size_t number : suite.causes)
        property("cause",
                 fmt::format("{}: {} cases, such as {}", causes_[number].Text(),
                             causes_[number].cases,
                             causes_[number].example.case_name));
      xml.CloseElement();
    }
    for (const Test& test : suite.tests) {
      xml.OpenElement("testcase");
      attribute("name", test.name);
      attribute("classname", backend + "." + op);
      if (test.result != Result::kPassed) {
        xml.OpenElement(test.result == Result::kFailed  ? "failure"
                        : test.result == Result::kError ? "error"
                                                        : "skipped");
        attribute("type", test.type);
        attribute("message", test.message);
        if (!test.text.empty()) xml.PushText(TerminalText(test.text).c_str());
        xml.CloseElement();
      }
      xml.CloseElement();
    }
    xml.CloseElement();
  }
  xml.CloseElement();
  if (std::fflush(file.get()) != 0 || std::ferror(file.get()) != 0)
    throw InputError(path,
                     "cannot be written: " + std::string(std::strerror(errno)));
}

}  // namespace assay
