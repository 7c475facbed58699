#include "backends/simd/reduction/scatter.h"

#include <stdint.h>
#include <string.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "backends/calls/overlap.h"
#include "backends/calls/plain_scatter.h"
#include "backends/calls/tensors.h"
#include "backends/simd/core/environment.h"
#include "backends/simd/core/parts.h"
#include "backends/simd/movement/moves.h"
#include "backends/simd/movement/row_indices.h"

namespace assay::simd {
namespace {

using calls::PlainScatter;
using calls::Windows;

// From so many updated elements on, a thread costs less than it gains.
constexpr int64_t kThreadedElements = int64_t{1} << 16;

// Elements that follow one another at these distances in bytes.
struct Row {
  int64_t count = 1, to_stride = 0, update_stride = 0;
};

// Updates rows one after the other.
using UpdateRows = void (*)(unsigned char* const* to,
                            const unsigned char* const* updates, int64_t rows,
                            const Row& row);

template <class T, class F>
void UpdateOne(unsigned char* to, const unsigned char* update) {
  T a, b;
  memcpy(&a, to, sizeof(T));
  memcpy(&b, update, sizeof(T));
  a = F()(a, b);
  memcpy(to, &a, sizeof(T));
}

template <class T, class F>
void Update(unsigned char* const* to, const unsigned char* const* updates,
            int64_t rows, const Row& row) {
  constexpr auto kSize = static_cast<int64_t>(sizeof(T));
  if (row.count == 1) {
    for (int64_t r = 0; r < rows; ++r) UpdateOne<T, F>(to[r], updates[r]);
    return;
  }
  const bool is_dense = row.to_stride == kSize && row.update_stride == kSize;
  for (int64_t r = 0; r < rows; ++r) {
    if (is_dense) {
      for (int64_t i = 0; i < row.count; ++i)
        UpdateOne<T, F>(to[r] + i * kSize, updates[r] + i * kSize);
    } else {
      for (int64_t i = 0; i < row.count; ++i)
        UpdateOne<T, F>(to[r] + i * row.to_stride,
                        updates[r] + i * row.update_stride);
    }
  }
}

// Integers are computed without a sign, in which sums and products wrap.
struct Assign {
  template <class T>
  T operator()(T, T b) const {
    return b;
  }
};
struct Add {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a + b);
  }
};
struct Multiply {
  template <class T>
  T operator()(T a, T b) const {
    // Narrow factors would be promoted to a type with a sign.
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(uint64_t{a} * uint64_t{b});
    else
      return a * b;
  }
};
struct Maximum {
  template <class T>
  T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct Minimum {
  template <class T>
  T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct And {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};

template <class F>
UpdateRows OfBytes(size_t bytes) {
  switch (bytes) {
    case 1:
      return Update<uint8_t, F>;
    case 2:
      return Update<uint16_t, F>;
    case 4:
      return Update<uint32_t, F>;
    default:
      return Update<uint64_t, F>;
  }
}
template <class F>
UpdateRows OfBytesWithSign(size_t bytes) {
  switch (bytes) {
    case 1:
      return Update<int8_t, F>;
    case 2:
      return Update<int16_t, F>;
    case 4:
      return Update<int32_t, F>;
    default:
      return Update<int64_t, F>;
  }
}

UpdateRows OfMonoid(std::string_view op, const calls::Type& type) {
  const size_t bytes = type.bytes();
  if (type.kind == calls::Kind::kFloat) {
    const bool is_f32 = type.bits == 32;
    if (op == "add") return is_f32 ? Update<float, Add> : Update<double, Add>;
    if (op == "multiply")
      return is_f32 ? Update<float, Multiply> : Update<double, Multiply>;
    return nullptr;
  }
  if ((type.kind != calls::Kind::kSigned &&
       type.kind != calls::Kind::kUnsigned) ||
      type.bits != static_cast<int>(8 * bytes))
    return nullptr;
  const bool is_signed = type.kind == calls::Kind::kSigned;
  if (op == "add") return OfBytes<Add>(bytes);
  if (op == "multiply") return OfBytes<Multiply>(bytes);
  if (op == "and") return OfBytes<And>(bytes);
  if (op == "or") return OfBytes<Or>(bytes);
  if (op == "xor") return OfBytes<Xor>(bytes);
  if (op == "maximum")
    return is_signed ? OfBytesWithSign<Maximum>(bytes)
                     : OfBytes<Maximum>(bytes);
  if (op == "minimum")
    return is_signed ? OfBytesWithSign<Minimum>(bytes)
                     : OfBytes<Minimum>(bytes);
  return nullptr;
}

// Returns how one operand is updated, or nullptr.
UpdateRows UpdateOf(const PlainScatter& scatter, const calls::Type& type) {
  if (!scatter.monoid.empty()) return OfMonoid(scatter.monoid, type);
  return type.bytes() <= 8 ? OfBytes<Assign>(type.bytes()) : nullptr;
}

// Applies the updates of one operand that go to indices of one dimension of the
// result from `begin` on and before `end`.
class Scatterer {
 public:
  Scatterer(const PlainScatter::Operand& operand, UpdateRows update,
            size_t split, int64_t begin, int64_t end)
      : windows_(operand.windows),
        result_(calls::FirstElement(operand.result->tensor)),
        updates_(calls::FirstElement(operand.updates->tensor)),
        bytes_(static_cast<int64_t>(operand.type.bytes())),
        update_(update),
        split_(split),
        begin_(begin),
        end_(end) {
    // The innermost dimension that a window has more than one element of.
    for (size_t d = 0; d < windows_.dims.size(); ++d) {
      if (windows_.dims[d].window_size != 1) row_ = d;
    }
  }

  void Run() {
    calls::WindowCursor cursor(windows_, 0);
    const int64_t count = windows_.BatchCount();
    for (int64_t i = 0; i < count; ++i) {
      if (i > 0) cursor.Next();
      UpdateWindow(cursor.window(), 0, 0, cursor.window().other);
    }
  }

 private:
  void UpdateWindow(const calls::Window& window, size_t d, int64_t element,
                    int64_t update) {
    if (d == windows_.dims.size()) {
      unsigned char* const to = result_ + element * bytes_;
      const unsigned char* const from = updates_ + update * bytes_;
      update_(&to, &from, 1, part_);
      return;
    }
    const Windows::Dim& dim = windows_.dims[d];
    const int64_t begin = window.begin[d];
    const int64_t low = d == split_ ? begin_ : 0;
    const int64_t high = d == split_ ? end_ : dim.size;
    // begin + i is within the operand; it may be more than int64_t has.
    const int64_t first =
        begin < low
            ? (begin < low - dim.window_size ? dim.window_size : low - begin)
            : 0;
    const int64_t last =
        begin >= high ? 0
                      : std::min(dim.window_size, begin < high - dim.window_size
                                                      ? dim.window_size
                                                      : high - begin);
    if (first >= last) return;
    const int64_t at = element + (begin + first) * dim.stride;
    const int64_t from = update + first * dim.other_stride;
    if (d == row_) {
      part_ = {last - first, dim.stride * bytes_, dim.other_stride * bytes_};
      UpdateWindow(window, d + 1, at, from);
      return;
    }
    for (int64_t i = 0; i < last - first; ++i)
      UpdateWindow(window, d + 1, at + i * dim.stride,
                   from + i * dim.other_stride);
  }

  const Windows& windows_;
  unsigned char* const result_;
  const unsigned char* const updates_;
  const int64_t bytes_;
  const UpdateRows update_;
  const size_t split_;
  const int64_t begin_, end_;
  size_t row_ = SIZE_MAX;  // none: a window is one element
  Row part_;               // of it, which is updated
};

// Applies the updates whose windows are rows that begin at indices from `begin`
// on and before `end`.
void ScatterRows(const PlainScatter::Operand& operand, const RowIndices& rows,
                 UpdateRows update, int64_t begin, int64_t end) {
  const auto bytes = static_cast<int64_t>(operand.type.bytes());
  unsigned char* const result = calls::FirstElement(operand.result->tensor);
  const unsigned char* const first =
      calls::FirstElement(operand.updates->tensor);
  Row row;
  for (const Windows::Dim& dim : operand.windows.dims) {
    if (dim.window_size != 1)
      row = {dim.window_size, dim.stride * bytes, dim.other_stride * bytes};
  }
  const int64_t step = rows.other_stride() * bytes;
  int64_t indices[RowIndices::kAtATime];
  unsigned char* to[RowIndices::kAtATime];
  const unsigned char* updates[RowIndices::kAtATime];
  for (int64_t at = 0; at < rows.count(); at += RowIndices::kAtATime) {
    const int64_t count = std::min(rows.count() - at, RowIndices::kAtATime);
    rows.Read(at, count, indices);
    int64_t here = 0;
    for (int64_t i = 0; i < count; ++i) {
      // The places of an update that another thread applies, or none does, are
      // written over by those of the next one.
      const bool is_here = begin <= indices[i] && indices[i] < end;
      to[here] =
          result + (is_here ? indices[i] : 0) * rows.dim().stride * bytes;
      updates[here] = first + (at + i) * step;
      __builtin_prefetch(to[here], /*rw=*/1);
      here += is_here;
    }
    update(to, updates, here, row);
  }
}

// Returns the indices of windows that are rows, all of whose elements are in
// bounds or none.
std::optional<RowIndices> RowsOf(const Windows& windows) {
  int longer = 0;
  for (const Windows::Dim& dim : windows.dims) {
    if (dim.window_size > dim.size) return std::nullopt;
    longer += dim.window_size != 1;
  }
  return longer <= 1 ? RowIndices::Of(windows) : std::nullopt;
}

void Scatter(const PlainScatter::Operand& operand, UpdateRows update,
             int threads) {
  const Windows& windows = operand.windows;
  // Each thread has a part of the longest dimension of the result.
  size_t split = 0;
  for (size_t d = 1; d < windows.dims.size(); ++d) {
    if (windows.dims[d].size > windows.dims[split].size) split = d;
  }
  const int64_t size = windows.dims.empty() ? 1 : windows.dims[split].size;
  const bool is_large =
      windows.BatchCount() * windows.WindowCount() >= kThreadedElements;
  const int64_t parts = is_large ? std::min<int64_t>(threads, size) : 1;
  const auto rows = RowsOf(windows);
  RunInThreads(parts, [&](int64_t part) {
    const Environment environment(Subnormals::kKeep);
    const int64_t begin = size * part / parts, end = size * (part + 1) / parts;
    if (rows && rows->dim_number() == split) {
      ScatterRows(operand, *rows, update, begin, end);
    } else {
      Scatterer(operand, update, split, begin, end).Run();
    }
  });
}

}  // namespace

bool RunPlainScatter(const AssayCall& call, const Options& options,
                     const char** failure) {
  PlainScatter scatter;
  if (options.subnormals != Subnormals::kKeep ||
      !calls::ReadPlainScatter(call, &scatter))
    return false;
  std::vector<UpdateRows> updates;
  for (const PlainScatter::Operand& operand : scatter.operands) {
    updates.push_back(UpdateOf(scatter, operand.type));
    if (updates.back() == nullptr) return false;
  }
  *failure = calls::ReadPlainWindows(call, &scatter);
  for (size_t k = 0; k < updates.size() && *failure == nullptr; ++k) {
    const PlainScatter::Operand& operand = scatter.operands[k];
    if (calls::CountElements(operand.result->tensor) == 0) continue;
    if (!calls::IsSamePlace(operand.input->tensor, operand.result->tensor)) {
      *failure = RunMoves(
          calls::MakeCall("reshape", {operand.input, 1}, *operand.result),
          options);
      if (*failure != nullptr) return true;
    }
    if (calls::CountElements(operand.updates->tensor) > 0)
      Scatter(operand, updates[k], options.threads);
  }
  return true;
}

}  // namespace assay::simd
