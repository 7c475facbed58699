// An error of a command line is explained in one line.
#ifndef ASSAY_TOOLS_USAGE_ERROR_H_
#define ASSAY_TOOLS_USAGE_ERROR_H_

#include <CLI/CLI.hpp>
#include <string>

namespace assay {

// `app` refused the command line. An unexpected word is reported before a
// missing one, and a similar name is suggested for it.
std::string UsageErrorText(const CLI::App& app, const CLI::ParseError& error);

}  // namespace assay

#endif  // ASSAY_TOOLS_USAGE_ERROR_H_
