// A sum of products in the words of the text: products of the operands' type,
// put together by reduce with the body add. It serves orders that are those of
// reduce, and a format without a zero, of which no bound is known.
#ifndef ASSAY_ORACLE_CONTRACTION_LITERAL_SUM_H_
#define ASSAY_ORACLE_CONTRACTION_LITERAL_SUM_H_

#include <memory>
#include <vector>

#include "oracle/oracle.h"
#include "oracle/reduction/reducer.h"
#include "oracle/region.h"
#include "oracle/scalars.h"

namespace assay {

class LiteralSum {
 public:
  // Precondition: the type is one of floats.
  LiteralSum(const OpCall& op, ElementType type);

  // Returns what the sum of the products of two rows of factors may be.
  Possible Of(const std::vector<ElementBits>& lhs,
              const std::vector<ElementBits>& rhs);

 private:
  const ElementType type_;
  const Function multiply_, add_;
  Region products_;
  Reducer sums_;
  Possible init_;
};

}  // namespace assay

#endif  // ASSAY_ORACLE_CONTRACTION_LITERAL_SUM_H_
