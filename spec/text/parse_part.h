// The parts of forms that no list of items describes (`&name` in a form).
#ifndef ASSAY_SPEC_TEXT_PARSE_PART_H_
#define ASSAY_SPEC_TEXT_PARSE_PART_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "spec/text/parser.h"

namespace assay::text {

// Precondition: IsPart(name).
void ParsePart(std::string_view name, Parser* parser, Statement* statement);
bool IsPart(std::string_view name);

// parse_form_types.cc: the types, which are written in a way of that name.
// Precondition: IsTypeRule(name).
void ParseFormTypes(std::string_view name, Parser* parser,
                    Statement* statement);
bool IsTypeRule(std::string_view name);

// parse_form.cc: whether an attribute can be of that kind ("i64",
// "#precision").
bool IsAttributeKind(std::string_view kind);

// parse_struct.cc: whether there is a struct of that name ("dot_algorithm").
bool IsStruct(std::string_view name);
// Returns the name of the smallest struct that has all of these fields.
// Precondition: there is one.
std::string StructOf(const std::vector<std::string>& fields);
// Puts the fields in the order of the struct's table, and leaves out those of
// the default value.
void ArrangeFields(StructAttribute* attribute);

// An element type by itself, as attributes have it.
TypePtr ScalarType(ElementType element);

// "[0, -1]"
std::vector<int64_t> ParseIntegerList(Parser* parser);

// array<type: values>. Precondition: they are values of the type.
Attribute MakeArray(ElementType type, const std::vector<int64_t>& values);

// parse_reduce.cc and parse_function.cc
void ParseReduce(Parser* parser, Statement* statement);
void ParseFunction(Parser* parser, Statement* statement);
void ParseModule(Parser* parser, Statement* statement);

}  // namespace assay::text

#endif  // ASSAY_SPEC_TEXT_PARSE_PART_H_
