// The skeleton of ops that add products of two operands: each element of the
// result is the sum of the products of a row of lhs and a row of rhs.
//
//   class Places {
//    public:
//     explicit Places(const OpCall& op);
//     ContractionPrecision precision() const;
//     int64_t length() const;   // of the rows
//     int64_t columns() const;  // rows of rhs in a batch
//     // The rows of an element of the result.
//     Cell CellOf(auto& clause, int64_t index) const;
//     // The position of element i of a row, or kZero for a 0 that is none of
//     // the operand's.
//     int64_t Lhs(auto& clause, int64_t batch, int64_t row, int64_t i) const;
//     int64_t Rhs(auto& clause, int64_t batch, int64_t column, int64_t i)
//     const;
//     // Marks the clauses that decide a sum.
//     // Returns whether nothing is said of the result.
//     bool IsUndefined() const;
//     // Returns the 0 that stands at kZero, if a clause says so.
//     template <class T>
//     T Zero(auto& clause) const;
//     template <class T>
//     T Decide(auto& clause, T sum, bool is_exact) const;
//   };
#ifndef ASSAY_ORACLE_CONTRACTION_CONTRACTION_H_
#define ASSAY_ORACLE_CONTRACTION_CONTRACTION_H_

#include <algorithm>
#include <compare>
#include <cstring>
#include <utility>
#include <vector>

#include "oracle/contraction/contraction_rules.h"
#include "oracle/contraction/row_products.h"
#include "oracle/elementwise/elementwise.h"

namespace assay {

struct Cell {
  int64_t batch, row, column;
  friend auto operator<=>(const Cell&, const Cell&) = default;
};

constexpr int64_t kZero = -1;

// The elements of a result that are computed from the same columns, row after
// row.
struct CellAt {
  int64_t block;  // of columns
  Cell cell;
  int64_t index;
};

// What sums may be, as they are found in any order of the elements.
class SumResults {
 public:
  explicit SumResults(Expectation* result) : result_(*result) {}

  // Sets what an element may be; `value` is the lower end as the clauses have
  // it, beside which there is nothing if it is another one.
  void Set(int64_t i, ElementBits value, const RowSum& row);
  // Returns how many elements are undecided.
  int64_t Finish();

 private:
  Expectation& result_;
  std::vector<std::pair<int64_t, ElementBits>> upper_ends_;
  std::vector<std::pair<int64_t, Possible>> several_;
  Tensor other_reading_;
};

template <class Places>
Evaluation Contract(const OpCall& op) {
  const Places places(op);
  const ContractionRules rules(op, places.precision());
  const int64_t length = places.length(), columns = places.columns();
  // So many columns are there at a time.
  const int64_t block = std::clamp<int64_t>(
      RowProducts::kFactorsAtATime / std::max<int64_t>(length, 1), 1,
      std::max<int64_t>(columns, 1));
  Evaluation evaluation;
  Expectation& result = evaluation.outputs.emplace_back(op.ResultType());
  SumResults results(&result);
  WithMarks(op, &evaluation, [&](auto& clause) {
    std::vector<CellAt> cells;
    for (int64_t i = op.Begin(), n = op.End(result.lo.size()); i < n; ++i) {
      Cell cell = places.CellOf(clause, i);
      cells.push_back({cell.column / block, cell, i});
    }
    const auto order = [](const CellAt& a, const CellAt& b) {
      return std::tie(a.cell.batch, a.block, a.cell) <
             std::tie(b.cell.batch, b.block, b.cell);
    };
    if (!std::ranges::is_sorted(cells, order)) std::ranges::sort(cells, order);
    // Rows that nobody adds may be longer than memory.
    if (cells.empty()) return;
    RowProducts products(rules, block, length);
    VisitElementType(rules.operand, [&]<class T>() {
      const Tensor &lhs = op.inputs[0], &rhs = op.inputs[1];
      // A clause that is broken on purpose may point beyond an operand.
      const auto element = [&](const Tensor& of, int64_t position) {
        if constexpr (requires { places.template Zero<T>(clause); }) {
          if (position == kZero) return places.template Zero<T>(clause);
        }
        if (position == kZero) return T::FromBits(0);
        if (of.size() == 0) return T();
        return T::FromBits(
            of.As<T>()[std::clamp<int64_t>(position, 0, of.size() - 1)]);
      };
      std::vector<bool> has_column(static_cast<size_t>(block));
      const CellAt* last = nullptr;
      for (const CellAt& at : cells) {
        const Cell& cell = at.cell;
        const bool is_same_block = last != nullptr &&
                                   last->cell.batch == cell.batch &&
                                   last->block == at.block;
        if (!is_same_block) has_column.assign(has_column.size(), false);
        if (!is_same_block || last->cell.row != cell.row) {
          products.ClearRow();
          for (int64_t i = 0; i < length; ++i)
            products.SetRow(
                i, element(lhs, places.Lhs(clause, cell.batch, cell.row, i)));
        }
        const int64_t column = cell.column - at.block * block;
        if (!has_column[static_cast<size_t>(column)]) {
          has_column[static_cast<size_t>(column)] = true;
          products.ClearColumn(column);
          for (int64_t i = 0; i < length; ++i)
            products.SetColumn(
                column, i,
                element(rhs, places.Rhs(clause, cell.batch, cell.column, i)));
        }
        RowSum row = products.Sum(column);
        if constexpr (requires { places.IsUndefined(); }) {
          if (places.IsUndefined()) row = {SumRange::Open()};
        }
        const auto decided = [&]<class R>() -> ElementBits {
          const auto bits = static_cast<typename R::Bits>(row.sum.first());
          return places.Decide(clause, R::FromBits(bits), row.sum.IsExact())
              .ToBits();
        };
        results.Set(at.index, VisitElementType(rules.result, decided), row);
        last = &at;
      }
    });
  });
  evaluation.undecided = results.Finish();
  return evaluation;
}

template <class Places>
Sources SourcesOfContraction(const OpCall& op, int64_t index) {
  const Places places(op);
  NoMarks clause;
  const Cell cell = places.CellOf(clause, index);
  Sources sources;
  for (const size_t operand : {size_t{0}, size_t{1}}) {
    for (int64_t i = 0; i < places.length(); ++i) {
      const int64_t position =
          operand == 0 ? places.Lhs(clause, cell.batch, cell.row, i)
                       : places.Rhs(clause, cell.batch, cell.column, i);
      if (position != kZero) sources.push_back({operand, position});
    }
  }
  return sources;
}

}  // namespace assay

#endif  // ASSAY_ORACLE_CONTRACTION_CONTRACTION_H_
