// Blocks of the operands of a contraction are packed to dense panels of
// numbers, whatever their layout and type.
#ifndef ASSAY_BACKENDS_SIMD_CONTRACTION_PACKING_H_
#define ASSAY_BACKENDS_SIMD_CONTRACTION_PACKING_H_

#include <stdint.h>

#include <memory>
#include <vector>

#include "backends/calls/contraction.h"
#include "backends/simd/contraction/lanes.h"

namespace assay::simd {

// Memory that is aligned to a cache line.
class LinesOfMemory {
 public:
  // What was there may be lost if there was less.
  template <class T>
  T* Get(size_t count) {
    const size_t lines = (count * sizeof(T) + sizeof(Line) - 1) / sizeof(Line);
    if (size_ < lines) {
      lines_ = std::make_unique_for_overwrite<Line[]>(lines);
      size_ = lines;
    }
    return reinterpret_cast<T*>(lines_.get());
  }

 private:
  struct alignas(64) Line {
    unsigned char bytes[64];
  };
  std::unique_ptr<Line[]> lines_;
  size_t size_ = 0;
};

// A part of the indices of some dimensions, as one number each.
struct Range {
  int64_t first = 0, count = 0;
  bool operator==(const Range&) const = default;
};

// Sets where the elements of a range are, by a stride of each dimension.
void SetOffsets(const calls::Contraction::Dims& dims, const Range& range,
                int64_t calls::ContractionDim::*stride,
                std::vector<int64_t>* offsets);
// Returns whether each element follows the one before it.
bool AreAdjacent(const std::vector<int64_t>& offsets);

// Copies elements of so many bytes from or to where they are.
void GatherElements(const unsigned char* first,
                    const std::vector<int64_t>& offsets, size_t bytes,
                    unsigned char* elements);
void ScatterElements(const unsigned char* elements,
                     const std::vector<int64_t>& offsets, size_t bytes,
                     unsigned char* first);

// Packs rows of lhs: the terms of a row follow each other. Of complex elements,
// there are two rows, and two terms each: a row for the real part of the
// result, which has the real part and minus the imaginary part, and a row for
// the imaginary part, which has the imaginary and the real part. What was
// packed last is not packed again.
class LhsPacking {
 public:
  LhsPacking(const calls::Contraction& contraction,
             const Computation& computation, const Options& options);
  // `stride` is the distance of packed rows, in bytes. Rows are added up to a
  // multiple of kRowsAtATime.
  void Pack(int64_t batch_offset, const Range& rows, const Range& terms,
            unsigned char* packed, size_t stride);

 private:
  // Terms that differ in the last dimension alone.
  struct Run {
    int64_t first, count, offset;
  };
  void SetRows(const Range& rows);
  void SetTerms(const Range& terms);
  void Gather(int64_t batch_offset, int64_t row, unsigned char* elements) const;
  // Sets where the elements of a run are, or returns false if they are zeros.
  bool Find(size_t run, int64_t row, int64_t* offset) const;

  const calls::Contraction& contraction_;
  const size_t bytes_, parts_;
  const bool are_quads_;
  ToNumbers to_numbers_;
  int64_t batch_offset_ = 0;
  Range rows_ = {-1, 0}, terms_ = {-1, 0};
  std::vector<int64_t> row_offsets_;
  std::vector<int64_t> row_places_, run_places_;  // by window
  std::vector<Run> runs_;
  int64_t last_stride_ = 1;
  LinesOfMemory elements_, numbers_;
};

// Packs columns of rhs in panels of so many: the columns of a term follow each
// other. A complex element is two terms, its real and its imaginary part. What
// was packed last is not packed again.
class RhsPacking {
 public:
  RhsPacking(const calls::Contraction& contraction,
             const Computation& computation, int64_t panel_columns,
             const Options& options);
  // `stride` is the distance of panels, in bytes.
  void Pack(int64_t batch_offset, const Range& columns, const Range& terms,
            unsigned char* packed, size_t stride);

 private:
  void PackPanel(int64_t batch_offset, int64_t column, unsigned char* packed);
  bool AreInPlace(int64_t column) const;
  void Gather(int64_t batch_offset, int64_t column, unsigned char* elements);

  const calls::Contraction& contraction_;
  const size_t bytes_, parts_;
  const Lanes lanes_;
  const int64_t panel_columns_;
  ToNumbers to_numbers_;
  int64_t batch_offset_ = 0;
  Range columns_ = {-1, 0}, terms_ = {-1, 0};
  std::vector<int64_t> column_offsets_, term_offsets_;
  bool are_adjacent_ = false;
  LinesOfMemory elements_, numbers_;
};

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_CONTRACTION_PACKING_H_
