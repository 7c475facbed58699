#include "backends/simd/contraction/packing.h"

#include <string.h>

#include <algorithm>

namespace assay::simd {
namespace {

using calls::Contraction;
using calls::ContractionDim;
using calls::ContractionWindow;

struct TwoWords {
  uint64_t words[2];
};

// Calls f with a value as large as an element.
template <class F>
void WithWord(size_t bytes, F f) {
  switch (bytes) {
    case 1:
      return f(uint8_t());
    case 2:
      return f(uint16_t());
    case 4:
      return f(uint32_t());
    case 8:
      return f(uint64_t());
    default:
      return f(TwoWords());
  }
}

// An element may be aligned to less than its size.
template <class T>
T LoadElement(const unsigned char* from) {
  T element;
  memcpy(&element, from, sizeof(T));
  return element;
}

template <class T>
void CopyStrided(const unsigned char* from, int64_t stride, int64_t count,
                 T* to) {
  if (stride == 1) {
    memcpy(to, from, static_cast<size_t>(count) * sizeof(T));
    return;
  }
  const int64_t step = stride * static_cast<int64_t>(sizeof(T));
  for (int64_t i = 0; i < count; ++i) to[i] = LoadElement<T>(from + i * step);
}

// Splits the parts of complex numbers in rows of columns: real parts first.
template <class T>
void SplitParts(const T* numbers, int64_t terms, int64_t columns, T* to) {
  for (int64_t t = 0; t < terms; ++t, to += 2 * columns) {
    for (int64_t c = 0; c < columns; ++c, numbers += 2) {
      to[c] = numbers[0];
      to[columns + c] = numbers[1];
    }
  }
}

template <class T>
void SplitRow(const T* numbers, int64_t terms, T* real, T* imaginary) {
  for (int64_t t = 0; t < terms; ++t) {
    real[2 * t] = numbers[2 * t];
    real[2 * t + 1] = -numbers[2 * t + 1];
    imaginary[2 * t] = numbers[2 * t + 1];
    imaginary[2 * t + 1] = numbers[2 * t];
  }
}

void MakePairs(const int16_t* numbers, int64_t terms, int64_t columns,
               int16_t* to) {
  for (int64_t t = 0; t < terms; t += 2, numbers += 2 * columns) {
    const bool is_alone = t + 1 == terms;
    for (int64_t c = 0; c < columns; ++c) {
      *to++ = numbers[c];
      *to++ = is_alone ? int16_t{0} : numbers[columns + c];
    }
  }
}

}  // namespace

void SetOffsets(const Contraction::Dims& dims, const Range& range,
                int64_t ContractionDim::*stride,
                std::vector<int64_t>* offsets) {
  offsets->resize(static_cast<size_t>(range.count));
  std::vector<int64_t> index(dims.size());
  int64_t rest = range.first, offset = 0;
  for (size_t d = dims.size(); d-- > 0; rest /= dims[d].size) {
    index[d] = rest % dims[d].size;
    offset += index[d] * (dims[d].*stride);
  }
  for (int64_t& at : *offsets) {
    at = offset;
    for (size_t d = dims.size(); d-- > 0;) {
      offset += dims[d].*stride;
      if (++index[d] < dims[d].size) break;
      offset -= dims[d].size * (dims[d].*stride);
      index[d] = 0;
    }
  }
}

bool AreAdjacent(const std::vector<int64_t>& offsets) {
  for (size_t i = 1; i < offsets.size(); ++i) {
    if (offsets[i] != offsets[i - 1] + 1) return false;
  }
  return true;
}

// ------------------------------------------------------------------------- Lhs

LhsPacking::LhsPacking(const Contraction& contraction,
                       const Computation& computation, const Options& options)
    : contraction_(contraction),
      bytes_(contraction.operand.bytes()),
      parts_(static_cast<size_t>(computation.parts)),
      to_numbers_(contraction.operand, computation, contraction.lhs_rounding,
                  options) {}

void LhsPacking::SetRows(const Range& rows) {
  if (rows == rows_) return;
  rows_ = rows;
  SetOffsets(contraction_.rows, rows, &ContractionDim::lhs_stride,
             &row_offsets_);
  row_places_.clear();
  for (int64_t row = rows.first; row < rows.first + rows.count; ++row) {
    // The last dimensions of the rows are the places of windows, in order.
    int64_t rest = row;
    const size_t windows = contraction_.windows.size();
    row_places_.resize(row_places_.size() + windows);
    for (size_t w = windows; w-- > 0;) {
      const ContractionWindow& window = contraction_.windows[w];
      const int64_t size = contraction_.rows[window.row].size;
      row_places_[row_places_.size() - windows + w] =
          window.begin + rest % size * window.row_step;
      rest /= size;
    }
  }
}

void LhsPacking::SetTerms(const Range& terms) {
  if (terms == terms_) return;
  terms_ = terms;
  runs_.clear();
  run_places_.clear();
  const Contraction::Dims& dims = contraction_.terms;
  const int64_t last = dims.empty() ? 1 : dims.back().size;
  last_stride_ = dims.empty() ? 1 : dims.back().lhs_stride;
  for (int64_t at = 0; at < terms.count;) {
    int64_t rest = (terms.first + at) / last;
    const int64_t begin = (terms.first + at) % last;
    Run run = {at, std::min(last - begin, terms.count - at),
               begin * last_stride_};
    const size_t places = run_places_.size();
    run_places_.resize(places + contraction_.windows.size());
    for (size_t d = dims.size() - std::min<size_t>(dims.size(), 1); d-- > 0;
         rest /= dims[d].size) {
      const int64_t index = rest % dims[d].size;
      run.offset += index * dims[d].lhs_stride;
      for (size_t w = 0; w < contraction_.windows.size(); ++w) {
        if (contraction_.windows[w].term == d)
          run_places_[places + w] = index * contraction_.windows[w].term_step;
      }
    }
    runs_.push_back(run);
    at += run.count;
  }
}

bool LhsPacking::Find(size_t run, int64_t row, int64_t* offset) const {
  const size_t windows = contraction_.windows.size();
  *offset = runs_[run].offset + row_offsets_[static_cast<size_t>(row)];
  for (size_t w = 0; w < windows; ++w) {
    const ContractionWindow& window = contraction_.windows[w];
    int64_t place = row_places_[static_cast<size_t>(row) * windows + w] +
                    run_places_[run * windows + w];
    if (place < 0) return false;
    if (window.dilation != 1) {
      if (place % window.dilation != 0) return false;
      place /= window.dilation;
    }
    if (place >= window.size) return false;
    *offset += place * window.stride;
  }
  return true;
}

void LhsPacking::Gather(int64_t batch_offset, int64_t row,
                        unsigned char* elements) const {
  WithWord(bytes_, [&](auto word) {
    using T = decltype(word);
    auto* const to = reinterpret_cast<T*>(elements);
    for (size_t i = 0; i < runs_.size(); ++i) {
      const Run& run = runs_[i];
      int64_t offset = 0;
      if (Find(i, row, &offset)) {
        CopyStrided(contraction_.lhs_first +
                        (batch_offset + offset) * static_cast<int64_t>(bytes_),
                    last_stride_, run.count, to + run.first);
      } else {
        std::fill_n(to + run.first, run.count, T());
      }
    }
  });
}

void LhsPacking::Pack(int64_t batch_offset, const Range& rows,
                      const Range& terms, unsigned char* packed,
                      size_t stride) {
  SetRows(rows);
  SetTerms(terms);
  const auto count = static_cast<size_t>(terms.count);
  const size_t number_bytes = to_numbers_.number_bytes();
  auto* const elements = elements_.Get<unsigned char>(count * bytes_);
  auto* const numbers =
      numbers_.Get<unsigned char>(count * parts_ * number_bytes);
  // A pair may have one term alone.
  const size_t end = (count * parts_ * number_bytes + 3) / 4 * 4;
  for (int64_t r = 0; r < rows.count; ++r, packed += parts_ * stride) {
    if (parts_ == 1) {
      if (to_numbers_.IsIdentity()) {
        Gather(batch_offset, r, packed);
      } else {
        Gather(batch_offset, r, elements);
        to_numbers_.Run(elements, packed, count);
        memset(packed + count * number_bytes, 0, end - count * number_bytes);
      }
      continue;
    }
    Gather(batch_offset, r, elements);
    to_numbers_.Run(elements, numbers, count);
    if (number_bytes == sizeof(float)) {
      SplitRow(reinterpret_cast<float*>(numbers), terms.count,
               reinterpret_cast<float*>(packed),
               reinterpret_cast<float*>(packed + stride));
    } else {
      SplitRow(reinterpret_cast<double*>(numbers), terms.count,
               reinterpret_cast<double*>(packed),
               reinterpret_cast<double*>(packed + stride));
    }
  }
  const int64_t packed_rows = rows.count * static_cast<int64_t>(parts_);
  for (int64_t r = packed_rows; r % kRowsAtATime != 0; ++r, packed += stride)
    memset(packed, 0, end);
}

// ------------------------------------------------------------------------- Rhs

RhsPacking::RhsPacking(const Contraction& contraction,
                       const Computation& computation, int64_t panel_columns,
                       const Options& options)
    : contraction_(contraction),
      bytes_(contraction.operand.bytes()),
      parts_(static_cast<size_t>(computation.parts)),
      are_pairs_(computation.lanes == Lanes::kPairs),
      panel_columns_(panel_columns),
      to_numbers_(contraction.operand, computation, contraction.rhs_rounding,
                  options) {}

void RhsPacking::Gather(int64_t batch_offset, int64_t column,
                        unsigned char* elements) {
  const int64_t count = std::min(panel_columns_, columns_.count - column);
  const auto bytes = static_cast<int64_t>(bytes_);
  const unsigned char* const first =
      contraction_.rhs_first + batch_offset * bytes;
  const int64_t* const columns = column_offsets_.data() + column;
  WithWord(bytes_, [&](auto word) {
    using T = decltype(word);
    auto* to = reinterpret_cast<T*>(elements);
    for (const int64_t term : term_offsets_) {
      if (are_adjacent_) {
        memcpy(to, first + (term + columns[0]) * bytes,
               static_cast<size_t>(count * bytes));
      } else {
        for (int64_t c = 0; c < count; ++c)
          to[c] = LoadElement<T>(first + (term + columns[c]) * bytes);
      }
      std::fill(to + count, to + panel_columns_, T());
      to += panel_columns_;
    }
  });
}

void RhsPacking::Pack(int64_t batch_offset, const Range& columns,
                      const Range& terms, unsigned char* packed,
                      size_t stride) {
  if (columns != columns_) {
    SetOffsets(contraction_.columns, columns, &ContractionDim::rhs_stride,
               &column_offsets_);
    are_adjacent_ = AreAdjacent(column_offsets_);
    columns_ = columns;
  }
  if (terms != terms_) {
    SetOffsets(contraction_.terms, terms, &ContractionDim::rhs_stride,
               &term_offsets_);
    terms_ = terms;
  }
  const auto count = static_cast<size_t>(terms.count * panel_columns_);
  const size_t number_bytes = to_numbers_.number_bytes();
  auto* const elements = elements_.Get<unsigned char>(count * bytes_);
  auto* const numbers =
      numbers_.Get<unsigned char>(count * parts_ * number_bytes);
  for (int64_t c = 0; c < columns.count;
       c += panel_columns_, packed += stride) {
    if (parts_ == 1 && to_numbers_.IsIdentity()) {
      Gather(batch_offset, c, packed);
      continue;
    }
    Gather(batch_offset, c, elements);
    const bool is_rearranged = parts_ == 2 || are_pairs_;
    to_numbers_.Run(elements, is_rearranged ? numbers : packed, count);
    if (are_pairs_) {
      MakePairs(reinterpret_cast<int16_t*>(numbers), terms.count,
                panel_columns_, reinterpret_cast<int16_t*>(packed));
    } else if (parts_ == 2 && number_bytes == sizeof(float)) {
      SplitParts(reinterpret_cast<float*>(numbers), terms.count, panel_columns_,
                 reinterpret_cast<float*>(packed));
    } else if (parts_ == 2) {
      SplitParts(reinterpret_cast<double*>(numbers), terms.count,
                 panel_columns_, reinterpret_cast<double*>(packed));
    }
  }
}

}  // namespace assay::simd
