// Walks are cases that are made for every op from one list of kinds,
// walks/walks.json, so that a kernel is tested in every way in which it can go
// through its operands, whatever the op computes.
//
// A kind says what a call must be like for a mistake to show: a shape, and the
// layouts of operands or results. Types take turns, elements are drawn by the
// place where they lie, so that no two places are alike, and an op has a case
// of a kind if its file lets it: enough operands, types of the width, shapes
// that it broadcasts, a result that fits an operand's memory.
#ifndef ASSAY_CASES_VARIANTS_WALKS_H_
#define ASSAY_CASES_VARIANTS_WALKS_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cases/case.h"
#include "cases/read/json.h"
#include "cases/variants/walk_calls.h"

namespace assay {

struct WalkKind {
  enum class Lies { kContiguous, kOperand, kOperands, kResult, kInPlace };
  std::string name, text;
  std::string where;  // file and JSON pointer
  Shape shape;
  Lies lies = Lies::kContiguous;
  std::vector<Strides> strides;  // none: row-major
  int64_t offset = 0;
  std::optional<Shape> operand_shape;
  size_t least_operands = 1;
  WalkTypes types = WalkTypes::kInTurn;
  // If true, values are drawn until the last element of the result changes when
  // the operands' elements are replaced by those before them along the first
  // dimension.
  bool shows_last = false;
};

// Returns whether a file has walks, and not cases.
bool HasWalks(const Json& json);

// Throws InputError that names file and JSON pointer.
std::vector<WalkKind> ParseWalkKinds(const std::string& file, const Json& json);

// A WalkGap is the reason why an op has no case of a kind.
struct WalkGap {
  const char* word;
  const char* text;
};
inline constexpr WalkGap kTooFewOperands{"operands", "it has too few of them"},
    kNoSuchShapes{"shapes", "it repeats no operand"},
    kNotWalked{"attributes",
               "it has no operands, several of one name, lists that do not "
               "repeat an operand, or a function"},
    kOneResult{"values", "it has one result for all values of such types"},
    kNoSuchTypes{"types",
                 "it has none of the width, or none of operand and "
                 "result that share memory"};

// The keys are a kind and an op.
using WalkGaps = std::map<std::string, std::map<std::string, const WalkGap*>>;

struct Walks {
  // The cases, op after op. Their names are "OP/walk_KIND_TYPE", with the
  // operand before the type where operands take turns.
  std::vector<Case> cases;
  WalkGaps gaps;
};

// Makes the walks of all kinds of a file. Throws InputError.
Walks MakeWalks(const std::string& file, const Json& json,
                const ReadOptions& options);

// Returns the gaps of the files of walks under these paths. Throws InputError.
WalkGaps GapsOfWalks(const std::vector<std::string>& paths);

// Returns the kinds of the suite, in its order. Throws InputError.
std::vector<WalkKind> SuiteWalkKinds();

}  // namespace assay

#endif  // ASSAY_CASES_VARIANTS_WALKS_H_
