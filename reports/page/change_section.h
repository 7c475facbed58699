// What changed since another run, by cause: changes of one backend, op, kind,
// outcome and clause are a row.
#ifndef ASSAY_REPORTS_PAGE_CHANGE_SECTION_H_
#define ASSAY_REPORTS_PAGE_CHANGE_SECTION_H_

#include "reports/compare.h"
#include "reports/page/page.h"

namespace assay {

PageSection ChangeSection(const Comparison& comparison);

}  // namespace assay

#endif  // ASSAY_REPORTS_PAGE_CHANGE_SECTION_H_
