// `--help` prints no more than a screen shows, with one line for each flag
// where that is enough.
#ifndef ASSAY_TOOLS_HELP_H_
#define ASSAY_TOOLS_HELP_H_

#include <string>

#include "tools/flag_table.h"

namespace assay {

class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
};

// Returns "--op NAME|PATTERN".
std::string HeadOf(const FlagRow& flag);
// Returns "assay run --backend BACKEND.. [FLAGS]".
std::string UsageOf(const CommandRow& command);
// Returns a flag's text, with the value that it has if it is not given.
std::string TextOf(const FlagRow& flag);

}  // namespace assay

#endif  // ASSAY_TOOLS_HELP_H_
