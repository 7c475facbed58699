// This file reads budgets, and prints them as they are written.
#include "spec/accuracy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <utility>

#include "spec/error.h"
#include "spec/op_spec.h"

namespace assay {
namespace {

using UnorderedJson = nlohmann::json;

std::optional<double> ParseDecimal(std::string_view text) {
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() ||
      !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::optional<double> ParseFactor(std::string_view text) {
  if (text == "pi") return std::numbers::pi;
  if (!text.starts_with("2^")) {
    const std::optional<double> value = ParseDecimal(text);
    return value && *value >= 0 ? value : std::nullopt;
  }
  const std::optional<double> exponent = ParseDecimal(text.substr(2));
  return exponent ? std::optional(std::exp2(*exponent)) : std::nullopt;
}

Quantity ReadQuantity(const std::string& where, const UnorderedJson& json) {
  if (json.is_number())
    return {json.get<double>(), fmt::format("{}", json.get<double>())};
  const auto quantity = ParseQuantity(json.get<std::string>());
  if (!quantity)
    throw InputError(
        where, fmt::format("'{}' is no number: factors with * between them are "
                           "decimals, pi, and powers such as 2^-21.41",
                           json.get<std::string>()));
  return *quantity;
}

// Reads an error, which is absent or positive.
Quantity ReadError(const std::string& where, const UnorderedJson& row,
                   const char* name) {
  if (!row.contains(name)) return {};
  const std::string place = where + "/" + name;
  const Quantity error = ReadQuantity(place, row[name]);
  if (!(error.value > 0)) throw InputError(place, "an error is above 0");
  return error;
}

std::vector<Budget::Interval> ReadWhere(const std::string& where,
                                        const UnorderedJson& intervals) {
  std::vector<Budget::Interval> result;
  for (const auto& [name, ends] : intervals.items()) {
    const std::string place = where + "/" + name;
    if (name != "operand" && name != "lhs" && name != "rhs")
      throw InputError(place, "operands are 'operand', 'lhs' and 'rhs'");
    if (ends.size() != 2) throw InputError(place, "an interval has two ends");
    const Budget::Interval interval{name, name == "rhs" ? size_t{1} : size_t{0},
                                    ReadQuantity(place + "/0", ends[0]),
                                    ReadQuantity(place + "/1", ends[1])};
    if (!(interval.least.value <= interval.greatest.value))
      throw InputError(place, fmt::format("{} is above {}", interval.least.text,
                                          interval.greatest.text));
    result.push_back(interval);
  }
  return result;
}

// Checks that a row has one kind of bound: an inequality, or nothing, or errors
// that add up.
void RequireOneKind(const std::string& where, const UnorderedJson& row,
                    const Budget& budget) {
  const bool has_errors = row.contains("ulp") || budget.absolute.value > 0 ||
                          budget.relative.value > 0 ||
                          row.contains("operand_error");
  if (has_errors + budget.any + row.contains("result_accuracy") != 1)
    throw InputError(where,
                     "either errors ('ulp', 'absolute', 'relative', "
                     "'operand_error'), or 'result_accuracy', or 'any'");
  if (row.contains("ulp_per_operand") && !row.contains("ulp"))
    throw InputError(where + "/ulp_per_operand", "it is added to 'ulp'");
  if (!row.contains("operand_error")) return;
  for (const std::string& op : budget.ops) {
    const OpSpec* spec = FindOp(op);
    if (spec == nullptr || spec->operand_error.empty())
      throw InputError(
          where + "/operand_error",
          fmt::format("results of '{}' do not follow an error of the operand",
                      op));
  }
}

void CheckTypes(const std::string& where, const Budget& budget) {
  for (const std::string& type : budget.types) {
    const bool is_complex = type == "complex" || type.starts_with("complex<");
    if (budget.result_accuracy && is_complex)
      throw InputError(where, "'result_accuracy' is for floats only");
    if (is_complex && !(budget.IsConstant()))
      throw InputError(where, "complex numbers have a number of units only");
    // A row for a type that does not exist would never hold.
    if (type != "narrow" && type != "complex" && !ParseElementType(type))
      throw InputError(where, fmt::format("'{}' is no element type", type));
  }
}

}  // namespace

std::optional<Quantity> ParseQuantity(std::string_view text) {
  Quantity quantity{1, std::string(text)};
  if (text.starts_with('-')) {
    quantity.value = -1;
    text.remove_prefix(1);
  }
  while (true) {
    const size_t end = std::min(text.find('*'), text.size());
    const std::optional<double> factor = ParseFactor(text.substr(0, end));
    if (!factor) return std::nullopt;
    quantity.value *= *factor;
    if (end == text.size()) return quantity;
    text.remove_prefix(end + 1);
  }
}

std::vector<Budget> ParseBudgets(const std::string& file,
                                 const UnorderedJson& rows) {
  std::vector<Budget> budgets;
  for (size_t i = 0; i < rows.size(); ++i) {
    const UnorderedJson& row = rows[i];
    const std::string where = fmt::format("{}#/budgets/{}", file, i);
    Budget budget;
    budget.ops = row.at("ops").get<std::vector<std::string>>();
    budget.types = row.at("types").get<std::vector<std::string>>();
    budget.where = ReadWhere(where + "/where",
                             row.value("where", UnorderedJson::object()));
    budget.absolute = ReadError(where, row, "absolute");
    budget.relative = ReadError(where, row, "relative");
    const bool has_other_errors =
        budget.absolute.value > 0 || budget.relative.value > 0;
    budget.ulp = row.value("ulp", has_other_errors ? 0 : 0.5);
    budget.ulp_per_operand = row.value("ulp_per_operand", 0.0);
    if (row.contains("operand_error")) {
      const std::string place = where + "/operand_error";
      const UnorderedJson& error = row["operand_error"];
      budget.operand_absolute = ReadError(place, error, "absolute");
      budget.operand_relative = ReadError(place, error, "relative");
    }
    budget.any = row.value("any", false);
    budget.reason = row.at("reason").get<std::string>();
    if (row.contains("result_accuracy")) {
      const UnorderedJson& rule = row["result_accuracy"];
      budget.result_accuracy = ResultAccuracy{rule.at("atol").get<double>(),
                                              rule.at("rtol").get<double>(),
                                              rule.at("ulps").get<int64_t>()};
    }
    RequireOneKind(where, row, budget);
    CheckTypes(where + "/types", budget);
    budgets.push_back(std::move(budget));
  }
  return budgets;
}

bool Budget::Covers(std::string_view op, ElementType type) const {
  const auto names = [](const std::vector<std::string>& list,
                        std::string_view name) {
    return std::ranges::find(list, name) != list.end();
  };
  const bool is_narrow = IsFloat(type) && Info(type).bits <= 16;
  return names(ops, op) &&
         (names(types, Name(type)) || (is_narrow && names(types, "narrow")) ||
          (IsComplex(type) && names(types, "complex")));
}

bool Budget::Holds(double x, double y) const {
  return std::ranges::all_of(where, [&](const Interval& interval) {
    const double value = interval.operand == 0 ? x : y;
    return interval.least.value <= value && value <= interval.greatest.value;
  });
}

bool Budget::IsConstant() const {
  return where.empty() && !any && ulp_per_operand == 0 && absolute.value == 0 &&
         relative.value == 0 && operand_absolute.value == 0 &&
         operand_relative.value == 0;
}

std::string Budget::WhereText() const {
  std::vector<std::string> texts;
  for (const Interval& interval : where)
    texts.push_back(fmt::format("{} in [{}, {}]", interval.name,
                                interval.least.text, interval.greatest.text));
  return fmt::format("{}", fmt::join(texts, " and "));
}

std::string Budget::Text() const {
  if (any) return "any value";
  if (result_accuracy)
    return fmt::format("atol {} rtol {} ulps {}", result_accuracy->atol,
                       result_accuracy->rtol, result_accuracy->ulps);
  std::vector<std::string> terms;
  if (ulp_per_operand != 0) {
    terms.push_back(
        fmt::format("{} + floor({} |operand|) ulp", ulp, ulp_per_operand));
  } else if (ulp != 0) {
    terms.push_back(fmt::format("{} ulp", ulp));
  }
  if (absolute.value != 0) terms.push_back("absolute " + absolute.text);
  if (relative.value != 0) terms.push_back("relative " + relative.text);
  std::vector<std::string> of_operand;
  if (operand_absolute.value != 0)
    of_operand.push_back("absolute " + operand_absolute.text);
  if (operand_relative.value != 0)
    of_operand.push_back("relative " + operand_relative.text);
  const bool of_logarithm = std::ranges::any_of(ops, [](const std::string& op) {
    const OpSpec* spec = FindOp(op);
    return spec != nullptr && spec->operand_error == "logarithm";
  });
  if (!of_operand.empty())
    terms.push_back(fmt::format("what {} that is off by {} gives",
                                of_logarithm ? "a logarithm" : "an operand",
                                fmt::join(of_operand, " + ")));
  return fmt::format("{}", fmt::join(terms, " + "));
}

}  // namespace assay
