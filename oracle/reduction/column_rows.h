// Columns of scalars have rows of some length, one behind the other. A Reducer
// takes elements of them apart and puts them together.
#ifndef ASSAY_ORACLE_REDUCTION_COLUMN_ROWS_H_
#define ASSAY_ORACLE_REDUCTION_COLUMN_ROWS_H_

#include <cstdint>

#include "oracle/relation.h"
#include "oracle/scalars.h"

namespace assay {

// Where the rows of a column begin, and how long each is.
struct Rows {
  int64_t begin, length;
};

// Copies elements first, first + step, .. of each row of `from`, so many, to
// the rows of `to`, from `at` on. Precondition: the step is 1 or 2.
void CopyRows(const Scalars& from, Rows source, int64_t first, int64_t step,
              int64_t rows, int64_t count, int64_t to_length, int64_t at,
              Scalars* to);

// Returns a column of so many values, which are not there yet.
Scalars Uninitialised(ElementType type, int64_t size);

// Returns a value as part of a tuple. Precondition: it is one value.
TupleValue ValueAt(const Scalars& column, int64_t i);

// Returns whether two columns have one and the same value at a position.
bool IsSameValue(const Scalars& a, const Scalars& b, int64_t i);

}  // namespace assay

#endif  // ASSAY_ORACLE_REDUCTION_COLUMN_ROWS_H_
