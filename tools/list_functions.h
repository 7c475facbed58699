// This header declares the table of the functions that libraries are called by.
#ifndef ASSAY_TOOLS_LIST_FUNCTIONS_H_
#define ASSAY_TOOLS_LIST_FUNCTIONS_H_

namespace assay {

// Prints, for each op, the function by which each library computes it, what
// differs and why that one, then the ops without a row. Throws InputError.
void ListFunctions();

}  // namespace assay

#endif  // ASSAY_TOOLS_LIST_FUNCTIONS_H_
