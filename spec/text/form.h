// Pretty forms: how each op is written without its generic form, as data.
//
// The op file gives an op its form, or several, of which the first whose first
// item stands in the text is the one that is read (form_table.h). A form is a
// list of items, then " : " and how the types are written:
//
//   stablehlo.add      %lhs, %rhs {} : same
//   stablehlo.iota     dim = $iota_dimension:i64 {} : result
//   stablehlo.compare  $comparison_direction:#comparison_direction, %lhs, %rhs
//                      (?, $compare_type:#comparison_type )? {} : functional
//
// Items:
//   word , = ( ) [ ] { }  stand as they are; the white space is free
//   %name                 an operand
//   %name*                any number of operands, between commas; a comma that
//                         the form has behind them belongs to the last one
//   $name:KIND            an attribute, by its kind:
//       i64 i32 f64 bool string symbol     one value: 0, 0.5, true, "s", @s
//       i64s                               a list that becomes array<i64: ..>
//       #ENUM  #ENUMs                      a constant, a list of them
//       attr                               any attribute, as `dense<..> : T`
//       name                               @s or "s", which becomes a string
//       #stablehlo.STRUCT                  <..>, the fields of a struct
//   (? .. )?              the items, if the first one stands in the text; of
//                         one that begins with a comma, the second one too
//   {}                    the other attributes: a dictionary, or nothing
//   &name                 a function of parse_part.cc: what no list of items
//                         describes
// Types: parse_form_types.cc has a function for each name. Forms without " : "
// have no types, as `&reduce` reads them itself.
#ifndef ASSAY_SPEC_TEXT_FORM_H_
#define ASSAY_SPEC_TEXT_FORM_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::text {

struct FormItem {
  enum class Kind : uint8_t {
    kWord,
    kPunctuation,
    kOperand,
    kOperands,
    kAttribute,
    kGroup,
    kDictionary,
    kPart
  };
  Kind kind;
  std::string text;             // the word, the name
  std::string attribute_kind;   // kAttribute
  std::vector<FormItem> group;  // kGroup
};

struct Form {
  std::vector<FormItem> items;
  std::string types;  // empty: none
};

// Reads one form of the language above. Throws InputError.
Form ParseForm(std::string_view text);

// Checks that the form names only parts, kinds of attributes and rules of types
// that there are. Throws InputError.
void CheckForm(const Form& form);

}  // namespace assay::text

#endif  // ASSAY_SPEC_TEXT_FORM_H_
