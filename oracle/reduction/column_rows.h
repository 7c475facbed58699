// Columns of scalars have rows of some length, one behind the other. A Reducer
// takes elements of them apart and puts them together.
#ifndef ASSAY_ORACLE_REDUCTION_COLUMN_ROWS_H_
#define ASSAY_ORACLE_REDUCTION_COLUMN_ROWS_H_

#include <cstdint>

#include "oracle/relation.h"
#include "oracle/scalars.h"

namespace assay {

// Elements of the rows of a column: those of row r are at begin + r * length,
// begin + r * length + step, and so on.
struct RowElements {
  int64_t begin, length, step = 1;
};

// Copies `count` elements of each of so many rows. Preconditions: the step of
// the source is 1 or 2, and that of the target 1.
void CopyRows(const Scalars& from, RowElements source, int64_t rows,
              int64_t count, RowElements target, Scalars* to);

// Returns a column of so many values, which are to be written before they are
// read.
Scalars Uninitialised(ElementType type, int64_t size);

// Returns a value as part of a tuple. Precondition: it is one value.
TupleValue ValueAt(const Scalars& column, int64_t i);

// Returns whether two columns have one and the same value at a position.
bool IsSameValue(const Scalars& a, const Scalars& b, int64_t i);

}  // namespace assay

#endif  // ASSAY_ORACLE_REDUCTION_COLUMN_ROWS_H_
