#include "fuzz/shrink/shrink.h"

#include <algorithm>
#include <utility>

#include "backends/host/interrupted.h"
#include "fuzz/campaign/finding_text.h"
#include "fuzz/shrink/passes.h"
#include "fuzz/shrink/program_edit.h"
#include "fuzz/shrink/simpler_programs.h"
#include "fuzz/shrink/smallest.h"

namespace assay {
namespace {

// Removes calls before the case: all of them, halves, quarters, .., each.
void RemoveEarlier(Smallest* smallest) {
  for (size_t size = smallest->c().after.size(); size > 0; size /= 2) {
    for (size_t end = smallest->c().after.size(); end > 0;) {
      const size_t begin = end - std::min(size, end);
      Case c = smallest->c();
      c.after.erase(c.after.begin() + static_cast<std::ptrdiff_t>(begin),
                    c.after.begin() + static_cast<std::ptrdiff_t>(end));
      smallest->Try(c);
      end = begin;
    }
  }
}

void SimplifyProgram(Smallest* smallest) {
  for (bool again = IsProgram(smallest->c()); again;) {
    again = false;
    for (const Case& simpler :
         SimplerPrograms(smallest->c(), smallest->policy())) {
      again = smallest->Try(simpler);
      if (again) break;
    }
  }
}

void RemoveOps(Smallest* smallest) {
  if (!smallest->variant().empty()) smallest->Try(smallest->c(), "");
  const Case& c = smallest->c();
  if (!c.violates.empty()) return;
  for (size_t i = c.program.main().body.size(); i-- > 0;) {
    if (smallest->Try(OneOp(c, i, smallest->policy()))) return;
  }
  for (size_t count = 1; count < c.program.main().body.size(); ++count) {
    if (smallest->Try(FirstOps(c, count))) break;
  }
  SimplifyProgram(smallest);
}

void Reduce(Smallest* smallest) {
  for (bool again = true; again && smallest->HasBudget();) {
    const Cost before = smallest->cost();
    RemoveEarlier(smallest);
    RemoveOps(smallest);
    if (smallest->c().violates.empty()) {
      ShortenAxes(smallest);
      SimplifyLayouts(smallest);
    } else {
      SimplifyTypes(smallest);
    }
    SimplifyAttributes(smallest);
    ChangeElementTypes(smallest);
    SimplifyValues(smallest);
    again = smallest->cost() < before;
  }
}

}  // namespace

Shrunk Shrink(const Case& c, const std::string& variant,
              const ShrinkOptions& options,
              const std::function<Verdict(const Case&)>& judge) {
  Smallest smallest(options, judge);
  if (!smallest.Start(c, variant) ||
      !HasTensorsAlone(smallest.c().program.main()))
    return std::move(smallest).Finish();
  try {
    Reduce(&smallest);
  } catch (const Interrupted&) {
    smallest.Interrupt();
  }
  return std::move(smallest).Finish();
}

}  // namespace assay
