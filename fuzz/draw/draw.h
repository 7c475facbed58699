// The generator makes a case from a stream of choices.
//
// A case is valid, because its types go together (op_table.h) and a search
// finds shapes and numbers that the constraints accept (call_search.h), or it
// violates exactly one named constraint. Either can be asked of every op that
// has an oracle and whose attributes can be searched; one that takes functions
// needs a proposal (fuzz/proposals). Of the other ops, and of quantized types,
// constraints alone are judged (verified_calls.h). Small products of values are
// not left to chance: the first cases, beside drawn ones, enumerate them
// (enumerate.h).
#ifndef ASSAY_FUZZ_DRAW_DRAW_H_
#define ASSAY_FUZZ_DRAW_DRAW_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "cases/case.h"
#include "cases/search/choices.h"
#include "cases/variants/op_table.h"

namespace assay {

struct EnumeratedCall;

// So many of 100 drawn cases are programs where the backend runs whole ones.
inline constexpr uint32_t kPercentOfPrograms = 50;
// So many of 100 are calls that are verified alone where constraints are
// judged.
inline constexpr uint32_t kPercentOfVerified = 40;
// A backend that verifies gets one violation in so many of the other calls.
inline constexpr uint32_t kCallsPerViolation = 4;

struct DrawOptions {
  std::vector<std::string> ops;  // globs over op ids; none: every op
  bool violations = true;        // also calls that violate a constraint
  uint32_t calls_per_violation = 25;
  // Only ops that broadcast are violated, which our backends validate.
  bool only_pointwise_violations = false;
  bool programs = true;           // also programs of 2 to 20 ops
  uint32_t percent_programs = 3;  // of the drawn cases
  // So many are calls of which only the constraints are judged
  // (verified_calls.h). Where no other op is wanted, all are.
  uint32_t percent_verified = 0;
  bool enumerates = true;             // also the enumerated products
  int64_t most_elements = INT64_MAX;  // of a tensor
};

// A drawn case is judged as it is or, for some, as a layout variant or relation
// (layout_variants.h). A file holds the case; its replay names both.
struct Drawn {
  Case c;
  std::string variant;  // "lanes"; empty: as it is
};

// A CallKind is an op with types and attributes that go together, or a
// pointwise op, whose types are drawn.
struct CallKind {
  const OpEntry* entry;
  const Signature* signature;  // nullptr: of a pointwise op
};

// DrawnTypes are the kind of a drawn call with the types of its operands.
struct DrawnTypes {
  const OpEntry* entry;
  const Signature* signature;  // nullptr: of a pointwise op
  std::vector<ElementType> operands;
};

class Generator {
 public:
  // An index with a number in its upper bits is that of a call of the kind with
  // that number, from 1 on. So if a campaign draws some kinds only, each of its
  // indices is the same case wherever it is drawn.
  static constexpr int kKindShift = 48;
  static constexpr size_t kMostKinds = size_t{1} << 15;

  // Throws InputError if a glob matches no op that runs and is drawn.
  explicit Generator(const DrawOptions& options);
  ~Generator();

  // Draws the case of an index, which is the same on every machine and in every
  // build. Its name is "<op>/seed_<seed>_<index>".
  Drawn Draw(uint64_t seed, uint64_t index);
  Drawn Draw(Choices* choices);

  // Draws the types alone, in a fraction of the time. Returns nullopt for a
  // program.
  std::optional<DrawnTypes> Peek(uint64_t seed, uint64_t index);
  // Returns an ordinary call of the kind: all operands of that shape, in
  // row-major order, with elements of one value. `operands` are the types of a
  // pointwise call. Returns nullopt if there is no such call.
  std::optional<Case> Ordinary(const CallKind& kind,
                               const std::vector<ElementType>& operands,
                               const Shape& shape);

  const std::vector<OpEntry>& ops() const { return table_; }
  // Returns nullptr if no call of the op is drawn.
  const OpEntry* FindEntry(const std::string& op) const {
    const auto it = by_id_.find(op);
    return it == by_id_.end() ? nullptr : it->second;
  }
  const std::vector<CallKind>& kinds() const { return kinds_; }
  // Returns the ids of the wanted ops that the generator cannot draw.
  const std::vector<std::string>& not_drawn() const { return not_drawn_; }
  // Returns the ids of the wanted ops that are not judged, where none is drawn.
  const std::vector<std::string>& not_judged() const { return not_judged_; }
  uint64_t enumerated() const;  // how many cases the enumerations are

 private:
  class Build;
  struct Memo;

  void AddVerified(const std::function<bool(const OpSpec&)>& is_wanted);
  const EnumeratedCall* EnumeratedAt(uint64_t index) const;
  const CallKind* KindAt(uint64_t index) const;  // nullptr: any

  DrawOptions options_;
  std::vector<OpEntry> table_;
  std::vector<const OpEntry*> plain_, pointwise_;
  std::vector<CallKind> kinds_;
  std::vector<std::string> not_drawn_, not_judged_;
  std::vector<const OpSpec*> verified_;  // of which verified calls are drawn
  std::unordered_map<std::string, const OpEntry*> by_id_;
  std::unique_ptr<Memo> memo_;
};

// Returns a digest of the first cases of a seed, which changes if (seed, index)
// means another case.
std::string DigestOfCases(Generator* generator);

// Returns the case or its variant, whichever is judged.
Case ToJudge(const Drawn& drawn);

}  // namespace assay

#endif  // ASSAY_FUZZ_DRAW_DRAW_H_
