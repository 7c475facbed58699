// A campaign first learns what a backend declines, so that it draws the calls
// that the backend implements: for most backends, these are few.
//
// It learns about kinds of calls (an op, element types, and the attributes that
// go with them) and layouts of an op, each by a small call that is ordinary in
// everything else, in two shapes. The result depends on the backend alone, so
// it is the same for any number of processes. A kind is declined only if the
// backend said so: about an op whose calls end the process, nothing is learnt.
//
// A campaign judges a case for every slot, 0, 1, 2 and so on. That is the case
// of the same index, unless it is declined; then it is one of another index,
// which has the number of a kind that is not declined in its upper bits
// (draw.h). So an index is the same case everywhere, whatever was learnt, and
// the command that judges it again need not learn.
#ifndef ASSAY_FUZZ_CAMPAIGN_DECLINED_H_
#define ASSAY_FUZZ_CAMPAIGN_DECLINED_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cases/variants/layout_class.h"
#include "fuzz/draw/draw.h"

namespace assay {

class Declined {
 public:
  // One slot in so many is not turned away, because a backend may decline only
  // some shapes, layouts or values.
  static constexpr uint64_t kAskedEvery = 64;
  // The bits of an index above the slot say how often it was turned away.
  static constexpr int kTryShift = 40;
  static constexpr uint64_t kTries = 256;

  struct OpAnswers {
    size_t asked = 0, declined = 0;
    // For a pointwise op, this says whether it is declined on operands of these
    // types.
    std::map<std::vector<ElementType>, bool> types = {};
    // These are sets of bits, one for each LayoutClass.
    uint32_t operand_layouts = 0, result_layouts = 0;
  };

  // `generator` must outlive the object.
  explicit Declined(const Generator* generator) : generator_(generator) {}

  // Records whether the backend declined a call of the types. The latest record
  // counts.
  void Learn(const CallKind& kind, const std::vector<ElementType>& operands,
             bool is_declined);
  void LearnLayout(const OpEntry& entry, LayoutClass layout, bool of_results);
  void Forget(const OpEntry& entry);
  // Must be called after the last Learn and before CaseAt.
  void Prepare();

  bool empty() const { return is_empty_; }
  size_t kinds_asked() const;
  size_t kinds_declined() const;
  bool Has(const DrawnTypes& types) const;
  // Returns whether a drawn call or program has a layout that is declined, or
  // an op on declined types.
  bool HasPartOf(const Case& c) const;

  // A slot of a campaign has a case, its index, and a number of draws that were
  // turned away before it.
  struct Turned {
    Drawn drawn;
    uint64_t index, turned_away;
  };
  Turned CaseAt(uint64_t seed, uint64_t slot, Generator* generator) const;

  // Returns a text that is the same if the same was learnt.
  std::string Digest() const;
  // Returns lines for people. Ops that are declined alike share one.
  std::vector<std::string> Lines() const;

 private:
  // Returns the types of a call, as people write them, and whether they are
  // declined. Types that are declined with some attributes only count as not
  // declined.
  std::map<std::string, bool> TypesOf(const OpEntry& entry) const;
  std::string TypesText(const OpEntry& entry) const;
  std::string LayoutsText(const OpEntry& entry) const;
  // Returns nullopt if the case is turned away.
  std::optional<Drawn> DrawWanted(uint64_t seed, uint64_t index,
                                  Generator* generator) const;
  uint64_t PickKind(Choices* choices) const;  // 0: there is none

  const Generator* generator_;
  std::unordered_map<const OpEntry*, OpAnswers> ops_;
  std::unordered_set<const Signature*> signatures_;
  // These are the numbers of kinds that are not declined: of each op that has
  // some, and of pointwise ops.
  std::vector<std::vector<uint64_t>> plain_;
  std::vector<uint64_t> pointwise_;
  bool has_layouts_ = false, is_empty_ = true;
};

}  // namespace assay

#endif  // ASSAY_FUZZ_CAMPAIGN_DECLINED_H_
