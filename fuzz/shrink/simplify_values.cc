#include <algorithm>
#include <set>

#include "fuzz/shrink/edit.h"
#include "fuzz/shrink/passes.h"
#include "fuzz/shrink/simpler_values.h"

namespace assay {
namespace {

class ValueSimplifier {
 public:
  explicit ValueSimplifier(Smallest* smallest) : smallest_(*smallest) {}

  void Run() {
    for (size_t k = 0; k < smallest_.c().inputs.size(); ++k) {
      const ElementType type = smallest_.c().inputs[k].data.type.element_type;
      if (Values(k).size() == 0) continue;
      const auto all = [&](ElementBits bits) {
        Tensor tensor(Values(k).type());
        for (int64_t i = 0; i < tensor.size(); ++i) tensor.SetBits(i, bits);
        return TryValues(k, tensor);
      };
      if (all(0)) continue;
      if (Values(k).size() > 1) {
        all(BitsOfOne(type));
        const int64_t failed = smallest_.verdict().first_failed;
        if (failed >= 0 && failed < Values(k).size())
          all(Values(k).Bits(failed));
        ZeroRanges(k);
      }
      SimplifyElements(k);
    }
  }

 private:
  Tensor Values(size_t k) const {
    return smallest_.c().inputs[k].data.Materialise();
  }

  bool TryValues(size_t k, const Tensor& values) {
    Case c = smallest_.c();
    c.inputs[k].data.source = values;
    return smallest_.Try(c);
  }

  // Sets halves, quarters, .. of the elements to zero.
  void ZeroRanges(size_t k) {
    const int64_t size = Values(k).size();
    for (int64_t part = size; part >= 1 && smallest_.HasBudget(); part /= 2) {
      for (int64_t begin = 0; begin < size; begin += part) {
        Tensor values = CopyOf(Values(k));
        bool changed = false;
        for (int64_t i = begin; i < std::min(begin + part, size); ++i) {
          changed |= values.Bits(i) != 0;
          values.SetBits(i, 0);
        }
        if (changed) TryValues(k, values);
      }
      // More elements than that are not worth a call each.
      if (size / part >= 64) break;
    }
  }

  // Changes elements that have one value together, then each alone.
  void SimplifyElements(size_t k) {
    std::set<ElementBits> tried;
    for (int64_t i = 0; i < Values(k).size() && tried.size() < 16; ++i) {
      ElementBits bits = Values(k).Bits(i);
      if (bits == 0 || !tried.insert(bits).second) continue;
      for (bool again = true; again;) {
        again = false;
        for (const ElementBits simpler :
             SimplerBits(Values(k).element_type(), bits)) {
          Tensor values = CopyOf(Values(k));
          for (int64_t j = 0; j < values.size(); ++j) {
            if (values.Bits(j) == bits) values.SetBits(j, simpler);
          }
          if (!TryValues(k, values)) continue;
          bits = simpler;
          again = true;
          break;
        }
      }
    }
  }

  Smallest& smallest_;
};

}  // namespace

void SimplifyValues(Smallest* smallest) { ValueSimplifier(smallest).Run(); }

}  // namespace assay
