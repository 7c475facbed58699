// What is wrong with a command line, in one line.
#ifndef ASSAY_TOOLS_USAGE_ERROR_H_
#define ASSAY_TOOLS_USAGE_ERROR_H_

#include <CLI/CLI.hpp>
#include <string>

namespace assay {

// Of a command line that `app` refused: the word that nobody expects comes
// before what is missing, and what may have been meant by it is named.
std::string UsageErrorText(const CLI::App& app, const CLI::ParseError& error);

}  // namespace assay

#endif  // ASSAY_TOOLS_USAGE_ERROR_H_
