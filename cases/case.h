// A case is what a person writes to be judged. README.md describes the format,
// case.schema.json is its reference.
//
// A case is a program with values for its inputs. The oracle says what it must
// give; a case may also state it literally (and so test the oracle), or state
// that the call violates a named constraint.
#ifndef ASSAY_CASES_CASE_H_
#define ASSAY_CASES_CASE_H_

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cases/near_literal.h"
#include "cases/read/data.h"
#include "cases/read/json.h"
#include "cases/read/trait_case.h"
#include "cases/read/verified_text.h"
#include "spec/op_spec.h"
#include "spec/program.h"

namespace assay {

struct CaseInput {
  InputData data;
  Layout layout;
};

struct Case;

// VariantInfo says what a layout variant or metamorphic relation of a case is
// compared with (variants/layout_variants.h).
struct VariantInfo {
  std::string layout;  // "gaps"
  // The results must have the same bits as those of this call; null: of the
  // same call in row-major order.
  std::shared_ptr<const Case> base = nullptr;
  // Element i of the result must be element element_of[i] of the base's result.
  // Empty: element i.
  std::vector<int64_t> element_of = {};
};

struct Case {
  std::string name;  // "<op>/<id>"
  std::string op;    // under test, as the file says
  std::string file;
  std::string where;  // file and JSON pointer
  std::vector<std::string> flags;
  std::vector<std::string>
      covers;          // clause labels that the oracle must execute
  std::string source;  // of literal expectations
  std::string policy;  // under which they hold; empty: under every policy
  Program program;
  std::vector<CaseInput>
      inputs;  // of program.main(), in its order; empty if nothing is run
  std::map<std::string, Layout>
      output_layouts;  // by value name; row-major where there is none
  // Some outputs are in the memory of an input. Keys and values are value
  // names.
  std::map<std::string, std::string> alias;
  // Complex tensors start at the alignment of one component.
  bool component_aligned = false;
  std::map<std::string, Tensor> expect;  // literal results by value name
  // The literals are those of StableHLO text, which names no policy: they may
  // rest on what the specification leaves open.
  bool is_of_text = false;
  // How near literals are, by value name, if their bits need not be right.
  std::map<std::string, Nearness> nearness;
  std::vector<std::string> violates;  // labels of all constraints that are
                                      // false; empty for a valid call
  bool is_static = true;              // no `?` in any type: it can run
  // What this version lacks to judge the program: the family of an op, or
  // "quantized types". Empty: nothing.
  std::string unjudged;
  // Whether the program is executed, and its inputs have values.
  bool Runs() const {
    return violates.empty() && is_static && unjudged.empty();
  }
  std::optional<TraitCase> trait;  // of an op that is verified, never run
  // A text that must be refused, or that must be accepted and of which this
  // version judges no function. The case has no op and is not static then, and
  // `violates` has the labels that are known, of which one must be false.
  std::optional<VerifiedText> verified_text;
  bool MustBeRefused() const {
    return !violates.empty() || (verified_text && verified_text->is_invalid);
  }
  // The kind of walk that the case is made of (walks.h); empty if of none.
  std::string walk;
  // A sweep (sweep.h) is judged in chunks of so many elements. 0: the case is
  // no sweep, and is judged as a whole.
  int64_t chunk = 0;
  // A chunk is this part of the tensors of its sweep. Not every chunk has a run
  // B.
  std::optional<Window> window;
  bool runs_twice = true;
  std::optional<VariantInfo> variant;
  // A deferred variant is made of this case when its turn comes. Until then it
  // has a name and a file, and no program.
  std::shared_ptr<const Case> original;
  // A new process is given these cases before this one, one call for each op,
  // and their results are not judged. MadeEarlier makes them.
  std::vector<Case> after;

  // The first call of the op under test; the first call of all if there is
  // none. Precondition: the program has an op.
  const Op& UnderTest() const;
  // The type of the first operand of UnderTest(), which patterns match:
  // "tensor<4xi8>".
  std::string TypeText() const;
};

// Returns the case in the form in which it comes before another: it is run
// once, with nothing expected and no variant. Its name stays.
Case MadeEarlier(Case c);

// A function of StableHLO text that is no case, because it asks for what cases
// do not have.
struct LeftOut {
  std::string name;     // that the case would have
  std::string where;    // file, line and column
  std::string subject;  // "stablehlo.sort"
  std::string reason;   // a sentence
};

struct ReadOptions {
  int64_t memory_limit =
      INT64_MAX;  // bytes that the tensors of one case may take
  std::set<std::string> ops =
      {};           // whose files are read from a suite; none: all
  int threads = 1;  // that read the files of a suite
};

// A CaseFile has the cases of a file, which are read one element of "cases"
// after the other, so that a wrong one does not hide the others. The memory
// that they take is counted as they are read, with the cases that `each` makes.
class CaseFile {
 public:
  // `json` must outlive the object. Throws InputError if the op is unknown or
  // the notes cannot be read.
  CaseFile(const std::string& file, const Json& json,
           const ReadOptions& options);

  size_t size() const { return size_; }  // of "cases"
  // Returns the cases of an element: one, or several with `each`. Throws
  // InputError that names file and JSON pointer.
  std::vector<Case> Read(size_t index);

 private:
  void Count(const JsonView& where, int64_t bytes);
  void Add(const JsonView& json, std::vector<Case>* cases);
  void Expand(const JsonView& element, const JsonView& each,
              std::vector<Case>* cases);

  std::string file_;
  ReadOptions options_;
  JsonView root_;
  std::string op_;
  std::set<std::string> notes_;
  size_t size_ = 0;
  int64_t most_bytes_;
  int64_t bytes_ = 0, cases_ = 0;
};

// A file may have so many cases: more is a mistake, or an attack.
inline constexpr int64_t kMostCases = int64_t{1} << 17;

// Returns all cases of a file: `each` expanded, or all of its walks, or those
// of StableHLO text (read/mlir_cases.h), of which those that are left out are
// added to `*left_out` if it is not null. Throws InputError that names the file
// and the place in it.
std::vector<Case> ReadCaseFile(const std::string& file,
                               const ReadOptions& options,
                               std::vector<LeftOut>* left_out = nullptr);
std::vector<Case> ParseCases(const std::string& file, const Json& json,
                             const ReadOptions& options);

// Returns the files, and every *.json below the folders, sorted. Throws
// InputError for a path that does not exist.
std::vector<std::string> JsonFilesUnder(const std::vector<std::string>& paths);
// The same, with every *.mlir below the folders.
std::vector<std::string> CaseFilesUnder(const std::vector<std::string>& paths);

// Returns the cases under files and folders, sorted by file, and adds what
// StableHLO text has besides to `*left_out`, unless that is null. Throws
// InputError for a name that stands twice.
std::vector<Case> ReadSuite(const std::vector<std::string>& paths,
                            const ReadOptions& options,
                            std::vector<LeftOut>* left_out = nullptr);

// Returns the folders of the suite: conformance/, and regressions/ and walks/
// if they exist, of $ASSAY_SUITE, else of the installation. Throws InputError
// if they are not there.
std::vector<std::string> DefaultSuite();

// Returns whether a glob over `name:type` ("add/*", "*:tensor<*xi8>") matches
// the case.
bool Matches(const std::string& pattern, const Case& c);

}  // namespace assay

#endif  // ASSAY_CASES_CASE_H_
