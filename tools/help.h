// `--help`: as much as a screen shows, a flag a line where that is enough.
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

// "--op NAME|PATTERN", and how it is marked in a usage line.
std::string HeadOf(const FlagRow& flag);
// "assay run --backend BACKEND.. [FLAGS]".
std::string UsageOf(const CommandRow& command);
// A flag's text, with the value that it has if it is not given.
std::string TextOf(const FlagRow& flag);

}  // namespace assay

#endif  // ASSAY_TOOLS_HELP_H_
