// Some functions of tuples are shown to have a law: a body is associative, so
// that every binary tree over a sequence has one result, or a comparator is a
// strict weak order, so that there is a sorted sequence.
//
// A law holds for all values if it holds for a few, which depends on what the
// ops of the function do (trait `algebra` of the op files):
//
// - order: they compare values and choose among them, as the maximum with its
//   index does. The result depends on the order of the values alone, and every
//   order of three tuples has an example of few values.
// - ring_sum, ring_product: they are sums and products of integers, so that the
//   law is an equation of polynomials. One of total degree d that holds on all
//   points of natural numbers whose sum is d or less holds everywhere; over the
//   integers, and hence modulo 2^N.
// - bits: they combine bits at one place, which have two values each.
//
// For types of few bits, all values are tried, whatever the ops are.
#ifndef ASSAY_ORACLE_REGION_LAWS_H_
#define ASSAY_ORACLE_REGION_LAWS_H_

#include "oracle/region.h"

namespace assay {

// Returns whether the function reads an argument.
bool Reads(const Function& function, size_t argument);

// For which tuples a law is shown.
enum class Shown {
  kNever,
  // Without a NaN among them; of complex types also without a part that is -0,
  // because their order does not say which of two zeros is greater.
  kOfNumbers,
  kAlways
};

// Says of f(f(a, b), c) = f(a, f(b, c)). Precondition: the function has two
// arguments for each result, those of the first tuple before those of the
// second.
Shown ShownAssociative(const Function& function, const OpCall& call);

// Says of f(f(a, b), c) = f(f(a, c), b): the order does not matter in which a
// value gets updates. Precondition: as above.
Shown ShownToCommuteInChains(const Function& function, const OpCall& call);

// Returns whether a value is a number that has its place in the order of its
// type, as values have for which a law is shown of numbers.
bool IsOrderedNumber(ElementType type, ElementBits bits);

// Says of the laws of a strict weak order. Precondition: the function has two
// arguments for each element of a tuple, which stand together, and a result of
// i1.
Shown ShownStrictWeakOrder(const Function& function, const OpCall& call);

}  // namespace assay

#endif  // ASSAY_ORACLE_REGION_LAWS_H_
