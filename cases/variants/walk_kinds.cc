// Kinds of walks are read from JSON here.
#include <fmt/format.h>

#include <set>

#include "cases/variants/walks.h"
#include "spec/printable_text.h"

namespace assay {
namespace {

constexpr int64_t kLargest = int64_t{1} << 40;  // size, stride or offset

template <class List>  // Shape or Strides
List ParseList(const JsonView& array, int64_t least) {
  List list;
  for (const JsonView& element : array.Elements())
    list.push_back(element.Integer(least, kLargest));
  return list;
}

WalkKind::Lies ParseLies(const JsonView& json) {
  const std::string text = json.String();
  using Lies = WalkKind::Lies;
  if (text == "contiguous") return Lies::kContiguous;
  if (text == "operand") return Lies::kOperand;
  if (text == "operands") return Lies::kOperands;
  if (text == "result") return Lies::kResult;
  if (text == "in_place") return Lies::kInPlace;
  json.Fail(
      "expected \"contiguous\", \"operand\", \"operands\", \"result\" or "
      "\"in_place\"");
}

WalkTypes ParseTypes(const JsonView& json) {
  const std::string text = json.String();
  if (text == "narrowest") return WalkTypes::kNarrowest;
  if (text == "sub_byte") return WalkTypes::kSubByte;
  json.Fail("expected \"narrowest\" or \"sub_byte\"");
}

WalkKind ParseKind(const JsonView& json, const std::string& where) {
  json.RequireObject({"kind", "text", "shape", "lies", "strides", "offset",
                      "operand_shape", "operands", "types", "shows"});
  WalkKind kind;
  kind.where = where;
  kind.name = json.At("kind").String();
  if (kind.name.empty() ||
      kind.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") !=
          std::string::npos)
    json.At("kind").Fail(fmt::format(
        "'{}' is no name of small letters, digits and '_'", Cut(kind.name)));
  kind.text = json.At("text").String();
  kind.shape = ParseList<Shape>(json.At("shape"), 0);
  const auto count = ElementCount(kind.shape);
  if (!count) json.At("shape").Fail("more elements than 63 bits count");
  kind.lies = ParseLies(json.At("lies"));
  if (const auto strides = json.Find("strides")) {
    for (const JsonView& list : strides->Elements()) {
      kind.strides.push_back(ParseList<Strides>(list, -kLargest));
      if (kind.strides.back().size() != kind.shape.size())
        list.Fail(fmt::format("{} stride(s) for rank {}",
                              kind.strides.back().size(), kind.shape.size()));
    }
  }
  if (const auto offset = json.Find("offset"))
    kind.offset = offset->Integer(0, kLargest);
  if (const auto shape = json.Find("operand_shape")) {
    kind.operand_shape = ParseList<Shape>(*shape, 0);
    if (!kind.strides.empty() || kind.lies != WalkKind::Lies::kOperand)
      shape->Fail("is of an operand in turn, in row-major order");
  }
  if (const auto operands = json.Find("operands"))
    kind.least_operands = static_cast<size_t>(operands->Integer(1, 64));
  if (const auto types = json.Find("types")) kind.types = ParseTypes(*types);
  if (const auto shows = json.Find("shows")) {
    if (shows->String() != "last") shows->Fail("expected \"last\"");
    if (kind.shape.empty() || kind.shape[0] < 2 || *count == 0)
      shows->Fail("no two elements along a first dimension");
    kind.shows_last = true;
  }
  const bool needs_strides = kind.lies == WalkKind::Lies::kOperands ||
                             kind.lies == WalkKind::Lies::kResult;
  if (needs_strides && kind.strides.empty())
    json.Fail("says what lies otherwise, and not how: no 'strides'");
  return kind;
}

}  // namespace

bool HasWalks(const Json& json) {
  return json.is_object() && json.contains("walks");
}

std::vector<WalkKind> ParseWalkKinds(const std::string& file,
                                     const Json& json) {
  const JsonView root(json, file);
  root.RequireObject({"walks"});
  std::vector<WalkKind> kinds;
  std::set<std::string> names;
  for (const JsonView& element : root.At("walks").Elements()) {
    kinds.push_back(
        ParseKind(element, fmt::format("{}#/walks/{}", file, kinds.size())));
    if (!names.insert(kinds.back().name).second)
      element.At("kind").Fail(
          fmt::format("the kind '{}' stands twice", Cut(kinds.back().name)));
  }
  return kinds;
}

std::vector<WalkKind> SuiteWalkKinds() {
  std::vector<WalkKind> kinds;
  for (const std::string& file : JsonFilesUnder(DefaultSuite())) {
    if (!file.ends_with("/walks.json")) continue;
    for (WalkKind& kind : ParseWalkKinds(file, ReadJsonFile(file)))
      kinds.push_back(std::move(kind));
  }
  return kinds;
}

}  // namespace assay
