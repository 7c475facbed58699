#include "cases/run/verdict.h"

namespace assay {

void Accuracy::Merge(const Accuracy& other) {
  const bool takes_worst =
      other.errors.elements > 0 &&
      (errors.elements == 0 || other.errors.worst > errors.worst);
  if (type.empty()) type = other.type;
  errors.Merge(other.errors);
  if (takes_worst) {
    worst = other.worst;
    worst_index = other.worst_index;
  }
  for (size_t i = 0; i < tiers.size(); ++i) tiers[i] += other.tiers[i];
}

}  // namespace assay
