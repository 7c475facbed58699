// The language of forms, and where the forms of all ops come from.
#include "spec/text/form_table.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "spec/error.h"

namespace assay::text {
namespace {

TEST(FormLanguage, ItemsAreRead) {
  const Form form = ParseForm("%a, %b* = $c:i64 (?, d $e:#f )? {} &g : same");
  using enum FormItem::Kind;
  std::vector<FormItem::Kind> kinds;
  for (const FormItem& item : form.items) kinds.push_back(item.kind);
  EXPECT_EQ(kinds, (std::vector<FormItem::Kind>{
                       kOperand, kPunctuation, kOperands, kPunctuation,
                       kAttribute, kGroup, kDictionary, kPart}));
  EXPECT_EQ(form.types, "same");
  EXPECT_EQ(form.items[4].text, "c");
  EXPECT_EQ(form.items[4].attribute_kind, "i64");
  EXPECT_EQ(form.items[5].group.size(), 3u);
  EXPECT_EQ(form.items[5].group[2].attribute_kind, "#f");
  EXPECT_EQ(ParseForm("&reduce").types, "");
}

TEST(FormLanguage, WhatIsNoFormIsRefused) {
  for (const auto& [text, why] :
       {std::pair{"% : same", "form '%' lacks a name at 2"},
        {"$a : same", "form '$a': attribute 'a' has no kind"},
        {"(?, a", "form '(?, a' leaves a group open"},
        {"a )?", "form 'a )?' closes no group"},
        {"(? )?", "form '(? )?' has an empty group"}}) {
    try {
      ParseForm(text);
      ADD_FAILURE() << text;
    } catch (const InputError& error) {
      EXPECT_STREQ(error.what(), why);
    }
  }
}

TEST(FormLanguage, AFormIsMadeOfWhatThereIs) {
  for (const auto& [text, why] :
       {std::pair{"&nosuch", "parse_part.cc has no part '&nosuch'"},
        {"(?, a = $b:i16 )? {} : same",
         "attribute 'b' has the kind 'i16', which is none of form.h"},
        {"$b:#precisio {} : same",
         "attribute 'b' has the kind '#precisio', which is none of form.h"},
        {"$b:#stablehlo.nosuch {} : same",
         "attribute 'b' has the kind '#stablehlo.nosuch', which is none of "
         "form.h"},
        {"%a {} : sam",
         "types are not written as 'sam': parse_form_types.cc has no such "
         "rule"},
        {"unari",
         "the form has no place for the other attributes, {}, and forms.json "
         "has no shared form of that name"}}) {
    try {
      CheckForm(ParseForm(text));
      ADD_FAILURE() << text;
    } catch (const InputError& error) {
      EXPECT_STREQ(error.what(), why);
    }
  }
  CheckForm(ParseForm("%a (?, b = $b:#precisions )? {} : same"));
  CheckForm(ParseForm("$b:#precision, $c:#stablehlo.dot_algorithm {}"));
  CheckForm(ParseForm("&reduce"));
}

TEST(FormTable, OpsHaveTheFormsOfTheirFiles) {
  for (const OpForm& op : OpForms()) {
    EXPECT_EQ(op.status.empty(), op.reason.empty()) << op.name;
    EXPECT_TRUE(op.status.empty() || op.status == "deprecated" ||
                op.status == "later" || op.status == "internal")
        << op.name;
  }
  EXPECT_TRUE(std::ranges::is_sorted(OpForms(), {}, &OpForm::name));
  for (const OpSpec& spec : Ops()) {
    const OpForm* form = FindForm("stablehlo." + spec.id);
    EXPECT_EQ(form != nullptr, spec.source == "stablehlo") << spec.id;
  }
  EXPECT_EQ(FindForm("stablehlo.foo"), nullptr);
  EXPECT_EQ(FindForm("call")->name, "func.call");
  EXPECT_EQ(FindForm("stablehlo.dot")->status, "deprecated");
  EXPECT_EQ(FindForm("stablehlo.tan")->status, "");
  EXPECT_EQ(FindForm("stablehlo.tan")->forms.size(), 1u);
  EXPECT_EQ(FindForm("stablehlo.constant")->forms.size(), 2u);
  EXPECT_TRUE(FindForm("stablehlo.sort")->forms.empty());  // "generic"
  EXPECT_EQ(FindForm("stablehlo.pad")->properties,
            (std::vector<std::string>{"edge_padding_high", "edge_padding_low",
                                      "interior_padding"}));
}

// Returns what is wrong with an op file that is that of `iota` but for its
// text.
std::string FormErrorOf(std::optional<OpSpec::Text> text,
                        const std::string& id = "iota") {
  OpSpec spec = *FindOp("iota");
  spec.file = "copy.json";
  spec.id = id;
  spec.text = std::move(text);
  try {
    ReadOpForm(spec);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(FormTable, AnOpFileSaysHowItsTextIsWritten) {
  EXPECT_EQ(FormErrorOf(FindOp("iota")->text), "");
  EXPECT_EQ(FormErrorOf({{{"generic"}, {}}}), "");
  EXPECT_EQ(FormErrorOf({{{"unary"}, {"iota_dimension", "result_accuracy"}}}),
            "");
  EXPECT_EQ(FormErrorOf(std::nullopt),
            "copy.json: the op has no \"text\", which says how StableHLO text "
            "writes it: {\"form\": \"%operand {} : same\"}, or {\"form\": "
            "\"generic\"} if it has the generic form alone");
  EXPECT_EQ(FormErrorOf({{{"%a {} : sam"}, {}}}),
            "copy.json#/text/form: types are not written as 'sam': "
            "parse_form_types.cc has no such rule");
  EXPECT_EQ(FormErrorOf({{{"(? dim = $dimension:i64 )? {} : result"}, {}}}),
            "copy.json#/text/form: the form names '$dimension', which is no "
            "input of the op");
  EXPECT_EQ(FormErrorOf({{{"generic"}, {"dimension"}}}),
            "copy.json#/text/properties: 'dimension' is no input of the op");
}

TEST(FormTable, AnOpWithAFileStandsInNoList) {
  EXPECT_EQ(FormErrorOf({{{"binary"}, {}}}, "dot"),
            "copy.json: spec/text/forms.json has 'stablehlo.dot' as well; the "
            "form of an op that has an op file stands there alone, as "
            "\"text\"");
}

}  // namespace
}  // namespace assay::text
