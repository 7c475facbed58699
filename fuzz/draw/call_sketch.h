// A CallSketch is a call of an op of which nothing is known but its file: types
// and attributes, without shapes, numbers and functions. It is changed until it
// is as wanted. Private to verified_calls.cc.
#ifndef ASSAY_FUZZ_DRAW_CALL_SKETCH_H_
#define ASSAY_FUZZ_DRAW_CALL_SKETCH_H_

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "fuzz/draw/open_types.h"

namespace assay {

class CallSketch {
 public:
  // If a constraint is violated, the program may say no number of processes.
  CallSketch(const OpSpec& spec, bool violates, bool is_quantized,
             Choices* choices);

  const Op& op() const { return op_; }
  // Attributes that the call leaves out.
  const std::vector<std::string_view>& absent() const { return absent_; }

  void Change();
  // Takes the last change back.
  void TakeBack() { std::tie(op_, absent_) = before_; }

 private:
  uint32_t Below(uint32_t n) { return choices_.Below(Topic::kTypes, n); }
  uint32_t DrawCount();
  bool DrawPresence();
  void AddValues(const InputSpec& input, size_t count, const ValueType* type);
  void AddValues(const OutputSpec& output, size_t count, const ValueType* type);
  void ChangeType();
  void ChangeCounts();
  void ChangeAttribute();
  void DrawAttribute(const InputSpec& input, bool present);
  Symbol DrawSymbol(const InputSpec& input);
  std::optional<AttributeValue> DrawValue(const InputSpec& input);

  const OpSpec& spec_;
  Choices& choices_;
  const DrawnElement theme_;
  OpenTypes types_;
  std::optional<uint32_t> presence_;
  Op op_;
  std::vector<std::string_view> absent_;
  std::pair<Op, std::vector<std::string_view>> before_;
};

}  // namespace assay

#endif  // ASSAY_FUZZ_DRAW_CALL_SKETCH_H_
