// The generic form of a tree, as MLIR prints it.
//
// jaxlib's `get_asm(print_generic_op_form=True, enable_debug_info=False)`
// prints the same text for the same program, which spec/text/jaxlib_test.py
// checks.
#ifndef ASSAY_SPEC_TEXT_PRINT_H_
#define ASSAY_SPEC_TEXT_PRINT_H_

#include <string>
#include <string_view>

#include "spec/text/syntax.h"

namespace assay::text {

// Values are numbered anew. In trees that are made from programs, where every
// result has a name of its own, they may keep the names.
enum class ValueNames : uint8_t { kNumbered, kKept };
std::string PrintGeneric(const Chunk& chunk,
                         ValueNames names = ValueNames::kNumbered);

std::string TypeText(const Type& type);
std::string AttributeText(const Attribute& attribute);

// print_type.cc
void AppendType(const Type& type, std::string* out);
// "(T, T) -> T"
void AppendFunctionType(const std::vector<TypePtr>& inputs,
                        const std::vector<TypePtr>& results, std::string* out);

// print_attribute.cc
// Where `in_list`, MLIR leaves out the types i64 and f64.
void AppendAttribute(const Attribute& attribute, bool in_list,
                     std::string* out);
// "{a = 1 : i64, b}"
void AppendDictionary(const std::vector<const NamedAttribute*>& entries,
                      std::string* out);
void AppendQuoted(std::string_view bytes, std::string* out);

// Appends each element, and ", " between two of them.
template <class List, class F>
void AppendList(const List& list, F append, std::string* out) {
  bool is_first = true;
  for (const auto& element : list) {
    if (!is_first) *out += ", ";
    is_first = false;
    append(element);
  }
}

}  // namespace assay::text

#endif  // ASSAY_SPEC_TEXT_PRINT_H_
