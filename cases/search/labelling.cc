#include "cases/search/labelling.h"

#include <algorithm>
#include <array>

namespace assay {
namespace {

// A constant travels with every call, as text too.
constexpr int64_t kMostConstantElements = 256;
// Every number of an interval of at most kMostTried is tried, and kTriesOfWide
// numbers of a wider one.
constexpr int64_t kMostTried = 12;
constexpr int kTriesOfWide = 4;
// An interval of at most so many numbers is bounded by sizes of the call.
constexpr int64_t kMostOfSize = int64_t{1} << 20;
// Numbers of wider intervals are mostly at most so far from the end nearest to
// zero.
constexpr int64_t kVeryNear = 3, kNear = 8;
// Widths of formats and of their parts are drawn beside them.
constexpr std::array<int64_t, 15> kSpecialNumbers = {
    10, 11, 12, 15, 16, 22, 23, 24, 31, 32, 51, 52, 53, 63, 64};

int64_t Nearest(const Interval& domain, int64_t number) {
  return std::clamp(number, domain.lo, domain.hi);
}

}  // namespace

bool Labelling::Run(bool may_be_empty) {
  if (!plan_.is_feasible) return false;
  for (size_t tensor = 0; tensor < plan_.first_matrix; ++tensor) {
    const size_t shape = plan_.shape_of[tensor];
    const int64_t most =
        tensor < plan_.first_constant
            ? goal_.most_elements
            : std::min(goal_.most_elements, kMostConstantElements);
    if (!domains_.Narrow(domains_.Size(shape), {may_be_empty ? 0 : 1, most}))
      return false;
    if (tensor >= goal_.given.size() || !goal_.given[tensor]) continue;
    const Shape& given = *goal_.given[tensor];
    const auto rank = static_cast<int64_t>(given.size());
    if (!domains_.Narrow(domains_.Rank(shape), Interval::Point(rank)))
      return false;
    for (size_t d = 0; d < given.size(); ++d) {
      if (!domains_.Narrow(domains_.Dimension(shape, d),
                           Interval::Point(given[d])))
        return false;
    }
  }
  if (!domains_.Propagate()) return false;
  // What is chosen first may leave nothing for the others, which is found out
  // late or never, so a search that takes long begins again.
  for (const int steps : {32, 32, 32, 32, 32, 64, 128}) {
    const Domains::State mark = domains_.Mark();
    steps_left_ = steps;
    is_seed_placed_ = false;
    if (Step()) return true;
    if (steps_left_ >= 0) return false;
    domains_.Undo(mark);
    // The alternative is that of the beginning.
    if (!domains_.Propagate()) return false;
  }
  return false;
}

Shape Labelling::ShapeOf(size_t tensor) const {
  const size_t shape = plan_.shape_of[tensor];
  Shape sizes(static_cast<size_t>(domains_[domains_.Rank(shape)].lo));
  for (size_t d = 0; d < sizes.size(); ++d)
    sizes[d] = domains_[domains_.Dimension(shape, d)].lo;
  return sizes;
}

std::vector<int64_t> Labelling::VectorOf(size_t list) const {
  std::vector<int64_t> numbers(
      static_cast<size_t>(domains_[domains_.Length(list)].lo));
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = domains_.ElementOf(list, i).lo;
  return numbers;
}

bool Labelling::Step() {
  if (--steps_left_ < 0) return false;
  if (!is_seed_placed_) return PlaceSeed();
  const bool has_whole_alternative =
      domains_.alternative() &&
      std::ranges::any_of(plan_.constraints, [&](const Expression& truth) {
        return &truth == domains_.alternative()->truth;
      });
  if (has_whole_alternative) return DecideAlternative();
  if (const auto done = StepOfRanks()) return *done;
  if (const auto done = StepOfNumbers(/*given=*/false)) return *done;
  // An alternative for a dimension rests on numbers that say which it is.
  if (domains_.alternative()) return DecideAlternative();
  if (const auto done = StepOfDimensions()) return *done;
  if (const auto done = StepOfNumbers(/*given=*/true)) return *done;
  return domains_.IsSolved();
}

// Gives an open shape the seed, cut or extended to the ranks that it may have.
bool Labelling::PlaceSeed() {
  is_seed_placed_ = true;
  std::vector<size_t> open;
  for (size_t shape = 0; shape < plan_.shapes; ++shape) {
    if (!domains_[domains_.Rank(shape)].IsPoint()) open.push_back(shape);
  }
  if (open.empty()) return Step();
  const size_t shape =
      open.size() == 1
          ? open[0]
          : open[Below(Topic::kShape, static_cast<int64_t>(open.size()))];
  const int64_t rank = Nearest(domains_[domains_.Rank(shape)],
                               static_cast<int64_t>(goal_.seed.size()));
  const Domains::State mark = domains_.Mark();
  bool fits = domains_.Narrow(domains_.Rank(shape), Interval::Point(rank));
  for (size_t d = 0; fits && d < static_cast<size_t>(rank); ++d) {
    const Variable dimension = domains_.Dimension(shape, d);
    const int64_t size = d < goal_.seed.size() ? goal_.seed[d] : 1;
    fits = domains_.Narrow(dimension,
                           Interval::Point(Nearest(domains_[dimension], size)));
  }
  if (fits && domains_.Propagate() && Step()) return true;
  domains_.Undo(mark);
  return domains_.Propagate() && Step();
}

// The last of several alternatives is the general one, as texts write them. One
// that decides nothing yet is asked about again, so that special ones are more
// frequent than one in four.
bool Labelling::DecideAlternative() {
  const Domains::Alternative alternative = *domains_.alternative();
  const bool first = choices_.OneIn(Topic::kShape, 4);
  for (const bool is_first : {first, !first}) {
    const Domains::State mark = domains_.Mark();
    if (domains_.Choose(alternative, is_first) && domains_.Propagate() &&
        Step())
      return true;
    domains_.Undo(mark);
  }
  return false;
}

std::optional<bool> Labelling::StepOfRanks() {
  const auto seed_rank = static_cast<int64_t>(goal_.seed.size());
  for (size_t shape = 0; shape < plan_.shapes; ++shape) {
    const Interval domain = domains_[domains_.Rank(shape)];
    if (domain.IsPoint()) continue;
    return Label(domains_.Rank(shape), domain, [&](const Interval& ranks) {
      return Below(Topic::kShape, 2) == 0
                 ? Nearest(ranks, seed_rank)
                 : ranks.lo + Below(Topic::kShape, ranks.hi - ranks.lo + 1);
    });
  }
  for (size_t list = 0; list < plan_.vectors.size(); ++list) {
    const Interval domain = domains_[domains_.Length(list)];
    if (domain.IsPoint()) continue;
    return Label(domains_.Length(list), domain, [&](const Interval& lengths) {
      return lengths.lo +
             Below(Topic::kAttributes, lengths.hi - lengths.lo + 1);
    });
  }
  return std::nullopt;
}

std::optional<bool> Labelling::StepOfNumbers(bool given) {
  for (size_t number = 0; number < plan_.scalars.size(); ++number) {
    const Interval domain = domains_[domains_.Scalar(number)];
    if (plan_.scalars[number].is_given != given || domain.IsPoint()) continue;
    return Label(domains_.Scalar(number), domain,
                 [&](const Interval& of) { return DrawNumber(of, false); });
  }
  // The last of the lists that an equation gives is what the others leave.
  std::vector<size_t> open;
  for (size_t list = 0; list < plan_.vectors.size(); ++list) {
    if (plan_.vectors[list].is_given == given && OpenElement(list))
      open.push_back(list);
  }
  if (open.empty()) return std::nullopt;
  const size_t list =
      given && open.size() > 1
          ? open[Below(Topic::kAttributes, static_cast<int64_t>(open.size()))]
          : open[0];
  const size_t i = *OpenElement(list);
  const Interval domain = domains_.ElementOf(list, i);
  if (domain.IsEmpty()) return false;
  return Label(domains_.Element(list, i), domain, [&](const Interval& of) {
    return plan_.vectors[list].is_unique ? DrawUnique(list, i, of)
                                         : DrawNumber(of, true);
  });
}

std::optional<size_t> Labelling::OpenElement(size_t list) const {
  const auto length = static_cast<size_t>(domains_[domains_.Length(list)].lo);
  for (size_t i = 0; i < length; ++i) {
    if (!domains_.ElementOf(list, i).IsPoint()) return i;
  }
  return std::nullopt;
}

std::optional<bool> Labelling::StepOfDimensions() {
  for (size_t shape = 0; shape < plan_.shapes; ++shape) {
    const auto rank = static_cast<size_t>(domains_[domains_.Rank(shape)].lo);
    for (size_t d = 0; d < rank; ++d) {
      const Variable variable = domains_.Dimension(shape, d);
      if (domains_[variable].IsPoint()) continue;
      return Label(variable, domains_[variable], [&](const Interval& domain) {
        return DrawDimension(shape, d, domain);
      });
    }
  }
  return std::nullopt;
}

template <class Draw>
bool Labelling::Label(Variable variable, const Interval& domain, Draw draw) {
  const int64_t width = domain.hi - domain.lo + 1;
  const bool is_wide = width > kMostTried;
  int64_t value = draw(domain);
  for (int64_t tried = 0; tried < (is_wide ? kTriesOfWide : width); ++tried) {
    if (tried > 0)
      value =
          is_wide ? draw(domain) : domain.lo + (value - domain.lo + 1) % width;
    if (Try(variable, value)) return true;
    if (steps_left_ < 0) return false;
  }
  return false;
}

bool Labelling::Try(Variable variable, int64_t value) {
  const Domains::State mark = domains_.Mark();
  if (domains_.Narrow(variable, Interval::Point(value)) &&
      domains_.Propagate() && Step())
    return true;
  domains_.Undo(mark);
  return false;
}

int64_t Labelling::DrawNumber(const Interval& domain, bool is_element) {
  const auto below = [&](int64_t n) {
    return int64_t{Below(Topic::kAttributes, n)};
  };
  const auto among = [&](const Interval& numbers) {
    return numbers.lo + below(numbers.hi - numbers.lo + 1);
  };
  const int64_t nearest = Nearest(domain, 0);
  const auto near = [&](int64_t distance) {
    return among(
        Intersection(domain, {nearest - distance, nearest + distance}));
  };
  const uint32_t kind = Below(Topic::kAttributes, 8);
  if (kind < 2) return nearest;
  if (domain.hi - domain.lo <= kMostOfSize)
    return kind < 4 ? domain.hi : among(domain);
  // Elements are counts of elements, of which few are seen; a number may be a
  // width.
  const bool is_special = kind == 7 || (!is_element && kind > 4);
  if (is_special) {
    const int64_t special =
        kSpecialNumbers[static_cast<size_t>(below(kSpecialNumbers.size()))];
    if (kind == 5 && domain.hi < kInfinite) return domain.hi;
    if (!is_element || below(4) == 3) return Nearest(domain, special);
  }
  return near(kind < 5 ? kVeryNear : kNear);
}

// Without choices the elements ascend to the last number that they may be.
int64_t Labelling::DrawUnique(size_t list, size_t i, const Interval& domain) {
  const int64_t width = domain.hi - domain.lo + 1;
  if (width > 64) return DrawNumber(domain, true);
  const int64_t length = domains_[domains_.Length(list)].lo;
  const int64_t last = domain.hi - (length - 1 - static_cast<int64_t>(i));
  int64_t value =
      std::max(last, domain.lo) - domain.lo + Below(Topic::kAttributes, width);
  for (int64_t tried = 0; tried < width; ++tried, ++value) {
    const Interval number = Interval::Point(domain.lo + value % width);
    bool is_used = false;
    for (size_t k = 0; k < static_cast<size_t>(length); ++k)
      is_used |= k != i && domains_.ElementOf(list, k) == number;
    if (!is_used) return number.lo;
  }
  return domain.lo;
}

int64_t Labelling::DrawDimension(size_t shape, size_t d,
                                 const Interval& domain) {
  const Interval size = domains_[domains_.Size(shape)];
  if (size.IsPoint() && size.lo > 0) return DrawDivisor(shape, domain);
  const auto rank = static_cast<size_t>(domains_[domains_.Rank(shape)].lo);
  // Dimensions of tensors correspond from the last one on, or from the first.
  const Shape& seed = goal_.seed;
  const int64_t of_seed =
      d + seed.size() < rank ? 1 : seed[d + seed.size() - rank];
  const auto up_to = [&](int64_t most) {
    const int64_t width =
        std::min(domain.hi, std::max(most, domain.lo)) - domain.lo + 1;
    return domain.lo + Below(Topic::kShape, width);
  };
  switch (choices_.Below(Topic::kShape, 8)) {
    case 0:
    case 1:
    case 2:
      return Nearest(domain, of_seed);
    case 3:
      return Nearest(domain, d < seed.size() ? seed[d] : 1);
    case 4:
      return Nearest(domain, 1);
    case 5:
      return domain.lo;
    case 6:
      return up_to(2 * of_seed + 3);
    default:
      return up_to(kNear);
  }
}

// Returns a divisor of what the dimensions that are known leave of the number
// of elements.
int64_t Labelling::DrawDivisor(size_t shape, const Interval& domain) {
  int64_t left = domains_[domains_.Size(shape)].lo;
  const auto rank = static_cast<size_t>(domains_[domains_.Rank(shape)].lo);
  for (size_t d = 0; d < rank; ++d) {
    const Interval size = domains_[domains_.Dimension(shape, d)];
    if (size.IsPoint() && size.lo > 0) left /= size.lo;
  }
  std::vector<int64_t> divisors;
  for (int64_t n = 1; n * n <= left; ++n) {
    if (left % n != 0) continue;
    for (const int64_t divisor : {n, left / n}) {
      if (domain.Contains(divisor)) divisors.push_back(divisor);
    }
  }
  if (divisors.empty()) return domain.lo;
  return choices_.Of(Topic::kShape, divisors);
}

}  // namespace assay
