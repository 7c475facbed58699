// A form is checked before any text is read by it.
#include <fmt/format.h>

#include <algorithm>

#include "spec/error.h"
#include "spec/text/form.h"
#include "spec/text/parse_part.h"

namespace assay::text {
namespace {

void CheckItems(const std::vector<FormItem>& items) {
  for (const FormItem& item : items) {
    CheckItems(item.group);
    if (item.kind == FormItem::Kind::kPart && !IsPart(item.text))
      throw InputError(
          "", fmt::format("parse_part.cc has no part '&{}'", item.text));
    if (item.kind == FormItem::Kind::kAttribute &&
        !IsAttributeKind(item.attribute_kind))
      throw InputError("",
                       fmt::format("attribute '{}' has the kind '{}', which "
                                   "is none of form.h",
                                   item.text, item.attribute_kind));
  }
}

}  // namespace

void CheckForm(const Form& form) {
  CheckItems(form.items);
  if (!form.types.empty() && !IsTypeRule(form.types))
    throw InputError("", fmt::format("types are not written as '{}': "
                                     "parse_form_types.cc has no such rule",
                                     form.types));
  const bool ends = std::ranges::any_of(form.items, [](const FormItem& item) {
    return item.kind == FormItem::Kind::kDictionary ||
           item.kind == FormItem::Kind::kPart;
  });
  if (!ends)
    throw InputError("",
                     "the form has no place for the other attributes, {}, and "
                     "forms.json has no shared form of that name");
}

}  // namespace assay::text
