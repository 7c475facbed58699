// This is the command `assay`. Each subcommand has a file of its name; this
// file parses the command line and turns InputError into exit code 2.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <system_error>

#include "backends/host/installation.h"
#include "backends/host/loader.h"
#include "reports/print.h"
#include "spec/error.h"
#include "tools/command.h"
#include "tools/help.h"
#include "tools/out_of_memory.h"
#include "tools/usage_error.h"

namespace assay {
namespace {

// A command that was copied or installed says whose files it uses.
std::string VersionAndPlaces() {
  const Installation& here = ThisInstallation();
  const char* const suite = std::getenv("ASSAY_SUITE");
  return fmt::format(
      "assay {}\nsuite           {}\nplugins         {}\n"
      "Python workers  {}\nassay-worker    {}",
      ASSAY_VERSION,
      suite ? fmt::format("{} ($ASSAY_SUITE)", suite) : here.suite.string(),
      here.plugins.string(), here.python.string(), here.worker.string());
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  CLI::App app(
      "Conformance suite for tensor operations: who is wrong, by which clause, "
      "on which case.",
      "assay");
  app.formatter(std::make_shared<assay::HelpFormatter>());
  app.set_version_flag("--version", assay::VersionAndPlaces,
                       "Print the version, and which files are used");
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 as expected; 1 a backend does not conform, a waived "
      "failure passes, an expectation\n"
      "is suspect, what must be judged was not, or there is a finding, a "
      "survivor or a complaint; 2 usage\n"
      "or input error; 3 a backend could not be started; 4 nothing was judged; "
      "5 the baseline is stale;\n130 interrupted.");
  int exit_code = assay::kExitOk;
  assay::RegisterRun(app, &exit_code);
  assay::RegisterFuzz(app, &exit_code);
  assay::RegisterShrink(app, &exit_code);
  assay::RegisterExplain(app, &exit_code);
  assay::RegisterSpec(app, &exit_code);
  assay::RegisterList(app, &exit_code);
  assay::RegisterBench(app, &exit_code);
  assay::RegisterMutants(app, &exit_code);
  assay::RegisterReport(app, &exit_code);
  assay::RegisterWorkerTest(app, &exit_code);
  assay::RegisterLint(app, &exit_code);
  assay::RegisterImport(app, &exit_code);
  assay::RegisterClimb(app, &exit_code);
  assay::RegisterOrder(app, &exit_code);
  assay::RegisterCompletion(app, &exit_code);
  assay::RegisterMan(app, &exit_code);
  assay::RegisterHelp(app, &exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) {  // --help, --version
      app.exit(e);
      return assay::kExitOk;
    }
    assay::PrintText(stderr, "assay: {}\n",
                     assay::EscapeLine(assay::UsageErrorText(app, e)));
    return assay::kExitUsage;
  } catch (const assay::InputError& e) {
    assay::PrintText(stderr, "assay: {}\n", e.what());
    return assay::kExitUsage;
  } catch (const std::bad_alloc&) {
    assay::SayOutOfMemory();
  } catch (const std::system_error& e) {  // a folder that cannot be read
    assay::PrintText(stderr, "assay: {}\n", e.what());
    return assay::kExitUsage;
  } catch (const assay::BackendError& e) {
    assay::PrintText(stderr, "assay: {}\n", e.what());
    return assay::kExitStart;
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    assay::PrintText(stderr, "assay: standard output cannot be written\n");
    return assay::kExitUsage;
  }
  return exit_code;
}
