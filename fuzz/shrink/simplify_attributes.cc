#include <algorithm>

#include "fuzz/shrink/axis_edit.h"
#include "fuzz/shrink/edit.h"
#include "fuzz/shrink/passes.h"
#include "fuzz/shrink/simpler_values.h"

namespace assay {
namespace {

// Returns whether constants that may be absent are fields of one struct.
bool AreOfOneStruct(const InputSpec& a, const InputSpec& b) {
  return a.absent && b.absent && !a.text_field.empty() &&
         !b.text_field.empty() && a.text_attribute == b.text_attribute;
}

class AttributeSimplifier {
 public:
  explicit AttributeSimplifier(Smallest* smallest) : smallest_(*smallest) {}

  void Run() {
    for (const OpPlace place : OpPlacesOf(smallest_.c().program)) {
      for (size_t i = 0; i < OpNow(place).attributes.size(); ++i) {
        if (TryWithout(place, i)) break;
        const Op op = OpNow(place);
        const Tensor* tensor = std::get_if<Tensor>(&op.attributes[i].value);
        if (tensor == nullptr) continue;
        if (IsList(op.attributes[i])) {
          SimplifyList(place, i);
        } else {
          SimplifyElements(place, i);
        }
      }
      LowerTogether(place);
    }
    for (size_t k = 0; k < smallest_.c().program.main().body[0].inputs.size();
         ++k) {
      Case c = smallest_.c();
      c.program.functions[0].body[0].inputs[k].is_scalar = false;
      smallest_.Try(c);
    }
  }

 private:
  Op OpNow(OpPlace place) const {
    Program copy = smallest_.c().program;
    return OpAt(place, &copy);
  }

  Tensor TensorNow(OpPlace place, size_t attribute) const {
    return std::get<Tensor>(OpNow(place).attributes[attribute].value);
  }

  bool TryNumbers(OpPlace place, size_t attribute, const Tensor& numbers) {
    const Case& c = smallest_.c();
    return smallest_.Try(WithNumbers(c, AxesOf(c), place, attribute, numbers));
  }

  bool TryWithout(OpPlace place, size_t i) {
    Case without = smallest_.c();
    Op& op = OpAt(place, &without.program);
    const InputSpec* input = FindOp(op.op)->Input(op.attributes[i].name);
    if (!input->absent) return false;
    // The fields of a struct of the text are there together.
    const std::string name = op.attributes[i].name;
    std::erase_if(op.attributes, [&](const Attribute& attribute) {
      return attribute.name == name ||
             AreOfOneStruct(*input, *FindOp(op.op)->Input(attribute.name));
    });
    return smallest_.Try(without);
  }

  // Changes all elements to 0, or to 1, or each to a simpler one.
  void SimplifyElements(OpPlace place, size_t attribute) {
    Tensor all(TensorNow(place, attribute).type());
    for (const ElementBits bits :
         {ElementBits{0}, BitsOfOne(all.element_type())}) {
      for (int64_t i = 0; i < all.size(); ++i) all.SetBits(i, bits);
      if (TryNumbers(place, attribute, all)) return;
    }
    for (int64_t i = 0; i < TensorNow(place, attribute).size(); ++i)
      SimplifyElement(place, attribute, i);
  }

  void SimplifyElement(OpPlace place, size_t attribute, int64_t i) {
    const Tensor numbers = TensorNow(place, attribute);
    for (const ElementBits bits :
         SimplerBits(numbers.element_type(), numbers.Bits(i))) {
      Tensor simpler = CopyOf(numbers);
      simpler.SetBits(i, bits);
      if (TryNumbers(place, attribute, simpler)) return;
    }
  }

  // Removes elements of a list of numbers, and changes them to simpler ones.
  void SimplifyList(OpPlace place, size_t attribute) {
    for (int64_t i = 0; i < TensorNow(place, attribute).size();) {
      const Tensor numbers = TensorNow(place, attribute);
      Tensor without(TensorType{{numbers.size() - 1}, numbers.element_type()});
      for (int64_t k = 0; k < without.size(); ++k)
        without.SetBits(k, numbers.Bits(k < i ? k : k + 1));
      if (TryNumbers(place, attribute, without)) continue;
      SimplifyElement(place, attribute, i);
      ++i;
    }
  }

  // Lowers what two lists say of a dimension by as much: a part of a tensor
  // that begins at an index ends there as well.
  void LowerTogether(OpPlace place) {
    const size_t count = OpNow(place).attributes.size();
    for (size_t a = 0; a < count; ++a) {
      for (size_t b = a + 1; b < count; ++b) LowerTogether(place, a, b);
    }
  }

  void LowerTogether(OpPlace place, size_t a, size_t b) {
    const Op op = OpNow(place);
    if (!IsList(op.attributes[a]) || !IsList(op.attributes[b])) return;
    const size_t size = std::min(IntegersOf(op.attributes[a])->size(),
                                 IntegersOf(op.attributes[b])->size());
    for (size_t i = 0; i < size; ++i) {
      Case c = smallest_.c();
      Op& changed = OpAt(place, &c.program);
      auto ones = *IntegersOf(changed.attributes[a]);
      auto others = *IntegersOf(changed.attributes[b]);
      const int64_t by = std::min(ones[i], others[i]);
      if (by <= 0) continue;
      ones[i] -= by;
      others[i] -= by;
      SetIntegers(ones, &changed.attributes[a]);
      SetIntegers(others, &changed.attributes[b]);
      smallest_.Try(c);
    }
  }

  Smallest& smallest_;
};

}  // namespace

void SimplifyAttributes(Smallest* smallest) {
  AttributeSimplifier(smallest).Run();
}

}  // namespace assay
