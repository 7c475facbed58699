#include "backends/simd/contraction/packing.h"

#include <string.h>

#include <algorithm>

#include "backends/simd/contraction/quads.h"

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

// Copies so few bytes that a call of memcpy would take longer.
void CopyFew(const unsigned char* from, size_t bytes, unsigned char* to) {
  constexpr size_t kAtATime = 16;
  for (; bytes >= kAtATime; bytes -= kAtATime) {
    memcpy(to, from, kAtATime);
    from += kAtATime;
    to += kAtATime;
  }
  for (; bytes > 0; --bytes) *to++ = *from++;
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

// Flips the highest bit of each byte.
void Flip(unsigned char* bytes, size_t count) {
  for (size_t i = 0; i < count; i += 4) {
    uint32_t four;
    memcpy(&four, bytes + i, 4);
    four ^= 0x80808080u;
    memcpy(bytes + i, &four, 4);
  }
}

// `row` returns where the numbers of a term are.
template <class F>
void MakeQuads(int64_t terms, F row, unsigned char* to) {
  static constexpr unsigned char kZeros[kQuadColumns] = {};
  for (int64_t t = 0; t < terms; t += 4, to += 4 * kQuadColumns) {
    const unsigned char* rows[4];
    for (int64_t i = 0; i < 4; ++i)
      rows[i] = t + i < terms ? row(static_cast<size_t>(t + i)) : kZeros;
    PackQuads(rows, to);
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

void GatherElements(const unsigned char* first,
                    const std::vector<int64_t>& offsets, size_t bytes,
                    unsigned char* elements) {
  WithWord(bytes, [&](auto word) {
    using T = decltype(word);
    auto* to = reinterpret_cast<T*>(elements);
    for (const int64_t offset : offsets)
      *to++ = LoadElement<T>(first + offset * static_cast<int64_t>(sizeof(T)));
  });
}

void ScatterElements(const unsigned char* elements,
                     const std::vector<int64_t>& offsets, size_t bytes,
                     unsigned char* first) {
  WithWord(bytes, [&](auto word) {
    using T = decltype(word);
    for (const int64_t offset : offsets) {
      memcpy(first + offset * static_cast<int64_t>(sizeof(T)), elements,
             sizeof(T));
      elements += sizeof(T);
    }
  });
}

// ------------------------------------------------------------------------- Lhs

LhsPacking::LhsPacking(const Contraction& contraction,
                       const Computation& computation, const Options& options)
    : contraction_(contraction),
      bytes_(contraction.operand.bytes()),
      parts_(static_cast<size_t>(computation.parts)),
      are_quads_(AreQuads(computation.lanes)),
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
  if (batch_offset == batch_offset_ && rows == rows_ && terms == terms_) return;
  batch_offset_ = batch_offset;
  SetRows(rows);
  SetTerms(terms);
  const auto count = static_cast<size_t>(terms.count);
  const size_t number_bytes = to_numbers_.number_bytes();
  auto* const elements = elements_.Get<unsigned char>(count * bytes_);
  auto* const numbers =
      numbers_.Get<unsigned char>(count * parts_ * number_bytes);
  // The last pair or quad may be without some of its terms.
  const size_t end = (count * parts_ * number_bytes + 3) / 4 * 4;
  for (int64_t r = 0; r < rows.count; ++r, packed += parts_ * stride) {
    if (parts_ == 1) {
      if (to_numbers_.IsIdentity()) {
        Gather(batch_offset, r, packed);
      } else {
        Gather(batch_offset, r, elements);
        to_numbers_.Run(elements, packed, count);
      }
      memset(packed + count * number_bytes, 0, end - count * number_bytes);
      if (are_quads_) Flip(packed, end);
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
      lanes_(computation.lanes),
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
        CopyFew(first + (term + columns[0]) * bytes,
                static_cast<size_t>(count * bytes),
                reinterpret_cast<unsigned char*>(to));
      } else {
        for (int64_t c = 0; c < count; ++c)
          to[c] = LoadElement<T>(first + (term + columns[c]) * bytes);
      }
      std::fill(to + count, to + panel_columns_, T());
      to += panel_columns_;
    }
  });
}

// Whether the rows of a panel lie in the operand as they are packed.
bool RhsPacking::AreInPlace(int64_t column) const {
  return to_numbers_.IsIdentity() && are_adjacent_ &&
         columns_.count - column >= panel_columns_;
}

void RhsPacking::PackPanel(int64_t batch_offset, int64_t column,
                           unsigned char* packed) {
  if (AreQuads(lanes_) && AreInPlace(column)) {
    const unsigned char* const first =
        contraction_.rhs_first + batch_offset +
        column_offsets_[static_cast<size_t>(column)];
    MakeQuads(
        terms_.count, [&](size_t term) { return first + term_offsets_[term]; },
        packed);
    return;
  }
  if (parts_ == 1 && TermsOf(lanes_) == 1 && to_numbers_.IsIdentity()) {
    Gather(batch_offset, column, packed);
    return;
  }
  const auto count = static_cast<size_t>(terms_.count * panel_columns_);
  const size_t number_bytes = to_numbers_.number_bytes();
  auto* const elements = elements_.Get<unsigned char>(count * bytes_);
  Gather(batch_offset, column, elements);
  if (parts_ == 1 && TermsOf(lanes_) == 1) {
    to_numbers_.Run(elements, packed, count);
    return;
  }
  auto* const numbers =
      numbers_.Get<unsigned char>(count * parts_ * number_bytes);
  to_numbers_.Run(elements, numbers, count);
  if (AreQuads(lanes_)) {
    MakeQuads(
        terms_.count,
        [&](size_t term) {
          return numbers + term * static_cast<size_t>(panel_columns_);
        },
        packed);
  } else if (lanes_ == Lanes::kPairs) {
    MakePairs(reinterpret_cast<int16_t*>(numbers), terms_.count, panel_columns_,
              reinterpret_cast<int16_t*>(packed));
  } else if (number_bytes == sizeof(float)) {
    SplitParts(reinterpret_cast<float*>(numbers), terms_.count, panel_columns_,
               reinterpret_cast<float*>(packed));
  } else {
    SplitParts(reinterpret_cast<double*>(numbers), terms_.count, panel_columns_,
               reinterpret_cast<double*>(packed));
  }
}

void RhsPacking::Pack(int64_t batch_offset, const Range& columns,
                      const Range& terms, unsigned char* packed,
                      size_t stride) {
  if (batch_offset == batch_offset_ && columns == columns_ && terms == terms_)
    return;
  batch_offset_ = batch_offset;
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
  for (int64_t c = 0; c < columns.count; c += panel_columns_, packed += stride)
    PackPanel(batch_offset, c, packed);
}

}  // namespace assay::simd
