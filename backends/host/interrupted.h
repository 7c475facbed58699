// A wait for a backend ends with this where the work that it belongs to is
// interrupted (WorkerLimits::is_over).
#ifndef ASSAY_BACKENDS_HOST_INTERRUPTED_H_
#define ASSAY_BACKENDS_HOST_INTERRUPTED_H_

#include <stdexcept>

namespace assay {

class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

}  // namespace assay

#endif  // ASSAY_BACKENDS_HOST_INTERRUPTED_H_
