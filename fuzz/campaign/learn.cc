#include "fuzz/campaign/learn.h"

#include <algorithm>
#include <array>
#include <deque>
#include <set>
#include <utility>

#include "cases/run/runner.h"
#include "spec/error.h"

namespace assay {
namespace {

// A kind that is declined in both shapes is declined.
const Shape kFlat = {16}, kSmall = {2, 3};
// For a pointwise op, these pairs of types are tried one by one.
constexpr std::array kMixed = {
    ElementType::kI8,   ElementType::kUi8, ElementType::kI16,
    ElementType::kI32,  ElementType::kI64, ElementType::kF16,
    ElementType::kBF16, ElementType::kF32, ElementType::kF64};

struct Question {
  CallKind kind;
  std::vector<ElementType> operands;
  LayoutClass layout = LayoutClass::kRowMajor;
  bool of_results = false;
  bool is_answered = false, is_declined = false;
};

// Returns a layout of that class for a tensor of shape kSmall.
Layout LayoutOf(LayoutClass layout) {
  switch (layout) {
    case LayoutClass::kRowMajor:
      break;
    case LayoutClass::kOffset:
      return {{3, 1}, 1};
    case LayoutClass::kNegativeStride:
      return {{-3, -1}, 5};
    case LayoutClass::kZeroStride:
      return {{0, 1}, 0};
    case LayoutClass::kGaps:
      return {{6, 2}, 0};
    case LayoutClass::kTransposed:
      return {{1, 2}, 0};
  }
  return Layout::RowMajor(kSmall);
}

class Learner {
 public:
  Learner(Executor* executor, Generator* generator, const LearnOptions& options)
      : runner_(executor, *options.policy),
        generator_(*generator),
        options_(options),
        declined_(generator) {}

  Declined Learn() {
    std::vector<Question> kinds;
    for (const CallKind& kind : generator_.kinds()) AddTypes(kind, &kinds);
    AskInBoth(&kinds);
    Take(kinds);
    std::vector<Question> mixed;
    for (const Question& kind : kinds) AddMixed(kind, &mixed);
    AskInBoth(&mixed);
    Take(mixed);
    LearnLayouts(kinds);
    if (dead_.size() >= kMostDeadOps) return Declined(&generator_);
    for (const OpEntry* entry : dead_) declined_.Forget(*entry);
    declined_.Prepare();
    return std::move(declined_);
  }

 private:
  static void AddTypes(const CallKind& kind, std::vector<Question>* questions) {
    if (kind.signature != nullptr) {
      questions->push_back({kind, kind.signature->operands});
      return;
    }
    for (const ElementTypeInfo& info : ElementTypes())
      questions->push_back({kind, OperandsOfType(kind, info.type)});
  }

  static std::vector<ElementType> OperandsOfType(const CallKind& kind,
                                                 ElementType type) {
    std::vector<ElementType> operands;
    for (const InputSpec* operand : kind.entry->operands)
      operands.push_back(operand->is_predicate ? ElementType::kI1 : type);
    return operands;
  }

  // Adds questions with another type beside one that is not declined.
  static void AddMixed(const Question& question,
                       std::vector<Question>* questions) {
    const std::vector<ElementType>& operands = question.operands;
    if (question.kind.signature != nullptr || !question.is_answered ||
        question.is_declined || operands.size() != 2 ||
        operands[0] != operands[1] ||
        std::ranges::find(kMixed, operands[0]) == kMixed.end())
      return;
    for (const ElementType other : kMixed) {
      if (other == operands[0]) continue;
      questions->push_back({question.kind, {operands[0], other}});
      questions->push_back({question.kind, {other, operands[0]}});
    }
  }

  void AskInBoth(std::vector<Question>* questions) {
    std::vector<Question*> open;
    for (Question& question : *questions) open.push_back(&question);
    Ask(open, kFlat);
    std::erase_if(open, [](const Question* q) { return !q->is_declined; });
    Ask(open, kSmall);
  }

  void Ask(const std::vector<Question*>& questions, const Shape& shape) {
    std::deque<std::pair<Question*, Case>> asked;
    auto next = questions.begin();
    runner_.Run(
        [&](int64_t* number) -> const Case* {
          for (; next != questions.end(); ++next) {
            if (dead_.contains((*next)->kind.entry)) continue;
            if (dead_.size() >= kMostDeadOps) break;
            std::optional<Case> c = CaseOf(**next, shape);
            if (!c) continue;
            *number = static_cast<int64_t>(asked.size());
            asked.emplace_back(*next++, std::move(*c));
            return &asked.back().second;
          }
          return nullptr;
        },
        [&](int64_t number, const Verdict& verdict) {
          Question& question = *asked[static_cast<size_t>(number)].first;
          question.is_answered = true;
          question.is_declined = verdict.outcome == Outcome::kUnsupported;
          if (EndsProcess(verdict.outcome)) dead_.insert(question.kind.entry);
          options_.on_answer();
        },
        options_.stop);
  }

  std::optional<Case> CaseOf(const Question& question, const Shape& shape) {
    std::optional<Case> c =
        generator_.Ordinary(question.kind, question.operands, shape);
    if (!c) return std::nullopt;
    c->name = c->op + "/ordinary";
    c->runs_twice = false;
    if (question.layout == LayoutClass::kRowMajor) return c;
    const Layout layout = LayoutOf(question.layout);
    if (question.of_results) {
      for (const Op::Result& result : c->UnderTest().outputs) {
        if (result.type.tensor().shape != kSmall) return std::nullopt;
        c->output_layouts[result.value] = layout;
      }
    } else {
      for (CaseInput& input : c->inputs) {
        if (input.data.type.shape != kSmall) return std::nullopt;
        input.layout = layout;
      }
    }
    return c;
  }

  void Take(const std::vector<Question>& questions) {
    for (const Question& question : questions) {
      if (question.is_answered)
        declined_.Learn(question.kind, question.operands, question.is_declined);
    }
  }

  // Each op is called with its first kind that is not declined in this shape.
  void LearnLayouts(const std::vector<Question>& kinds) {
    std::vector<Question> bases;
    for (const Question& kind : kinds) {
      const bool is_first =
          bases.empty() || bases.back().kind.entry != kind.kind.entry;
      if (kind.is_answered && !kind.is_declined && is_first)
        bases.push_back({kind.kind, kind.operands});
    }
    std::vector<Question*> open;
    for (Question& base : bases) open.push_back(&base);
    Ask(open, kSmall);
    std::vector<Question> layouts;
    for (const Question& base : bases) {
      if (!base.is_answered || base.is_declined) continue;
      using enum LayoutClass;
      for (const LayoutClass layout :
           {kOffset, kNegativeStride, kZeroStride, kGaps, kTransposed}) {
        layouts.push_back({base.kind, base.operands, layout, false});
        if (layout != kZeroStride)
          layouts.push_back({base.kind, base.operands, layout, true});
      }
    }
    open.clear();
    for (Question& layout : layouts) open.push_back(&layout);
    Ask(open, kSmall);
    for (const Question& layout : layouts) {
      if (layout.is_answered && layout.is_declined)
        declined_.LearnLayout(*layout.kind.entry, layout.layout,
                              layout.of_results);
    }
  }

  Runner runner_;
  Generator& generator_;
  const LearnOptions& options_;
  Declined declined_;
  std::set<const OpEntry*> dead_;  // whose calls ended a process
};

}  // namespace

Declined LearnDeclined(Executor* executor, Generator* generator,
                       const LearnOptions& options) {
  try {
    return Learner(executor, generator, options).Learn();
  } catch (const BackendError&) {
    // The campaign meets the same error, and reports it.
    return Declined(generator);
  }
}

}  // namespace assay
