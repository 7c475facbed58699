#include "oracle/order/slice_order.h"

#include <algorithm>
#include <numeric>

namespace assay {
namespace {

Scalars ElementsAt(const Tensor& column, const std::vector<int64_t>& places) {
  Tensor elements(TensorType({std::ssize(places)}, column.element_type()));
  WithWord(column.element_type(), [&]<class Word>(Word) {
    const auto* from = reinterpret_cast<const Word*>(column.data());
    auto* to = reinterpret_cast<Word*>(elements.data());
    for (size_t i = 0; i < places.size(); ++i) to[i] = from[places[i]];
  });
  return Scalars(std::move(elements));
}

// Returns whether answers about all pairs are those of a strict weak order.
// Precondition: all are known.
SliceOrder OrderOf(const std::vector<SliceComparator::Answer>& answers,
                   size_t n) {
  std::vector<uint64_t> less(n), equal(n);
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      if (answers[i * n + j] == SliceComparator::kLess)
        less[i] |= uint64_t{1} << j;
    }
  }
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      const bool is_less = less[i] >> j & 1, is_greater = less[j] >> i & 1;
      if (is_less && is_greater) return SliceOrder::kNone;
      if (!is_less && !is_greater) equal[i] |= uint64_t{1} << j;
      // What is greater than j is greater than i.
      if (is_less && (less[j] & ~less[i]) != 0) return SliceOrder::kNone;
    }
  }
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      if ((equal[i] >> j & 1) && equal[i] != equal[j]) return SliceOrder::kNone;
    }
  }
  return SliceOrder::kWeak;
}

}  // namespace

std::vector<SliceComparator::Answer> SliceComparator::AreLess(
    const std::vector<int64_t>& lhs, const std::vector<int64_t>& rhs) {
  if (lhs.empty()) return {};
  std::vector<Scalars> arguments;
  for (const Tensor& column : columns_) {
    arguments.push_back(ElementsAt(column, is_exchanged_ ? rhs : lhs));
    arguments.push_back(ElementsAt(column, is_exchanged_ ? lhs : rhs));
  }
  const Scalars less = region_.Apply(arguments)[0];
  std::vector<Answer> answers(lhs.size());
  for (size_t i = 0; i < answers.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    answers[i] = less.StateAt(at) != Scalars::State::kKnown ? kUnknown
                 : less.values().Bits(at) != 0              ? kLess
                                                            : kNotLess;
  }
  return answers;
}

void ComparePairs(SliceComparator* comparator, int64_t n,
                  std::vector<SliceOrder>* orders) {
  std::vector<size_t> asked;
  for (size_t row = 0; row < orders->size(); ++row) {
    if ((*orders)[row] == SliceOrder::kUnknown) asked.push_back(row);
  }
  // One answer that is not known is enough to leave a slice, so that few pairs
  // are asked first, and more each time.
  std::vector<std::vector<SliceComparator::Answer>> of_row(orders->size());
  for (int64_t begin = 0, end = n; begin < n * n && !asked.empty();
       begin = end, end = std::min(3 * end, n * n)) {
    std::vector<int64_t> lhs, rhs;
    for (const size_t row : asked) {
      const int64_t base = static_cast<int64_t>(row) * n;
      for (int64_t pair = begin; pair < end; ++pair) {
        lhs.push_back(base + pair / n);
        rhs.push_back(base + pair % n);
      }
    }
    const auto answers = comparator->AreLess(lhs, rhs);
    for (size_t q = 0; q < asked.size(); ++q) {
      const auto first =
          answers.begin() + static_cast<int64_t>(q) * (end - begin);
      of_row[asked[q]].insert(of_row[asked[q]].end(), first,
                              first + (end - begin));
    }
    std::erase_if(asked, [&](size_t row) {
      return std::ranges::find(of_row[row], SliceComparator::kUnknown) !=
             of_row[row].end();
    });
  }
  for (const size_t row : asked)
    (*orders)[row] = OrderOf(of_row[row], static_cast<size_t>(n));
}

std::vector<int64_t> StablySorted(SliceComparator* comparator, int64_t length,
                                  std::vector<SliceOrder>* orders) {
  const auto rows = std::ssize(*orders);
  std::vector<int64_t> sorted(static_cast<size_t>(rows * length));
  std::iota(sorted.begin(), sorted.end(), int64_t{0});
  struct Search {
    int64_t row, at, begin, end, first;  // of the other run
    int64_t behind;                      // elements of its own run
    bool is_left;
  };
  for (int64_t width = 1; width < length; width *= 2) {
    std::vector<Search> searches;
    for (int64_t row = 0; row < rows; ++row) {
      if ((*orders)[static_cast<size_t>(row)] != SliceOrder::kWeak) continue;
      for (int64_t begin = 0; begin < length; begin += 2 * width) {
        const int64_t middle = std::min(begin + width, length);
        const int64_t end = std::min(middle + width, length);
        const int64_t base = row * length;
        for (int64_t i = begin; i < middle; ++i)
          searches.push_back({row, base + i, base + middle, base + end,
                              base + middle, i - begin, true});
        for (int64_t i = middle; i < end; ++i)
          searches.push_back({row, base + i, base + begin, base + middle,
                              base + begin, i - middle, false});
      }
    }
    for (bool is_searching = true; is_searching;) {
      std::vector<int64_t> lhs, rhs;
      std::vector<size_t> asked;
      for (size_t s = 0; s < searches.size(); ++s) {
        const Search& search = searches[s];
        if (search.begin == search.end) continue;
        const int64_t own = sorted[static_cast<size_t>(search.at)];
        const int64_t other = sorted[static_cast<size_t>(
            search.begin + (search.end - search.begin) / 2)];
        lhs.push_back(search.is_left ? other : own);
        rhs.push_back(search.is_left ? own : other);
        asked.push_back(s);
      }
      const auto answers = comparator->AreLess(lhs, rhs);
      for (size_t q = 0; q < asked.size(); ++q) {
        Search& search = searches[asked[q]];
        const int64_t middle = search.begin + (search.end - search.begin) / 2;
        if (answers[q] == SliceComparator::kUnknown)
          (*orders)[static_cast<size_t>(search.row)] = SliceOrder::kUnknown;
        if ((answers[q] == SliceComparator::kLess) == search.is_left) {
          search.begin = middle + 1;
        } else {
          search.end = middle;
        }
      }
      is_searching = !asked.empty();
    }
    std::vector<int64_t> merged(sorted.size(), -1);
    for (const Search& search : searches) {
      const int64_t run_begin =
          search.is_left ? search.at - search.behind : search.first;
      merged[static_cast<size_t>(run_begin + search.behind + search.begin -
                                 search.first)] =
          sorted[static_cast<size_t>(search.at)];
    }
    for (size_t i = 0; i < merged.size(); ++i) {
      if (merged[i] >= 0) continue;
      SliceOrder& order = (*orders)[i / static_cast<size_t>(length)];
      if (order == SliceOrder::kWeak) order = SliceOrder::kUnknown;
    }
    for (size_t i = 0; i < merged.size(); ++i) {
      if ((*orders)[i / static_cast<size_t>(length)] == SliceOrder::kWeak)
        sorted[i] = merged[i];
    }
  }
  return sorted;
}

}  // namespace assay
