// Each window selects one of its elements, by its place: elements of one value
// are told apart. Where trees of reduce select different elements, a source
// value is scattered to any one of these, and each of them is judged with it
// and without it.
#include <algorithm>
#include <map>
#include <vector>

#include "oracle/reduction/converted.h"
#include "oracle/reduction/reduced_rows.h"
#include "oracle/reduction/sliding_windows.h"

namespace assay {
namespace {

// So many elements of windows, or source values, are reduced at a time.
constexpr int64_t kElementsAtATime = 1 << 18;
// More elements of one window are not looked at.
constexpr int64_t kMostElementsOfAWindow = 1 << 22;
// An element that more windows than these may or may not select is undecided.
constexpr size_t kMostDoubtful = 4;

// A reason beside those of Reduction: trees select different elements.
constexpr uint8_t kSelection = 128;

constexpr WindowClauses kClausesOfSelection = {"S2", "S2", "S3"};

using Numbers = std::vector<int64_t>;

SlidingWindows WindowsOfSelection(const Op& op) {
  return SlidingWindows(op, op.inputs[0].type.tensor().shape,
                        op.inputs[1].type.tensor().shape, false);
}

// Returns the body of the text, as a function of pairs: a value of the operand,
// and its place. No value of a program has a name with '[' in it.
Function SelectingBody(const Function& select) {
  const ValueType value = select.inputs[0].type;
  TensorType place_type = value.tensor();
  place_type.element_type = ElementType::kI64;
  const ValueType place = place_type;
  const TypedName &a = select.inputs[0], &b = select.inputs[1];
  const TypedName place_of_a = {"[place of a]", place},
                  place_of_b = {"[place of b]", place};
  Function body = {select.name,
                   {a, place_of_a, b, place_of_b},
                   select.body,
                   {{"[value]", value}, {"[place]", place}}};
  const TypedName& predicate = select.results[0];
  const std::pair<const TypedName&, const TypedName&> choices[] = {
      {a, b}, {place_of_a, place_of_b}};
  for (size_t k = 0; k < body.results.size(); ++k) {
    const auto& [on_true, on_false] = choices[k];
    Op choose;
    choose.op = "select";
    choose.inputs = {{"pred", predicate.name, predicate.type},
                     {"on_true", on_true.name, on_true.type},
                     {"on_false", on_false.name, on_false.type}};
    choose.outputs = {{"result", body.results[k].name, body.results[k].type}};
    body.body.push_back(std::move(choose));
  }
  return body;
}

class SelectingScatterer {
 public:
  explicit SelectingScatterer(const OpCall& op)
      : op_(op),
        windows_(WindowsOfSelection(op.op)),
        operand_(op.inputs[0]),
        source_(op.inputs[1]),
        init_value_(op.inputs[2]),
        selecting_body_(SelectingBody(op.op.Regions("select")[0])),
        selector_(selecting_body_, op),
        scatter_(op.op.Regions("scatter")[0]),
        scatterer_(scatter_, op),
        type_(op.ResultType().element_type),
        accepts_any_(op.policy.Get("empty_selection_window") == "any") {}

  Evaluation Scattered() {
    Evaluation evaluation;
    ReducedRows reduced(op_, &evaluation);
    evaluation_ = &evaluation;
    begin_ = op_.Begin();
    end_ = op_.End(evaluation.outputs[0].lo.size());
    WithMarks(op_, &evaluation, [&](auto& clause) {
      if (operand_.size() > 0) SelectAll(clause);
      const Reduction results = Results(clause);
      reduced.Take(
          begin_, results,
          [&]<class T>(uint8_t reasons, T value, bool is_known) -> Allowed<T> {
            return Decide(clause, reasons, value, is_known);
          });
    });
    std::vector<OpMarks> marks = scatterer_.marks();
    for (const OpMarks& of : selector_.marks()) AddMarks(of, &marks);
    reduced.Finish(marks);
    return evaluation;
  }

 private:
  // A window that selects an element, or may do so.
  struct Hit {
    int64_t element, window;
    bool is_doubtful, is_decided;
    friend bool operator<(const Hit& a, const Hit& b) {
      return std::pair(a.element, a.window) < std::pair(b.element, b.window);
    }
  };
  // The elements of windows that have so many of them.
  struct Windows {
    Numbers windows, places;
  };
  // The source values that go to elements: so many to each.
  struct Rows {
    Numbers slots;    // of elements, by row
    Numbers sources;  // row after row
  };

  // Returns elements of a tensor, as a column.
  template <class F>
  static Scalars Gathered(const Tensor& from, const Numbers& places,
                          F position) {
    return VisitElementType(from.element_type(), [&]<class T>() {
      Tensor values(TensorType({std::ssize(places)}, from.element_type()));
      auto* out = values.As<T>();
      for (const int64_t place : places)
        *out++ = from.As<T>()[std::clamp<int64_t>(position(place), 0,
                                                  from.size() - 1)];
      return Scalars(std::move(values));
    });
  }

  Scalars InTypeOfScatter(Scalars column, size_t argument) {
    return Converted(std::move(column),
                     scatter_.inputs[argument].type.tensor().element_type, op_,
                     &evaluation_->region_marks);
  }

  template <class Clause>
  void SelectAll(Clause& clause) {
    if (windows_.Length().value_or(kMostElementsOfAWindow + 1) >
        kMostElementsOfAWindow) {
      is_too_large_ = source_.size() > 0;
      return;
    }
    std::map<int64_t, Windows> by_length;
    int64_t waiting = 0;
    const auto select = [&] {
      for (const auto& [length, windows] : by_length)
        Select(clause, length, windows);
      by_length.clear();
      waiting = 0;
    };
    for (int64_t window = 0; window < source_.size(); ++window) {
      Numbers places;
      windows_.ForEachPlace(
          kClausesOfSelection, clause, window, [&](int64_t place) {
            const bool is_padding = place == SlidingWindows::kPadding;
            // A clause that is broken on purpose may have padding selected.
            if (!clause("S5", is_padding))
              places.push_back(std::max<int64_t>(place, 0));
          });
      if (places.empty()) {
        has_empty_window_ = true;
        continue;
      }
      Windows& windows = by_length[std::ssize(places)];
      windows.windows.push_back(window);
      windows.places.insert(windows.places.end(), places.begin(), places.end());
      waiting += std::ssize(places);
      if (waiting >= kElementsAtATime) select();
    }
    select();
    std::ranges::sort(hits_, std::less<>());
  }

  // Selects an element of each of some windows that have `length` of them.
  template <class Clause>
  void Select(Clause& clause, int64_t length, const Windows& windows) {
    const Scalars values =
        Gathered(operand_, windows.places,
                 [&](int64_t place) { return clause("S1", place); });
    Tensor places(TensorType({std::ssize(windows.places)}, ElementType::kI64));
    for (size_t i = 0; i < windows.places.size(); ++i)
      places.SetBits(static_cast<int64_t>(i),
                     static_cast<ElementBits>(windows.places[i]));
    const Reduction selected =
        selector_.Reduce({values, Scalars(std::move(places))},
                         std::ssize(windows.windows), length, {});
    const auto hit = [&](int64_t place, int64_t window, bool is_doubtful,
                         bool is_decided) {
      const int64_t element =
          std::min(clause("S10", place), operand_.size() - 1);
      if (begin_ <= element && element < end_)
        hits_.push_back({element,
                         std::min(clause("S11", window), source_.size() - 1),
                         is_doubtful, is_decided});
    };
    for (size_t row = 0; row < windows.windows.size(); ++row) {
      const int64_t window = windows.windows[row];
      const Possible possible =
          selected.results[1].At(static_cast<int64_t>(row));
      if (possible.kind == Possible::Kind::kRanges && possible.IsFinite()) {
        const bool is_doubtful = possible.ranges.size() > 1;
        for (const Possible::Range& range : possible.ranges) {
          const auto place = static_cast<int64_t>(range.lo);
          hit(length > 1 ? clause("S4", place) : place, window, is_doubtful,
              true);
        }
        continue;
      }
      for (int64_t i = 0; i < length; ++i)
        hit(windows.places[row * static_cast<size_t>(length) +
                           static_cast<size_t>(i)],
            window, true, false);
    }
  }

  // Returns what the elements become by the source values.
  template <class Clause>
  Reduction Results(Clause& clause) {
    inits_ = {InTypeOfScatter(
        Scalars::Repeated(init_value_.element_type(),
                          Possible::Value(init_value_.Bits(0)), 1),
        1)};
    const int64_t size = end_ - begin_;
    // Most elements have no source values.
    const Scalars none(Tensor(TensorType({0}, type_)));
    const Reduction of_none = scatterer_.Reduce({none}, 1, 0, inits_);
    const Possible without =
        is_too_large_ ? Possible::Undecided() : of_none.results[0].At(0);
    Reduction results;
    results.results = {Scalars::Repeated(type_, without, size)};
    results.reasons.resize(static_cast<size_t>(size), of_none.reasons[0]);
    std::map<int64_t, Possible> doubtful;
    std::map<int64_t, Rows> by_length;
    for (auto hit = hits_.begin(); hit != hits_.end();) {
      const auto end = std::find_if(hit, hits_.end(), [&](const Hit& other) {
        return other.element != hit->element;
      });
      AddRows(hit, end, of_none, &doubtful, &by_length, &results);
      hit = end;
    }
    for (const auto& [length, rows] : by_length)
      Reduce(clause, length, rows, &doubtful, &results);
    for (const auto& [slot, possible] : doubtful)
      results.results[0].Set(slot, possible);
    return results;
  }

  // Adds a row for each of the sources that an element may have.
  void AddRows(std::vector<Hit>::const_iterator hit,
               std::vector<Hit>::const_iterator end, const Reduction& of_none,
               std::map<int64_t, Possible>* doubtful,
               std::map<int64_t, Rows>* by_length, Reduction* results) const {
    const int64_t slot = hit->element - begin_;
    size_t doubts = 0;
    bool is_decided = true;
    for (auto of = hit; of != end; ++of) {
      doubts += of->is_doubtful;
      is_decided &= of->is_decided;
    }
    uint8_t& reasons = results->reasons[static_cast<size_t>(slot)];
    reasons = doubts > 0 ? kSelection : 0;
    if (!is_decided || doubts > kMostDoubtful) {
      results->results[0].Set(slot, Possible::Undecided());
      return;
    }
    for (size_t taken = 0; taken < size_t{1} << doubts; ++taken) {
      Numbers sources;
      size_t doubt = 0;
      for (auto of = hit; of != end; ++of) {
        if (!of->is_doubtful || (taken >> doubt++ & 1) != 0)
          sources.push_back(of->window);
      }
      if (sources.empty()) {
        reasons |= of_none.reasons[0];
        (*doubtful)[slot].Add(type_, of_none.results[0].At(0));
        continue;
      }
      if (doubts > 0) (*doubtful)[slot];
      Rows& rows = (*by_length)[std::ssize(sources)];
      rows.slots.push_back(slot);
      rows.sources.insert(rows.sources.end(), sources.begin(), sources.end());
    }
  }

  template <class Clause>
  void Reduce(Clause& clause, int64_t length, const Rows& rows,
              std::map<int64_t, Possible>* doubtful, Reduction* results) {
    const int64_t rows_at_a_time =
        std::max<int64_t>(kElementsAtATime / length, 1);
    for (int64_t begin = 0; begin < std::ssize(rows.slots);
         begin += rows_at_a_time) {
      const int64_t few =
          std::min(rows_at_a_time, std::ssize(rows.slots) - begin);
      const Numbers sources(rows.sources.begin() + begin * length,
                            rows.sources.begin() + (begin + few) * length);
      const Scalars terms = InTypeOfScatter(
          Gathered(source_, sources,
                   [&](int64_t source) { return clause("S9", source); }),
          0);
      const Reduction reduction =
          scatterer_.Reduce({terms}, few, length, inits_);
      for (int64_t row = 0; row < few; ++row) {
        const int64_t slot = rows.slots[static_cast<size_t>(begin + row)];
        results->reasons[static_cast<size_t>(slot)] |=
            reduction.reasons[static_cast<size_t>(row)];
        const Possible possible = reduction.results[0].At(row);
        const auto of = doubtful->find(slot);
        if (of == doubtful->end()) {
          results->results[0].Set(slot, possible);
        } else {
          of->second.Add(type_, possible);
        }
      }
    }
  }

  template <class T, class Clause>
  Allowed<T> Decide(Clause& clause, uint8_t reasons, T value,
                    bool is_known) const {
    value = clause("S8", value);
    if (reasons & kSelection) value = clause("S6", value);
    if (reasons & Reduction::kOrder) value = clause("S12", value);
    if (reasons & Reduction::kInit) value = clause("S13", value);
    if (reasons & Reduction::kType) value = clause("S15", value);
    if (is_known && IsNan(value)) value = clause("S14", value);
    if (!has_empty_window_) return value;
    return clause("S7", accepts_any_ ? Allowed<T>(kAny) : Allowed<T>(value));
  }

  const OpCall& op_;
  const SlidingWindows windows_;
  const Tensor &operand_, &source_, &init_value_;
  const Function selecting_body_;
  Reducer selector_;
  const Function& scatter_;
  Reducer scatterer_;
  const ElementType type_;
  const bool accepts_any_;
  Evaluation* evaluation_ = nullptr;
  int64_t begin_ = 0, end_ = 0;  // the elements that are evaluated
  std::vector<Hit> hits_;
  std::vector<Scalars> inits_;
  bool has_empty_window_ = false, is_too_large_ = false;
};

}  // namespace

Evaluation SelectAndScatter(const OpCall& op) {
  return SelectingScatterer(op).Scattered();
}

// An element rests on the windows that it is in: on their elements, which
// decide whether it is selected, and on their source values.
Sources SelectAndScatterSources(const OpCall& op, size_t, int64_t index) {
  const SlidingWindows windows = WindowsOfSelection(op.op);
  const int64_t count = *ElementCount(op.op.inputs[1].type.tensor().shape);
  NoMarks clause;
  Numbers elements, sources;
  for (int64_t window = 0; window < count; ++window) {
    Numbers places;
    windows.ForEachPlace(kClausesOfSelection, clause, window,
                         [&](int64_t place) {
                           if (place != SlidingWindows::kPadding)
                             places.push_back(place);
                         });
    if (std::ranges::find(places, index) == places.end()) continue;
    elements.insert(elements.end(), places.begin(), places.end());
    sources.push_back(window);
  }
  std::ranges::sort(elements);
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  Sources all;
  for (const int64_t element : elements) all.push_back({0, element});
  for (const int64_t source : sources) all.push_back({1, source});
  all.push_back({2, 0});
  return all;
}

}  // namespace assay
