// The global functions of the notation, but for those on types. Only the
// formula_*.cc files use this header. A function of arguments that it is not
// about gives None, as the text says.
#ifndef ASSAY_SPEC_FORMULA_FUNCTIONS_H_
#define ASSAY_SPEC_FORMULA_FUNCTIONS_H_

#include <optional>
#include <vector>

#include "spec/formula/formula.h"

namespace assay::functions {

// The element type of a value, a type or a placeholder, or the element type
// itself: an ElementType or a Quantized; else None.
Value ElementTypeOf(const Value& value);
// Of a tensor type: an ElementType or a Quantized.
Value ElementTypeOf(const TensorType& type);

using Arguments = std::vector<Value>;

// "Shape computations", and functions on lists.
Value Arranged(const Arguments& a);
Value IsSorted(const Arguments& a);
Value IsUnique(const Arguments& a);
Value Max(const Arguments& a);
Value Product(const Arguments& a);
Value Range(const Arguments& a);
Value SameFunction(const Arguments& a);
Value Sum(const Arguments& a);
Value Without(const Arguments& a);

// "Quantization computations", and members of quantized types.
Value BaselineElementType(const Arguments& a);
Value BaselineType(const Arguments& a);
Value ExpressedType(const Arguments& a);
Value IsFiniteNumber(const Arguments& a);
Value IsValueOf(const Arguments& a);
Value LeastValue(const Arguments& a);
Value GreatestValue(const Arguments& a);
Value IsPerAxisQuantized(const Arguments& a);
Value IsPerTensorQuantized(const Arguments& a);
Value IsPromotable(const Arguments& a);
Value IsQuantized(const Arguments& a);
Value QuantizationDimension(const Arguments& a);
Value Scales(const Arguments& a);
Value StorageMax(const Arguments& a);
Value StorageMin(const Arguments& a);
Value StorageType(const Arguments& a);
Value ZeroPoints(const Arguments& a);

// Functions on strings.
Value IsDefinedInParentScope(const Arguments& a);
Value IsNamespacedOpName(const Arguments& a);

}  // namespace assay::functions

#endif  // ASSAY_SPEC_FORMULA_FUNCTIONS_H_
