#include <optional>
#include <string>
#include <vector>

#include "oracle/contraction/contraction.h"
#include "oracle/contraction/precision_config.h"
#include "oracle/movement/moves.h"

namespace assay {
namespace {

// Dimensions of an operand, by their sizes and the distances of their elements.
struct Dimensions {
  Dimensions(const Shape& shape, const std::vector<int64_t>& dimensions) {
    const Strides all = RowMajorStrides(shape);
    for (const int64_t d : dimensions) {
      sizes.push_back(shape[static_cast<size_t>(d)]);
      strides.push_back(all[static_cast<size_t>(d)]);
    }
    count = *ElementCount(sizes);
  }
  // Returns the distance of the element at a place of the index space.
  int64_t PositionOf(int64_t place) const {
    int64_t position = 0;
    for (size_t d = sizes.size(); d-- > 0 && sizes[d] > 0;) {
      position += place % sizes[d] * strides[d];
      place /= sizes[d];
    }
    return position;
  }
  Shape sizes;
  Strides strides;
  int64_t count;
};

// `[d for d in axes(x) and d not in batching and d not in contracting]`
std::vector<int64_t> ResultDimensions(int64_t rank,
                                      const std::vector<int64_t>& batching,
                                      const std::vector<int64_t>& contracting) {
  std::vector<int64_t> dimensions;
  for (int64_t d = 0; d < rank; ++d) {
    if (std::ranges::find(batching, d) == batching.end() &&
        std::ranges::find(contracting, d) == contracting.end())
      dimensions.push_back(d);
  }
  return dimensions;
}

// lhs or rhs, with the dimensions that say which row it is, and where it is in
// a row.
struct Side {
  Side(const Op& op, size_t operand, const std::string& name)
      : Side(op.inputs[operand].type.tensor().shape,
             NumbersOf(op, name + "_batching_dimensions"),
             NumbersOf(op, name + "_contracting_dimensions")) {}
  Side(const Shape& shape, const std::vector<int64_t>& batching,
       const std::vector<int64_t>& contracting)
      : batch(shape, batching),
        result(shape,
               ResultDimensions(std::ssize(shape), batching, contracting)),
        contracted(shape, contracting) {}

  Dimensions batch, result, contracted;
};

// An algorithm of one component on each side says in which types factors are
// rounded and products added; of another one the text does not say what it is.
struct DotAlgorithm {
  explicit DotAlgorithm(const Op& op) {
    const auto type = [&](const char* name) -> std::optional<NodeFormat> {
      const Attribute* attribute = op.FindAttribute(name);
      if (attribute == nullptr) return std::nullopt;
      const std::string& text = std::get<Symbol>(attribute->value).name;
      // Which numbers zeros and negative ones become there is not said.
      const std::optional<ElementType> element = ParseElementType(text);
      has_signs &= !element || FormatOf(*element).has_sign;
      return FormatOfPrecision(text);
    };
    const auto number = [&](const char* name) -> int64_t {
      const Attribute* attribute = op.FindAttribute(name);
      return attribute == nullptr
                 ? 1
                 : static_cast<int64_t>(
                       std::get<Tensor>(attribute->value).Bits(0));
    };
    factors = {type("lhs_precision_type"), type("rhs_precision_type")};
    accumulation = type("accumulation_type");
    has_components = number("lhs_component_count") != 1 ||
                     number("rhs_component_count") != 1 ||
                     number("num_primitive_operations") != 1;
    is_imprecise =
        op.FindAttribute("allow_imprecise_accumulation") != nullptr &&
        number("allow_imprecise_accumulation") != 0;
    // One that says a part is none that the text describes.
    is_partial = accumulation.has_value() != factors[0].has_value() ||
                 accumulation.has_value() != factors[1].has_value();
  }
  bool exists() const { return accumulation.has_value(); }

  std::array<std::optional<NodeFormat>, 2> factors;
  std::optional<NodeFormat> accumulation;
  bool has_signs = true;
  bool has_components, is_imprecise, is_partial;
};

class DotPlaces {
 public:
  explicit DotPlaces(const OpCall& op)
      : lhs_(op.op, 0, "lhs"),
        rhs_(op.op, 1, "rhs"),
        config_(PrecisionConfigOf(op.op)),
        algorithm_(op.op),
        has_other_type_(op.op.inputs[0].type.tensor().element_type !=
                        op.ResultType().element_type) {}

  ContractionPrecision precision() const {
    ContractionPrecision precision;
    precision.config = config_;
    precision.factors = algorithm_.factors;
    precision.accumulation = algorithm_.accumulation;
    precision.is_open = algorithm_.has_components || algorithm_.is_imprecise ||
                        algorithm_.is_partial || !algorithm_.has_signs;
    return precision;
  }
  int64_t length() const { return lhs_.contracted.count; }
  int64_t columns() const { return rhs_.result.count; }

  // `result_batching_index + result_lhs_index + result_rhs_index =
  // result_index`
  Cell CellOf(auto& clause, int64_t index) const {
    const int64_t rows = lhs_.result.count, columns = rhs_.result.count;
    const int64_t at = clause("S4", index);
    const int64_t last = lhs_.batch.count * rows * columns - 1;
    const int64_t within = std::clamp<int64_t>(at, 0, last);
    return {within / columns / rows, clause("S2", within / columns % rows),
            clause("S3", within % columns)};
  }
  int64_t Lhs(auto& clause, int64_t batch, int64_t row, int64_t i) const {
    return clause("S5", lhs_.batch.PositionOf(batch)) +
           clause("S6", lhs_.result.PositionOf(row)) +
           lhs_.contracted.PositionOf(clause("S7", i));
  }
  int64_t Rhs(auto& clause, int64_t batch, int64_t column, int64_t i) const {
    return clause("S8", rhs_.batch.PositionOf(batch)) +
           clause("S9", rhs_.result.PositionOf(column)) +
           rhs_.contracted.PositionOf(clause("S10", i));
  }
  template <class T>
  T Decide(auto& clause, T sum, bool is_exact) const {
    sum = clause("S1", clause("S11", sum));
    if (!is_exact) sum = clause("S12", sum);
    if (has_other_type_) sum = clause("S13", sum);
    if (!algorithm_.exists()) {
      sum = clause("S24", sum);
      return MarkPrecision(clause, config_, sum);
    }
    sum = clause("S27", clause("S25", sum));
    if (algorithm_.has_components) return clause("S28", sum);
    if (algorithm_.is_imprecise) sum = clause("S30", sum);
    return clause("S29", sum);
  }

 private:
  template <class T>
  static T MarkPrecision(auto& clause, const std::array<std::string, 2>& config,
                         T sum) {
    for (const std::string& of : config) {
      if (of == "DEFAULT") sum = clause("S18", sum);
      if (of == "HIGH") sum = clause("S19", sum);
    }
    return sum;
  }

  Side lhs_, rhs_;
  std::array<std::string, 2> config_;
  DotAlgorithm algorithm_;
  bool has_other_type_;
};

}  // namespace

Evaluation DotGeneral(const OpCall& op) { return Contract<DotPlaces>(op); }

Sources DotGeneralSources(const OpCall& op, size_t, int64_t index) {
  return SourcesOfContraction<DotPlaces>(op, index);
}

}  // namespace assay
