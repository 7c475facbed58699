// An Expression is what is left of a formula for the search: a tree of numbers,
// lists of numbers and truths over the shapes and the numbers of a call.
// Everything else, such as element types, is known before the search begins.
#ifndef ASSAY_CASES_SEARCH_EXPRESSION_H_
#define ASSAY_CASES_SEARCH_EXPRESSION_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

// So many For all and comprehensions may stand in one another.
inline constexpr size_t kMostIndices = 4;

struct Expression {
  enum class Kind : uint8_t {
    // Numbers. `slot` is that of a shape, of a list or of a number of the call.
    kNumber,       // number
    kIndex,        // the variable of the enclosing loop number `slot`
    kRank,         // of shape `slot`
    kSize,         // the number of elements of shape `slot`
    kScalar,       // number `slot`
    kLength,       // of children[0]
    kElement,      // children[0][children[1]]
    kSum,          // of the children
    kProduct,      // of the elements of children[0]
    kAdd,          // children[0] + children[1]; so on, and on lists by element
    kSubtract,     // -
    kMultiply,     // *
    kFloorDivide,  // floor division
    kModulo,       // what floor division leaves
    kMax,          // the greater one
    // Lists.
    kShape,      // shape `slot`
    kVector,     // list `slot`
    kItems,      // [children..]
    kSlice,      // children[0][children[1]:], or up to children[2]
    kRange,      // 0, 1, .. up to children[0]
    kWithout,    // children[0] without the elements at places children[1]
    kGather,     // the elements of children[0] at places children[1]
    kConcat,     // the elements of all children, which are lists
    kMap,        // children[1] for each element of children[0], as kForAll
    kArranged,   // the elements of children[0], each at its place: children[1]
    kBroadcast,  // of children[0] and children[1], which are shapes
    // Truths.
    kAnd,
    kOr,
    kNot,
    kEqual,
    kLess,
    kLessOrEqual,
    kIsUnique,         // children[0]
    kIsSorted,         // children[0]
    kIsIn,             // the number children[0] is in the list children[1]
    kIsBroadcastable,  // children[0] and children[1], which are shapes
    kForAll,           // the index runs through children[0] in children[1]
    kConditional,      // children[1] if children[0] else children[2]
  };

  Kind kind = Kind::kNumber;
  size_t slot = 0;
  int64_t number = 0;
  std::vector<Expression> children = {};
  bool is_list = false;
  // From 1 on: the number of the list among those whose lengths are remembered.
  size_t remembered = 0;

  static Expression Number(int64_t number) {
    return {Kind::kNumber, 0, number};
  }
  static Expression OfSlot(Kind kind, size_t slot) {
    return {kind, slot, 0, {}, kind == Kind::kShape || kind == Kind::kVector};
  }
  static Expression Of(Kind kind, std::vector<Expression> children) {
    bool is_list = kind >= Kind::kItems && kind <= Kind::kBroadcast;
    if ((kind >= Kind::kAdd && kind <= Kind::kMax) ||
        kind == Kind::kConditional) {
      for (const Expression& child : children) is_list |= child.is_list;
    }
    return {kind, 0, 0, std::move(children), is_list};
  }
};

}  // namespace assay

#endif  // ASSAY_CASES_SEARCH_EXPRESSION_H_
