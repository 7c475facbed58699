// These types own numbers of Arb and FLINT, and are arguments of their
// functions.
#ifndef ASSAY_ORACLE_REAL_ARB_H_
#define ASSAY_ORACLE_REAL_ARB_H_

#include <acb.h>
#include <arb.h>

namespace assay {

template <class Number, void (*kInit)(Number*), void (*kClear)(Number*)>
class Owned {
 public:
  Owned() { kInit(&value_); }
  ~Owned() { kClear(&value_); }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  operator Number*() { return &value_; }
  Number* operator->() { return &value_; }  // for macros of the libraries

 private:
  Number value_;
};

// FLINT keeps memory for each thread until it is told that the thread ends.
inline void FreeAtThreadExit() {
  thread_local struct Cleanup {
    ~Cleanup() { flint_cleanup(); }
  } cleanup;
  static_cast<void>(cleanup);
}

using Arf = Owned<arf_struct, arf_init, arf_clear>;  // a number
using Arb = Owned<arb_struct, arb_init, arb_clear>;  // a real ball
using Acb = Owned<acb_struct, acb_init, acb_clear>;  // a complex ball
using Fmpz = Owned<fmpz, fmpz_init, fmpz_clear>;     // an integer

}  // namespace assay

#endif  // ASSAY_ORACLE_REAL_ARB_H_
