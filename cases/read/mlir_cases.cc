#include "cases/read/mlir_cases.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "cases/read/flat_function.h"
#include "spec/error.h"
#include "spec/op_spec.h"
#include "spec/printable_text.h"
#include "spec/text/parse.h"
#include "spec/text/program_text.h"

namespace assay {
namespace {

using text::Location;
using text::NotJudged;
using text::SyntaxError;

// Half of the elements are numbers as programs have them, the others the ends
// of the type.
constexpr DrawRandom::Profile kProfile = DrawRandom::Profile::kOrdinary;

// Throws NotJudged if a value of the function, or of one inside it, is not of a
// static type.
void RequireStatic(const Function& function, Location location) {
  const auto require = [&](const auto& values) {
    for (const auto& value : values) {
      if (!value.type.IsStatic())
        throw NotJudged(
            location,
            "nothing gives the '?' a size in " + Cut(value.type.ToString()),
            "dynamic shapes");
    }
  };
  require(function.inputs);
  for (const Op& op : function.body) {
    require(op.inputs);
    require(op.outputs);
    for (const Function& region : op.regions) RequireStatic(region, location);
  }
}

// Returns the bytes of the tensors of a case, or INT64_MAX.
int64_t BytesOf(const Function& main) {
  int64_t sum = 0;
  const auto add_tensor = [&](const TensorType& type) {
    const std::optional<int64_t> count = ElementCount(type.shape);
    int64_t bytes = 0;
    if (!count ||
        __builtin_mul_overflow(*count, Info(type.element_type).bytes, &bytes) ||
        __builtin_add_overflow(sum, bytes, &sum))
      sum = INT64_MAX;
  };
  const auto add = [&](const ValueType& type) {
    for (const TypedName& tensor : TensorsOf({"", type}))
      add_tensor(tensor.type);
  };
  for (const TypedName& input : main.inputs) add(input.type);
  for (const Op& op : main.body)
    for (const Op::Result& output : op.outputs) add(output.type);
  return sum;
}

// Returns the op under test: that of the file's name if it is there, else the
// one that computes the first result, else the last one.
std::string OpUnderTest(const Function& main, const std::string& stem) {
  if (std::ranges::find(main.body, stem, &Op::op) != main.body.end())
    return stem;
  for (const TypedName& result : main.results) {
    const auto gives = [&](const Op& op) {
      return std::ranges::find(op.outputs, result.name, &Op::Result::value) !=
             op.outputs.end();
    };
    const auto op = std::ranges::find_if(main.body, gives);
    if (op != main.body.end()) return op->op;
  }
  return main.body.back().op;
}

// Returns @main, or the first function of a module that has some.
const text::Function& EntryOf(const text::Module& module) {
  const auto main =
      std::ranges::find(module.functions, "main", &text::Function::name);
  return main != module.functions.end() ? *main : module.functions.front();
}

// Throws NotJudged if it is not clear that the entry is what runs.
void RequireEntry(const text::Module& module, const text::Function& entry) {
  const Location location = entry.statement->location;
  if (module.functions.size() > 1 && entry.name != "main")
    throw NotJudged(
        location, "nothing is checked, and of several functions none is @main",
        "modules without checks and @main");
  if (entry.body == nullptr)
    throw NotJudged(location, "the function has no body",
                    "functions without a body");
}

// Returns whether verifiers accept what violates the constraints.
bool IsAccepted(const ConstraintsViolated& violated) {
  const OpSpec* const spec = FindOp(violated.op());
  if (spec == nullptr) return false;
  return std::ranges::all_of(violated.labels(), [&](const std::string& label) {
    return std::ranges::any_of(
        spec->constraints, [&](const ConstraintSpec& constraint) {
          return constraint.label == label &&
                 !constraint.accepted_in_the_field.empty();
        });
  });
}

class CaseReader {
 public:
  CaseReader(const std::string& file, const ReadOptions& options,
             std::vector<LeftOut>* left_out)
      : file_(file),
        stem_(std::filesystem::path(file).stem().string()),
        options_(options),
        left_out_(*left_out),
        bytes_left_(MostJsonBytes(options.memory_limit)) {}

  std::vector<Case> Read(const std::vector<text::ChunkText>& chunks) {
    for (const text::ChunkText& chunk : chunks) {
      try {
        ReadChunk(chunk);
      } catch (const ConstraintsViolated& e) {
        if (!IsAccepted(e)) throw InputError(Where(e.location()), e.message());
        LeaveOut(stem_, NotJudged(e.location(), e.message(),
                                  "what verifiers accept against the text"));
      } catch (const SyntaxError& e) {
        throw InputError(Where(e.location()), e.message());
      }
    }
    return std::move(cases_);
  }

 private:
  void ReadChunk(const text::ChunkText& chunk) {
    if (ExpectsError(chunk)) return ReadInvalid(chunk);
    text::Limits limits;
    limits.max_elements_bytes = bytes_left_;
    text::Chunk tree;
    try {
      tree = text::ParseChunk(chunk, limits);
    } catch (const NotJudged& e) {
      return LeaveOut(stem_, e);
    }
    const text::Module module = text::ReadModule(tree.module);
    const size_t cases = cases_.size(), left_out = left_out_.size();
    ReadModule(module, HasChecks(module));
    if (cases_.size() == cases && left_out_.size() > left_out &&
        left_out_[left_out].subject != text::kTooLarge)
      VerifyInstead(chunk, left_out);
  }

  // What is not judged may still be verified.
  void VerifyInstead(const text::ChunkText& chunk, size_t left_out) {
    const InvalidTextSubject subject = SubjectOf(chunk);
    if (FindOp(subject.op) == nullptr) return;
    Case c;
    c.op = subject.op;
    c.program.functions.emplace_back().name = "main";
    c.is_static = false;
    c.verified_text = VerifiedText{std::string(chunk.text), chunk.first_line,
                                   /*is_invalid=*/false};
    c.unjudged = left_out_[left_out].subject;
    try {
      RefusalOf(*c.verified_text, bytes_left_);
    } catch (const NotJudged&) {
      return;
    }
    const std::vector<LeftOut> functions(
        left_out_.begin() + static_cast<ptrdiff_t>(left_out), left_out_.end());
    left_out_.resize(left_out);
    c.name = functions[0].name;
    c.file = file_;
    c.where = functions[0].where;
    c.is_of_text = true;
    cases_.push_back(std::move(c));
  }

  // Every function that checks something is a case. If nothing in the chunk
  // does, the one that runs is a case, with drawn values.
  void ReadModule(const text::Module& module, bool chunk_has_checks) {
    const FunctionsOfText functions = text::FunctionsByName(module);
    if (chunk_has_checks) {
      ChecksOfFunctions checks(functions);
      for (const text::Function& function : module.functions) {
        if (!checks.Has(function)) continue;
        const Location location = function.statement->location;
        Add(function.name, location, [&] {
          return CaseOf(FlattenChecks(function, functions), location);
        });
      }
    } else if (!module.functions.empty()) {
      const text::Function& entry = EntryOf(module);
      const Location location = entry.statement->location;
      Add(entry.name, location, [&] {
        RequireEntry(module, entry);
        return DrawnCase(FlattenResults(entry, functions), location);
      });
    }
    if (module.functions.empty() && !module.others.empty())
      LeaveOut(stem_, NotJudged(module.others[0]->location,
                                "no function holds the ops of the chunk",
                                "ops outside of functions"));
    for (const text::Module& inner : module.modules)
      ReadModule(inner, chunk_has_checks);
  }

  // Tests of other tools violate what the specification says of their ops, and
  // do not tell: those that check results must be right, or are errors.
  Case DrawnCase(FlatFunction flat, Location location) {
    try {
      return CaseOf(std::move(flat), location);
    } catch (const ConstraintsViolated& e) {
      throw NotJudged(e.location(), e.message(), "violated constraints");
    }
  }

  void ReadInvalid(const text::ChunkText& chunk) {
    const InvalidTextSubject subject = SubjectOf(chunk);
    const Location location = subject.location;
    Add(subject.function.empty() ? "chunk" : subject.function, location, [&] {
      if (subject.op.empty())
        throw NotJudged(location, "the chunk has no op of StableHLO",
                        "chunks without an op");
      if (FindOp(subject.op) == nullptr)
        throw NotJudged(
            location, fmt::format("no op file describes '{}'", Cut(subject.op)),
            "stablehlo." + subject.op);
      Case c;
      c.op = subject.op;
      c.violates = subject.labels;
      c.program.functions.emplace_back().name = "main";
      c.is_static = false;
      c.verified_text = VerifiedText{std::string(chunk.text), chunk.first_line};
      // It throws NotJudged for what is left out; the verdict comes later.
      RefusalOf(*c.verified_text, bytes_left_);
      return c;
    });
  }

  // Adds what `read` returns, or what it throws NotJudged about.
  template <class Read>
  void Add(const std::string& function, Location location, const Read& read) {
    const std::string name = NameOf(function, location);
    try {
      Case c = read();
      c.name = name;
      c.file = file_;
      c.where = Where(location);
      c.is_of_text = true;
      if (!c.expect.empty()) c.source = "the checks of @" + function;
      cases_.push_back(std::move(c));
    } catch (const NotJudged& e) {
      LeaveOut(name, e);
    }
    if (static_cast<int64_t>(cases_.size() + left_out_.size()) > kMostCases)
      throw SyntaxError(
          location, fmt::format("more than {} cases in one file", kMostCases));
  }

  // Patterns and paths have a meaning for some characters.
  std::string NameOf(const std::string& function, Location location) {
    std::string name = stem_ + "/" + function;
    const auto allowed = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' ||
             c == '-' || c == '.' || c == '/';
    };
    if (function.empty() || std::ranges::count(name, '/') != 1 ||
        !std::ranges::all_of(name, allowed))
      throw SyntaxError(
          location,
          fmt::format("'{}' is no name of a case: file and function have "
                      "letters, digits, '_', '-' and '.'",
                      Cut(name)));
    std::string unique = name;
    while (!names_.insert(unique).second)
      unique = fmt::format("{}.{}", name, 1 + ++doubles_[name]);
    return unique;
  }

  Case CaseOf(FlatFunction flat, Location location) {
    Case c;
    c.program.functions = {BindRegion("main", flat.region, location)};
    const Function& main = c.program.main();
    if (main.body.empty())
      throw NotJudged(location, "the function computes nothing",
                      "functions without ops");
    RequireStatic(main, location);
    if (BytesOf(main) > options_.memory_limit)
      throw NotJudged(
          location,
          fmt::format("the tensors of the case take more than {} bytes",
                      options_.memory_limit),
          text::kTooLarge);
    c.op = OpUnderTest(main, stem_);
    const size_t drawn = main.inputs.size() - flat.constants.size();
    for (size_t i = 0; i < drawn; ++i) {
      const TensorType& type = main.inputs[i].type.tensor();
      c.inputs.push_back(
          {{type, DrawRandom{i, kProfile}}, Layout::RowMajor(type.shape)});
    }
    for (const Tensor& constant : flat.constants) {
      c.inputs.push_back({{constant.type(), constant},
                          Layout::RowMajor(constant.type().shape)});
      bytes_left_ -= constant.byte_size();
    }
    for (size_t i = 0; i < flat.checks.size(); ++i) {
      FlatFunction::Check& check = flat.checks[i];
      const std::string& value = main.results[i].name;
      bytes_left_ -= check.literal.byte_size();
      if (check.nearness) c.nearness[value] = *check.nearness;
      c.expect[value] = std::move(check.literal);
    }
    bytes_left_ = std::max<int64_t>(bytes_left_, 0);
    return c;
  }

  void LeaveOut(const std::string& name, const NotJudged& why) {
    left_out_.push_back(
        {name, Where(why.location()), why.subject(), why.message()});
  }

  std::string Where(Location location) const {
    return fmt::format("{}:{}:{}", file_, location.line, location.column);
  }

  const std::string& file_;
  const std::string stem_;
  const ReadOptions& options_;
  std::vector<LeftOut>& left_out_;
  // The values of all cases of a file are in memory, and together they take no
  // more than those of a file in JSON.
  int64_t bytes_left_;
  std::vector<Case> cases_;
  std::set<std::string> names_;
  std::map<std::string, int> doubles_;  // by name, how often it came again
};

}  // namespace

std::vector<Case> ReadMlirCases(const std::string& file, std::string_view text,
                                const ReadOptions& options,
                                std::vector<LeftOut>* left_out) {
  return CaseReader(file, options, left_out).Read(text::SplitChunks(text));
}

std::vector<Case> ReadMlirCases(const std::string& file,
                                const text::ChunkText& chunk,
                                const ReadOptions& options,
                                std::vector<LeftOut>* left_out) {
  return CaseReader(file, options, left_out).Read({chunk});
}

bool HasChecks(const text::Module& module) {
  const FunctionsOfText functions = text::FunctionsByName(module);
  ChecksOfFunctions checks(functions);
  return std::ranges::any_of(module.functions,
                             [&](const text::Function& function) {
                               return checks.Has(function);
                             }) ||
         std::ranges::any_of(module.modules, HasChecks);
}

std::string CountsOf(const std::vector<LeftOut>& left_out) {
  std::map<std::string, int> counts;
  for (const LeftOut& each : left_out) ++counts[each.subject];
  std::vector<std::pair<std::string, int>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::greater(),
                           &std::pair<std::string, int>::second);
  std::vector<std::string> texts;
  for (const auto& [subject, count] : sorted)
    texts.push_back(fmt::format("{} {}", subject, count));
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace assay
