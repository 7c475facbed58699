// gather and scatter may promise that indices are sorted, or that no element is
// updated twice. The behaviour is undefined where a promise is broken, which
// policy broken_index_promise narrows.
#ifndef ASSAY_ORACLE_MOVEMENT_INDEX_PROMISES_H_
#define ASSAY_ORACLE_MOVEMENT_INDEX_PROMISES_H_

#include "oracle/elementwise/elementwise.h"

namespace assay {

// Returns whether the call has a constant of type i1 that is true.
inline bool IsTrue(const OpCall& op, std::string_view name) {
  return std::get<Tensor>(op.FindAttribute(name)->value).Bits(0) != 0;
}

struct IndexPromises {
  explicit IndexPromises(const OpCall& op)
      : says_sorted(IsTrue(op, "indices_are_sorted")),
        is_open(op.policy.Get("broken_index_promise") == "any") {}

  // Returns what an element may be if the promise is broken.
  template <class T>
  Allowed<T> Unkept(const Allowed<T>& otherwise) const {
    if (is_open) return kAny;
    return otherwise;
  }

  bool says_sorted;
  bool is_open;
  bool is_broken = false;
};

}  // namespace assay

#endif  // ASSAY_ORACLE_MOVEMENT_INDEX_PROMISES_H_
