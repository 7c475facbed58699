// These are the exit codes of every subcommand. If several apply, the exit code
// is the first of 2, 3, 1, 5, 4.
#ifndef ASSAY_REPORTS_EXIT_CODE_H_
#define ASSAY_REPORTS_EXIT_CODE_H_

namespace assay {

enum ExitCode {
  kExitOk = 0,
  kExitFindings = 1,  // a backend does not conform, a waived failure now
                      // passes, an expectation of the suite is suspect, or
                      // what must be judged was not
  kExitUsage = 2,     // wrong command line or input: file, JSON pointer, reason
  kExitStart =
      3,  // a backend could not be started; the others were still judged
  kExitNothingJudged = 4,  // a shard without cases is 0
  kExitStale = 5,          // the baseline has an expired entry, or one that
                           // matches no case
  kExitInterrupted = 130,
};

}  // namespace assay

#endif  // ASSAY_REPORTS_EXIT_CODE_H_
