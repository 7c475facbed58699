#include <algorithm>

#include "fuzz/shrink/edit.h"
#include "fuzz/shrink/passes.h"
#include "fuzz/shrink/simpler_values.h"

namespace assay {
namespace {

class AttributeSimplifier {
 public:
  explicit AttributeSimplifier(Smallest* smallest) : smallest_(*smallest) {}

  void Run() {
    for (size_t n = 0; n < smallest_.c().program.main().body.size(); ++n) {
      for (size_t i = 0;
           i < smallest_.c().program.main().body[n].attributes.size(); ++i) {
        const Attribute attribute =
            smallest_.c().program.main().body[n].attributes[i];
        const Tensor* tensor = std::get_if<Tensor>(&attribute.value);
        Case without = smallest_.c();
        auto& attributes = without.program.functions[0].body[n].attributes;
        attributes.erase(attributes.begin() + static_cast<std::ptrdiff_t>(i));
        const InputSpec* input =
            FindOp(without.program.main().body[n].op)->Input(attribute.name);
        if (input->absent && smallest_.Try(without)) break;
        const bool is_only_op = smallest_.c().program.main().body.size() == 1;
        if (is_only_op && tensor != nullptr &&
            tensor->type().shape.size() == 1 &&
            IsInteger(tensor->element_type()))
          SimplifyList(i);
        if (tensor == nullptr || !tensor->type().shape.empty()) continue;
        for (const ElementBits bits :
             SimplerBits(tensor->element_type(), tensor->Bits(0))) {
          Case c = smallest_.c();
          Tensor simpler(tensor->type());
          simpler.SetBits(0, bits);
          c.program.functions[0].body[n].attributes[i].value = simpler;
          if (smallest_.Try(c)) break;
        }
      }
    }
    for (size_t k = 0; k < smallest_.c().program.main().body[0].inputs.size();
         ++k) {
      Case c = smallest_.c();
      c.program.functions[0].body[0].inputs[k].is_scalar = false;
      smallest_.Try(c);
    }
  }

 private:
  // Removes elements of a list of numbers, and changes them to simpler ones.
  void SimplifyList(size_t attribute) {
    const auto list = [&] {
      return std::get<Tensor>(
          smallest_.c().program.main().body[0].attributes[attribute].value);
    };
    for (int64_t i = 0; i < list().size();) {
      const Tensor numbers = list();
      Tensor without(TensorType{{numbers.size() - 1}, numbers.element_type()});
      for (int64_t k = 0; k < without.size(); ++k)
        without.SetBits(k, numbers.Bits(k < i ? k : k + 1));
      if (smallest_.Try(WithNumbers(smallest_.c(), attribute, without)))
        continue;
      for (const ElementBits bits :
           SimplerBits(numbers.element_type(), numbers.Bits(i))) {
        Tensor simpler = CopyOf(numbers);
        simpler.SetBits(i, bits);
        if (smallest_.Try(WithNumbers(smallest_.c(), attribute, simpler)))
          break;
      }
      ++i;
    }
  }

  Smallest& smallest_;
};

}  // namespace

void SimplifyAttributes(Smallest* smallest) {
  AttributeSimplifier(smallest).Run();
}

}  // namespace assay
