#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "fuzz/shrink/axes.h"
#include "fuzz/shrink/cost.h"
#include "fuzz/shrink/edit.h"
#include "fuzz/shrink/passes.h"

namespace assay {
namespace {

class TypeSimplifier {
 public:
  explicit TypeSimplifier(Smallest* smallest) : smallest_(*smallest) {}

  void SimplifyShapes() {
    for (const TypedName& input :
         std::vector<TypedName>(smallest_.c().program.main().inputs))
      SimplifyType(input.name);
    for (const Op::Result& result :
         std::vector<Op::Result>(smallest_.c().program.main().body[0].outputs))
      SimplifyType(result.value);
    for (size_t i = 0; i < AxesOf(smallest_.c()).size(); ++i) {
      for (const int64_t size : {0, 1, 2}) {
        Case c = smallest_.c();
        const Axis axis = AxesOf(c)[i];
        for (const Axis::Place& place : axis.places) {
          TensorType type = TypeOf(c, place.value);
          if (place.dimension >= type.shape.size()) continue;
          const auto at =
              type.shape.begin() + static_cast<std::ptrdiff_t>(place.dimension);
          if (size == 0) {
            type.shape.erase(at);
          } else {
            *at = std::min(*at, size);
          }
          SetType(place.value, type, &c);
        }
        if (smallest_.Try(c, "")) break;
      }
    }
  }

  void ChangeElements() {
    std::set<ElementType> there;
    for (const std::string& value : ValuesOf(smallest_.c()))
      there.insert(TypeOf(smallest_.c(), value).element_type);
    for (const ElementType from : there) {
      std::vector<ElementType> simpler;
      for (const ElementTypeInfo& info : ElementTypes()) {
        if (info.kind == Info(from).kind &&
            TypeCost(info.type) < TypeCost(from))
          simpler.push_back(info.type);
      }
      std::ranges::sort(simpler, {}, TypeCost);
      for (const ElementType to : simpler) {
        if (smallest_.Try(WithElementType(smallest_.c(), from, to))) break;
      }
    }
  }

 private:
  void SimplifyType(const std::string& value) {
    for (size_t d = 0; d < TypeOf(smallest_.c(), value).shape.size();) {
      const TensorType type = TypeOf(smallest_.c(), value);
      TensorType without = type;
      without.shape.erase(without.shape.begin() +
                          static_cast<std::ptrdiff_t>(d));
      Case c = smallest_.c();
      SetType(value, without, &c);
      if (smallest_.Try(c, "")) continue;
      for (const int64_t size : {int64_t{1}, int64_t{2}, int64_t{3}}) {
        TensorType shorter = type;
        shorter.shape[d] = std::min(type.shape[d], size);
        c = smallest_.c();
        SetType(value, shorter, &c);
        if (smallest_.Try(c, "")) break;
      }
      ++d;
    }
  }

  Smallest& smallest_;
};

}  // namespace

void SimplifyTypes(Smallest* smallest) {
  TypeSimplifier(smallest).SimplifyShapes();
}

void ChangeElementTypes(Smallest* smallest) {
  TypeSimplifier(smallest).ChangeElements();
}

}  // namespace assay
