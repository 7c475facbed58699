// Cases are made of kinds of walks here.
#include "cases/variants/walks.h"

#include <fmt/format.h>

#include <algorithm>

#include "cases/read/mlir_cases.h"
#include "cases/variants/telling.h"
#include "spec/digest.h"
#include "spec/error.h"

namespace assay {
namespace {

// So many places have elements that are drawn; the rest repeat them. The number
// is a prime, so that a mistake by a power of two does not end at an equal
// element.
constexpr uint64_t kPeriod = 4093;
constexpr uint64_t kMostAttempts = 64;

// Returns the layout with these strides and its lowest element at `offset`.
Layout LayoutOf(const Shape& shape, const Strides& strides, int64_t offset) {
  Layout layout{strides, offset};
  for (size_t d = 0; d < shape.size(); ++d) {
    if (strides[d] < 0 && shape[d] > 1)
      layout.offset -= strides[d] * (shape[d] - 1);
  }
  return layout;
}

std::string TypeText(const Op& op) {
  ElementType type = op.inputs[0].type.tensor().element_type;
  for (const Op::Operand& operand : op.inputs) {
    if (IsBoolean(type)) type = operand.type.tensor().element_type;
  }
  std::string text = Name(type);  // complex<f32> as complex_f32
  std::erase(text, '>');
  std::ranges::replace(text, '<', '_');
  return text;
}

// A KindOfOp makes the cases of one kind for one op.
class KindOfOp {
 public:
  KindOfOp(const WalkKind& kind, size_t number, const WalkCalls& calls,
           const std::string& file, const ReadOptions& options,
           std::vector<Case>* cases)
      : kind_(kind),
        number_(number),
        calls_(calls),
        file_(file),
        options_(options),
        cases_(cases) {}

  // Adds the cases. Returns why the op has none, or nullptr if it has.
  const WalkGap* Add() {
    const size_t operands = calls_.entry().operands.size();
    if (operands < kind_.least_operands) return &kTooFewOperands;
    const size_t before = cases_->size();
    const WalkGap* gap = nullptr;
    const bool takes_turns = kind_.lies == WalkKind::Lies::kOperand ||
                             kind_.lies == WalkKind::Lies::kInPlace;
    for (size_t k = 0; k < (takes_turns ? operands : 1); ++k) {
      if (kind_.operand_shape &&
          !calls_.Broadcasts(*kind_.operand_shape, kind_.shape, k)) {
        gap = &kNoSuchShapes;
      } else if (!AddCase(k, takes_turns)) {
        const bool has_types = kind_.lies == WalkKind::Lies::kInPlace
                                   ? calls_.HasInPlace(k)
                                   : calls_.HasSubByte();
        gap = has_types ? &kOneResult : &kNoSuchTypes;
      }
    }
    return cases_->size() > before ? nullptr : gap;
  }

 private:
  // Returns false if the op has no types for the case.
  bool AddCase(size_t k, bool takes_turns) {
    const size_t number = number_ + 7 * k;
    const Signature* signature =
        kind_.lies == WalkKind::Lies::kInPlace
            ? calls_.ChooseInPlace(k, number)
            : calls_.Choose(kind_.types, number, *ElementCount(kind_.shape));
    if (signature == nullptr) return false;
    const OpEntry& entry = calls_.entry();
    std::vector<Shape> shapes(entry.operands.size(), kind_.shape);
    if (kind_.operand_shape) shapes[k] = *kind_.operand_shape;
    Case c;
    Op op = calls_.Call(*signature, shapes, kind_.shape);
    if (kind_.lies == WalkKind::Lies::kInPlace) PutInPlace(k, &op, &c);
    c.op = op.op;
    c.walk = kind_.name;
    c.file = file_;
    c.where = kind_.where;
    c.name = fmt::format("{}/walk_{}", op.op, kind_.name);
    if (takes_turns && entry.operands.size() > 1)
      c.name += "_" + entry.operands[k]->name;
    c.name += "_" + TypeText(op);
    if (kind_.lies == WalkKind::Lies::kResult) {
      for (const Op::Result& result : op.outputs)
        c.output_layouts[result.value] =
            LayoutOf(kind_.shape, kind_.strides[0], kind_.offset);
    }
    for (uint64_t attempt = 0; attempt < kMostAttempts; ++attempt) {
      PlaceOperands(op, k, attempt, &c);
      RequireMemory(op, c);
      if (!kind_.shows_last || ShowsLast(*signature, c, takes_turns, k)) break;
    }
    Function& main = c.program.functions.emplace_back();
    main.name = "main";
    for (const Op::Operand& operand : op.inputs)
      main.inputs.push_back({operand.value, operand.type});
    for (const Op::Result& result : op.outputs)
      main.results.push_back({result.value, result.type});
    main.body.push_back(std::move(op));
    cases_->push_back(std::move(c));
    return true;
  }

  // Puts the result in the memory of operand `k`.
  static void PutInPlace(size_t k, Op* op, Case* c) {
    op->outputs[0].in_place = k;
    c->alias[op->outputs[0].value] = op->inputs[k].value;
  }

  // Returns whether the last element of the result changes if operand `k`, or
  // all of them, have the element before it along the first dimension.
  bool ShowsLast(const Signature& signature, const Case& c, bool takes_turns,
                 size_t k) const {
    std::vector<Tensor> pairs;
    std::vector<bool> is_moved;
    for (size_t i = 0; i < c.inputs.size(); ++i) {
      const Tensor tensor = c.inputs[i].data.Materialise();
      const int64_t last = tensor.size() - 1;
      const int64_t before = last - tensor.size() / tensor.type().shape[0];
      Tensor& pair = pairs.emplace_back(TensorType{{2}, tensor.element_type()});
      pair.SetBits(0, tensor.Bits(last));
      pair.SetBits(1, tensor.Bits(before));
      is_moved.push_back(!takes_turns || i == k);
    }
    const Op trial =
        calls_.Call(signature, std::vector<Shape>(pairs.size(), Shape{2}), {2});
    return TellsFirst(trial, pairs, is_moved);
  }

  void PlaceOperands(const Op& op, size_t k, uint64_t attempt, Case* c) const {
    c->inputs.clear();
    for (size_t i = 0; i < op.inputs.size(); ++i) {
      const TensorType& type = op.inputs[i].type;
      Layout layout = Layout::RowMajor(type.shape);
      const bool lies_otherwise =
          !kind_.strides.empty() &&
          (kind_.lies == WalkKind::Lies::kOperands ||
           (kind_.lies != WalkKind::Lies::kResult && i == k));
      if (lies_otherwise)
        layout = LayoutOf(type.shape, kind_.strides[i % kind_.strides.size()],
                          kind_.offset);
      DrawRandom draw{SeedOf(c->name, i) + (attempt << 48),
                      DrawRandom::Profile::kOrdinary};
      if (lies_otherwise) draw.place = layout;
      draw.period = kPeriod;
      c->inputs.push_back({{type, std::move(draw)}, std::move(layout)});
    }
  }

  static uint64_t SeedOf(const std::string& name, size_t operand) {
    return std::stoull(Sha256(name).substr(0, 12), nullptr, 16) + operand;
  }

  void RequireMemory(const Op& op, const Case& c) const {
    __int128 bytes = 0;
    const auto add = [&](const TensorType& type, const Layout& layout) {
      const auto extent = layout.ExtentOf(type.shape);
      bytes += (extent ? __int128{layout.offset} + extent->above + 1
                       : __int128{INT64_MAX}) *
               Info(type.element_type).bytes;
    };
    for (size_t i = 0; i < op.inputs.size(); ++i)
      add(op.inputs[i].type, c.inputs[i].layout);
    for (const Op::Result& result : op.outputs) {
      const auto layout = c.output_layouts.find(result.value);
      add(result.type, layout == c.output_layouts.end()
                           ? Layout::RowMajor(result.type.tensor().shape)
                           : layout->second);
    }
    if (bytes > options_.memory_limit)
      throw InputError(
          kind_.where,
          fmt::format("the tensors of {} take more than --memory allows",
                      c.name));
  }

  const WalkKind& kind_;
  size_t number_;  // of the kind
  const WalkCalls& calls_;
  const std::string& file_;
  const ReadOptions& options_;
  std::vector<Case>* cases_;
};

}  // namespace

Walks MakeWalks(const std::string& file, const Json& json,
                const ReadOptions& options) {
  const std::vector<WalkKind> kinds = ParseWalkKinds(file, json);
  Walks walks;
  const auto is_wanted = [&](const OpSpec& spec) {
    return options.ops.empty() || options.ops.contains(spec.id);
  };
  std::vector<OpEntry> table = MakeOpTable(
      [&](const OpSpec& spec) { return is_wanted(spec) && CanBeWalked(spec); });
  for (const OpSpec& spec : Ops()) {
    const bool is_walked =
        std::ranges::find(table, &spec, &OpEntry::spec) != table.end();
    if (!spec.executable || is_walked || !is_wanted(spec)) continue;
    for (const WalkKind& kind : kinds)
      walks.gaps[kind.name][spec.id] = &kNotWalked;
  }
  for (OpEntry& entry : table) {
    const WalkCalls calls(std::move(entry));
    const std::string& op = calls.entry().spec->id;
    for (size_t i = 0; i < kinds.size(); ++i) {
      if (static_cast<int64_t>(walks.cases.size()) > kMostCases)
        throw InputError(kinds[i].where,
                         fmt::format("up to here the walks of the file are "
                                     "more than {} cases",
                                     kMostCases));
      const WalkGap* gap =
          KindOfOp(kinds[i], i, calls, file, options, &walks.cases).Add();
      if (gap != nullptr) walks.gaps[kinds[i].name][op] = gap;
    }
  }
  return walks;
}

WalkGaps GapsOfWalks(const std::vector<std::string>& paths) {
  WalkGaps gaps;
  for (const std::string& file : JsonFilesUnder(paths)) {
    if (IsMlir(file)) continue;  // that is named itself
    const Json json = ReadJsonFile(file);
    if (HasWalks(json)) gaps.merge(MakeWalks(file, json, {}).gaps);
  }
  return gaps;
}

}  // namespace assay
