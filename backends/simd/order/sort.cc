#include "backends/simd/order/sort.h"

#include <string.h>

#include <algorithm>
#include <memory>
#include <new>
#include <vector>

#include "backends/calls/dims_view.h"
#include "backends/calls/overlap.h"
#include "backends/simd/core/parts.h"
#include "backends/simd/order/vector_sort.h"

namespace assay::simd {
namespace {

using calls::DimsView;
using calls::KeySort;

constexpr char kNoMemory[] = "a sort without memory for its keys";
// Slices with fewer elements than this together are sorted by one thread.
constexpr int64_t kThreadedElements = int64_t{1} << 16;

// The elements of a slice. Strides are in bytes.
struct Slice {
  const unsigned char* from;
  int64_t from_stride;
  unsigned char* to;
  int64_t to_stride;
};

// A Coder turns keys to integers without a sign that have the order of the
// keys, and back.
template <class Stored>
class Coder {
 public:
  explicit Coder(const KeySort& sort)
      : is_float_(sort.type.kind == calls::Kind::kFloat ||
                  sort.type.kind == calls::Kind::kFormat),
        flip_(sort.is_descending ? kAll : Stored{0}),
        sign_(is_float_ || sort.type.kind == calls::Kind::kSigned ? kSign
                                                                  : Stored{0}),
        infinity_(InfinityOf(sort.type)) {}
  Stored Encode(Stored bits) const {
    if (is_float_ && (bits & kSign) != 0) bits ^= kAll ^ kSign;
    return static_cast<Stored>(bits ^ sign_ ^ flip_);
  }
  Stored Decode(Stored code) const {
    Stored bits = static_cast<Stored>(code ^ sign_ ^ flip_);
    if (is_float_ && (bits & kSign) != 0) bits ^= kAll ^ kSign;
    return bits;
  }
  static bool IsZero(Stored bits) {
    return static_cast<Stored>(bits << 1) == 0;
  }
  // NaN has no order, and all others are equal to it: of a slice in which these
  // are equal to one another, all elements are equal.
  template <class At>
  bool AreAllEqual(int64_t count, At at) const {
    bool has_nan = false, has_number = false;
    Stored number = 0;
    for (int64_t i = 0; i < count; ++i) {
      const Stored bits = at(i);
      if ((bits & ~kSign & kAll) > infinity_) {
        has_nan = true;
      } else if (!has_number) {
        has_number = true;
        number = bits;
      } else if (bits != number && !(IsZero(bits) && IsZero(number))) {
        return false;
      }
    }
    return has_nan;
  }

 private:
  static constexpr auto kAll = static_cast<Stored>(~Stored{0});
  static constexpr auto kSign =
      static_cast<Stored>(Stored{1} << (8 * sizeof(Stored) - 1));
  static constexpr Stored InfinityOf(const calls::Type& type) {
    if (type.kind == calls::Kind::kFormat)
      return static_cast<Stored>(type.format == calls::Format::kF16 ? 0x7c00
                                                                    : 0x7f80);
    return static_cast<Stored>(type.bits == 32 ? uint64_t{0xff} << 23
                                               : uint64_t{0x7ff} << 52);
  }
  const bool is_float_;
  const Stored flip_, sign_, infinity_;
};

template <class T>
T Load(const unsigned char* from) {
  T value;
  memcpy(&value, from, sizeof(value));
  return value;
}

template <class Key>
class Buffers {
 public:
  bool Reserve(int64_t count) {
    if (count <= count_) return true;
    const auto size = static_cast<size_t>(count);
    keys_.reset(new (std::nothrow) Key[size]);
    spare_.reset(new (std::nothrow) Key[size]);
    count_ = keys_ != nullptr && spare_ != nullptr ? count : 0;
    return count_ == count;
  }
  Key* keys() { return keys_.get(); }
  Key* spare() { return spare_.get(); }

 private:
  int64_t count_ = 0;
  std::unique_ptr<Key[]> keys_, spare_;
};

// Calls `run` with the bounds of parts of so many elements, in threads.
template <class F>
void ForParts(int64_t count, int threads, F run) {
  const int64_t parts =
      count < kThreadedElements ? 1 : static_cast<int64_t>(threads);
  RunInThreads(parts, [&](int64_t p) {
    run(count * p / parts, count * (p + 1) / parts);
  });
}

// Sorts slices that are keys alone.
template <class Stored, class Key>
class KeysAlone {
 public:
  explicit KeysAlone(const KeySort& sort) : sort_(sort), coder_(sort) {}

  const char* Sort(const Slice* slices, int64_t count, int threads) {
    if (!buffers_.Reserve(count)) return kNoMemory;
    const Slice& slice = slices[0];
    if (sort_.has_equal_zeros &&
        coder_.AreAllEqual(count, [&](int64_t i) { return At(slice, i); })) {
      for (int64_t i = 0; i < count; ++i) Store(slice, i, At(slice, i));
      return nullptr;
    }
    ForParts(count, threads, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        buffers_.keys()[i] = coder_.Encode(At(slice, i));
    });
    if (sort_.has_equal_zeros) FindZeros(slice, count);
    const Key* const sorted =
        SortKeys(buffers_.keys(), buffers_.spare(), count, threads);
    ForParts(count, threads, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        Store(slice, i, coder_.Decode(static_cast<Stored>(sorted[i])));
    });
    if (!zeros_.empty()) {
      const Key first =
          std::min(coder_.Encode(zeros_[0]), coder_.Encode(OtherZero()));
      const int64_t at =
          std::lower_bound(sorted, sorted + count, first) - sorted;
      for (size_t z = 0; z < zeros_.size(); ++z)
        Store(slice, at + static_cast<int64_t>(z), zeros_[z]);
    }
    return nullptr;
  }

 private:
  static Stored At(const Slice& slice, int64_t i) {
    return Load<Stored>(slice.from + i * slice.from_stride);
  }
  static void Store(const Slice& slice, int64_t i, Stored bits) {
    memcpy(slice.to + i * slice.to_stride, &bits, sizeof(bits));
  }
  Stored OtherZero() const {
    constexpr auto kSign =
        static_cast<Stored>(Stored{1} << (8 * sizeof(Stored) - 1));
    return static_cast<Stored>(zeros_[0] ^ kSign);
  }

  // Keeps the zeros in their order, if they are of both signs: these are equal,
  // and stay in it.
  void FindZeros(const Slice& slice, int64_t count) {
    zeros_.clear();
    bool differ = false;
    for (int64_t i = 0; i < count; ++i) {
      const Stored bits = At(slice, i);
      if (!Coder<Stored>::IsZero(bits)) continue;
      zeros_.push_back(bits);
      differ |= bits != zeros_[0];
    }
    if (!differ) zeros_.clear();
  }

  const KeySort& sort_;
  const Coder<Stored> coder_;
  Buffers<Key> buffers_;
  std::vector<Stored> zeros_;
};

void MakeKey(uint64_t code, int64_t place, uint64_t* key) {
  *key = code << 32 | static_cast<uint64_t>(place);
}
void MakeKey(uint64_t code, int64_t place, hwy::uint128_t* key) {
  key->hi = code;
  key->lo = static_cast<uint64_t>(place);
}
int64_t PlaceIn(uint64_t key) { return static_cast<int64_t>(key & 0xffffffff); }
int64_t PlaceIn(const hwy::uint128_t& key) {
  return static_cast<int64_t>(key.lo);
}

// Sorts slices of several operands: each key has the place of its element, so
// that no two are equal.
template <class Stored, class Key>
class KeysWithPlaces {
 public:
  // `bytes`: of an element of each operand.
  KeysWithPlaces(const KeySort& sort, const std::vector<size_t>& bytes,
                 bool is_in_place)
      : sort_(sort), bytes_(bytes), is_in_place_(is_in_place), coder_(sort) {}

  const char* Sort(const Slice* slices, int64_t count, int threads) {
    if (!buffers_.Reserve(count)) return kNoMemory;
    const Slice& keys = slices[sort_.key];
    const auto at = [&](int64_t i) {
      return Load<Stored>(keys.from + i * keys.from_stride);
    };
    const bool are_equal =
        sort_.has_equal_zeros && coder_.AreAllEqual(count, at);
    ForParts(count, threads, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        Stored bits = at(i);
        if (are_equal || (sort_.has_equal_zeros && Coder<Stored>::IsZero(bits)))
          bits = 0;
        MakeKey(coder_.Encode(bits), i, &buffers_.keys()[i]);
      }
    });
    const Key* const sorted =
        SortKeys(buffers_.keys(), buffers_.spare(), count, threads);
    std::vector<Slice> sources(slices, slices + bytes_.size());
    if (is_in_place_ && !CopyAll(count, &sources)) return kNoMemory;
    for (size_t k = 0; k < sources.size(); ++k)
      Move(sources[k], bytes_[k], sorted, count, threads);
    return nullptr;
  }

 private:
  template <size_t kBytes>
  static void MoveSome(const Slice& slice, const Key* sorted, int64_t begin,
                       int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      memcpy(slice.to + i * slice.to_stride,
             slice.from + PlaceIn(sorted[i]) * slice.from_stride, kBytes);
  }
  static void Move(const Slice& slice, size_t bytes, const Key* sorted,
                   int64_t count, int threads) {
    const auto move = bytes == 1   ? MoveSome<1>
                      : bytes == 2 ? MoveSome<2>
                      : bytes == 4 ? MoveSome<4>
                      : bytes == 8 ? MoveSome<8>
                                   : MoveSome<16>;
    ForParts(count, threads, [&](int64_t begin, int64_t end) {
      move(slice, sorted, begin, end);
    });
  }

  // Copies the elements of all operands, since results lie in their place.
  bool CopyAll(int64_t count, std::vector<Slice>* sources) {
    copies_.resize(sources->size());
    for (size_t k = 0; k < sources->size(); ++k) {
      Slice& slice = (*sources)[k];
      const size_t size = bytes_[k];
      copies_[k].reset(
          new (std::nothrow) unsigned char[static_cast<size_t>(count) * size]);
      unsigned char* to = copies_[k].get();
      if (to == nullptr) return false;
      for (int64_t i = 0; i < count; ++i, to += size)
        memcpy(to, slice.from + i * slice.from_stride, size);
      slice.from = copies_[k].get();
      slice.from_stride = static_cast<int64_t>(size);
    }
    return true;
  }

  const KeySort& sort_;
  const std::vector<size_t>& bytes_;
  const bool is_in_place_;
  const Coder<Stored> coder_;
  Buffers<Key> buffers_;
  std::vector<std::unique_ptr<unsigned char[]>> copies_;
};

// The operands and results of a call, slice by slice.
class Slices {
 public:
  Slices(const AssayCall& call, const KeySort& sort) : sort_(sort) {
    for (size_t k = 0; k < sort.count; ++k) {
      from_.push_back(DimsView::Of(call.inputs[k].tensor));
      to_.push_back(DimsView::Of(call.outputs[k].tensor));
      calls::Type type;
      calls::ParseType(call.inputs[k], &type);
      bytes_.push_back(type.bytes());
      for (size_t o = 0; o < sort.count; ++o)
        is_in_place_ |=
            calls::IsSamePlace(call.inputs[k].tensor, call.outputs[o].tensor);
    }
    length_ = from_[0].shape[sort.dimension];
    count_ = calls::CountOf(from_[0].shape) / std::max<int64_t>(length_, 1);
  }
  int64_t length() const { return length_; }
  int64_t count() const { return count_; }
  const std::vector<size_t>& bytes() const { return bytes_; }
  bool is_in_place() const { return is_in_place_; }

  void At(int64_t number, std::vector<Slice>* slices) const {
    slices->resize(sort_.count);
    const std::vector<int64_t>& shape = from_[0].shape;
    for (size_t k = 0; k < sort_.count; ++k) {
      int64_t rest = number, from = 0, to = 0;
      for (size_t d = shape.size(); d-- > 0;) {
        if (d == sort_.dimension) continue;
        from += rest % shape[d] * from_[k].strides[d];
        to += rest % shape[d] * to_[k].strides[d];
        rest /= shape[d];
      }
      const auto size = static_cast<int64_t>(bytes_[k]);
      (*slices)[k] = {from_[k].first + from * size,
                      from_[k].strides[sort_.dimension] * size,
                      to_[k].first + to * size,
                      to_[k].strides[sort_.dimension] * size};
    }
  }

 private:
  const KeySort& sort_;
  std::vector<DimsView> from_, to_;
  std::vector<size_t> bytes_;
  bool is_in_place_ = false;
  int64_t length_, count_;
};

// Sorts all slices: each in all threads if they are few and long, or else each
// in one.
template <class MakeSorter>
const char* SortAll(const Slices& all, int threads, MakeSorter make) {
  const int64_t elements = all.count() * all.length();
  const bool has_threads = threads > 1 && elements >= kThreadedElements;
  if (!has_threads || all.count() < threads) {
    auto sorter = make();
    std::vector<Slice> slices;
    for (int64_t s = 0; s < all.count(); ++s) {
      all.At(s, &slices);
      if (const char* failure = sorter->Sort(slices.data(), all.length(),
                                             has_threads ? threads : 1))
        return failure;
    }
    return nullptr;
  }
  std::vector<const char*> failures(static_cast<size_t>(threads));
  RunInThreads(threads, [&](int64_t part) {
    auto sorter = make();
    std::vector<Slice> slices;
    const char*& failure = failures[static_cast<size_t>(part)];
    const int64_t end = all.count() * (part + 1) / threads;
    for (int64_t s = all.count() * part / threads; s < end && !failure; ++s) {
      all.At(s, &slices);
      failure = sorter->Sort(slices.data(), all.length(), 1);
    }
  });
  for (const char* failure : failures) {
    if (failure != nullptr) return failure;
  }
  return nullptr;
}

template <class Stored>
const char* Sort(const Slices& all, const KeySort& sort, int threads) {
  const auto with_places = [&]<class Key>(Key) {
    return SortAll(all, threads, [&] {
      return std::make_unique<KeysWithPlaces<Stored, Key>>(sort, all.bytes(),
                                                           all.is_in_place());
    });
  };
  if (sort.count > 1) {
    if (sizeof(Stored) == 8 || all.length() >= int64_t{1} << 32)
      return with_places(hwy::uint128_t{});
    return with_places(uint64_t{});
  }
  using Key = std::conditional_t<sizeof(Stored) == 1, uint16_t, Stored>;
  return SortAll(all, threads, [&] {
    return std::make_unique<KeysAlone<Stored, Key>>(sort);
  });
}

}  // namespace

const char* RunKeySort(const AssayCall& call, const KeySort& sort,
                       const Options& options) {
  const Slices all(call, sort);
  if (all.count() == 0 || all.length() == 0) return nullptr;
  switch (sort.type.bytes()) {
    case 1:
      return Sort<uint8_t>(all, sort, options.threads);
    case 2:
      return Sort<uint16_t>(all, sort, options.threads);
    case 4:
      return Sort<uint32_t>(all, sort, options.threads);
    default:
      return Sort<uint64_t>(all, sort, options.threads);
  }
}

}  // namespace assay::simd
