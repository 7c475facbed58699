// Makes the first inputs of the fuzz targets from files of the repository and
// drawn cases: a corpus that is made is never out of date.
//
//   make_corpus DIR REPOSITORY    writes DIR/case_fuzzer/0001, ..
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>

#include "backends/host/worker_messages.h"
#include "cases/case.h"
#include "cases/read/json.h"
#include "fuzz/draw/draw.h"
#include "fuzz/draw/first_cases.h"
#include "reports/json_lines.h"
#include "spec/error.h"
#include "spec/op_spec.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kDrawn = 200;  // of seed 0
// libFuzzer prefers small inputs, and a file of cases has hundreds.
constexpr size_t kMostBytes = 2000;
constexpr int kMostOfAFile = 4;

class Folder {
 public:
  explicit Folder(const fs::path& path) : path_(path) {
    fs::create_directories(path);
  }
  std::string Next() {
    return (path_ / fmt::format("{:04}", ++count_)).string();
  }
  void Add(std::string_view bytes) {
    const std::string path = Next();
    std::ofstream stream(path, std::ios::binary | std::ios::trunc);
    if (!(stream << bytes << std::flush))
      throw InputError(path, "cannot be written");
  }

 private:
  fs::path path_;
  int count_ = 0;
};

// Adds each case alone, with the notes that its flags name, and some cases with
// rare fields.
void AddCases(const fs::path& repository, Folder* folder) {
  for (const char* text :
       {R"({"op": "sine", "cases": [{"id": "a", "result_accuracy": )"
        R"({"atol": 0.5, "rtol": 1e-3, "ulps": 2}, "inputs": {"operand": )"
        R"({"type": "tensor<1xf32>", "data": [1]}}}]})",
        R"({"op": "add", "cases": [{"id": "a", "inputs": {"x": {"type": )"
        R"("tensor<2xf32>", "data": [1, 1], "strides": [0], "offset": 1, )"
        R"("storage": 3}}, "program": [{"op": "add", "inputs": {"lhs": "x", )"
        R"("rhs": {"type": "tensor<2xf32>", "data": [1, 2]}}, "outputs": )"
        R"({"result": {"name": "t"}}}], "alias": {"t": "0.rhs"}}]})"})
    folder->Add(text);
  for (const std::string& path :
       JsonFilesUnder({(repository / "cases/conformance").string(),
                       (repository / "cases/regressions").string()})) {
    const Json file = ReadJsonFile(path);
    int count = 0;
    for (const Json& c : file.at("cases")) {
      Json alone = {{"op", file.at("op")}};
      for (const std::string& flag :
           c.value("flags", std::vector<std::string>()))
        alone["notes"][flag] = file.at("notes").at(flag);
      alone["cases"] = Json::array({c});
      const std::string text = alone.dump();
      if (text.size() > kMostBytes) continue;
      folder->Add(text);
      if (++count == kMostOfAFile) break;
    }
  }
}

void AddFormulas(Folder* folder) {
  std::set<std::string> texts = {
      R"([[0, 1, "DEFAULT"], [0, 1, "ALWAYS_BOOL"]])",
      R"([[0, "INT_TO_FLOAT"]])",
      "tensor<2x?xi8>",
      "tensor<*xf32>",
      "vector<4xcomplex<f64>>",
      "tensor<0x1x65536xf4E2M1FN>",
      "memref<4xi32>"};
  for (const OpSpec& spec : Ops()) {
    for (const ConstraintSpec& constraint : spec.constraints)
      texts.insert(constraint.formula.text());
    for (const auto& [name, formula] : spec.infer) texts.insert(formula.text());
    for (const auto& [name, formula] : spec.where) texts.insert(formula.text());
  }
  for (const std::string& text : texts) folder->Add(text);
}

// One of each thing that text can say.
void AddTexts(Folder* folder) {
  for (
      const char* text :
      {R"(#a = [1, 0.5]
!t = tuple<i8, !stablehlo.token>
module @m attributes {a = #a} {
  func.func public @f(%x: !t {j = "\0A"} loc("l")) -> (!t {k}) {
    return %x : !t
  }
}
// -----
func.func private @g(i8) -> ())",
       R"(%0:2 = "a"() <{b = @c::@"d"}> ({
^bb0(%1: i8):
  "e"(%1) : (i8) -> ()
}, {}) {f = unit} : () -> (i8, index)
"g"(%0#1) : (index) -> () loc(unknown))",
       R"(%0 = stablehlo.constant dense<[[1, -2], [0x3, 255]]> : tensor<2x2xi8>
%1 = stablehlo.constant dense<"0x0001"> : tensor<2xi1>
%2 = stablehlo.constant dense<(1.5, 0x7FC00000)> : tensor<0x2xcomplex<f32>>
%3 = stablehlo.add %0, %0 : tensor<2x2xi8>
%4 = stablehlo.compare LT, %0, %3, SIGNED : (tensor<2x2xi8>, tensor<2x2xi8>) -> tensor<2x2xi1>
%5 = stablehlo.slice %0 [0:1, 0:2:1] : (tensor<2x2xi8>) -> tensor<1x2xi8>)",
       R"(func.func @r(%a: tensor<2xf32>, %b: tensor<f32>) {
  %0 = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.reduce(%a init: %b) across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
   reducer(%x: tensor<f32>, %y: tensor<f32>) { stablehlo.return %x : tensor<f32> }
  %2 = stablehlo.while(%i = %b) : tensor<f32> cond { stablehlo.return } do { stablehlo.return %i : tensor<f32> }
  return
})",
       R"("a"() {a = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>,
b = #stablehlo.gather<offset_dims = [0], index_vector_dim = 1>,
c = #stablehlo<precision HIGH>, d = array<i64: 1, 2>, e = array<i1>,
f = #stablehlo.result_accuracy<atol = 0.5, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>,
g = #sdy.sharding<@m, [{"x"}]>, h = tensor<?x!quant.uniform<u8<1:9>:f32:0, {0.5:3, 1.0}>, #stablehlo.bounds<4>>} : () -> ())",
       R"(%0 = stablehlo.convolution(%a, %b) dim_numbers = [b, f]x[i, o]->[b, f], window = {stride = [], pad = [[0, 1]], reverse = [true]} {batch_group_count = 1 : i64} : (i8, i8) -> i8
%1 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT], algorithm = <accumulation_type = f32> : (i8, i8) -> i8
%2 = stablehlo.custom_call @f(%a) {x} : (i8) -> i8
%3 = stablehlo.reduce_precision %a, format = e5m10 : i8
stablehlo.optimization_barrier())"})
    folder->Add(text);
}

std::vector<Verdict> Verdicts() {
  std::vector<Verdict> verdicts;
  for (size_t i = 0; i < kOutcomeNames.size(); ++i) {
    Verdict& verdict = verdicts.emplace_back();
    verdict.index = static_cast<int64_t>(i);
    verdict.case_name = fmt::format("add/a{}", i);
    verdict.op = "add";
    verdict.type = "tensor<2xi8>";
    verdict.backend = "simd";
    verdict.outcome = static_cast<Outcome>(i);
    verdict.message = "why \"\\\xc3\xa9";
  }
  Verdict& failed = verdicts[static_cast<size_t>(Outcome::kFail)];
  failed.also = {Outcome::kNondeterministic};
  failed.basis = "policy:shift_overflow";
  failed.clauses = {"add/S2"};
  failed.covered = {"S1", "S2"};
  failed.layouts = {"row_major", "transposed"};
  failed.violated = {"C1"};
  failed.flush = {"inputs"};
  failed.elements = 12;
  failed.open = failed.unchecked_literals = failed.aliased = 3;
  failed.error_ulps = 2.5;
  failed.replay = "assay run --op 'add/a1'";
  Verdict& measured = verdicts[0];
  measured.variant = "gaps";
  measured.layout_dependent = 2;
  measured.not_repeated = 4;
  measured.reordered = 3;
  measured.result_type = "f32";
  measured.chunks = Verdict::Chunks{7, 2};
  measured.accuracy.emplace();
  measured.accuracy->type = "f32";
  measured.accuracy->worst = "operand = 1";
  measured.accuracy->worst_index = 3;
  measured.accuracy->tiers = {1, 2, 3, 4};
  return verdicts;
}

// Adds a whole file, and the journal of an interrupted run.
void AddResults(Folder* folder) {
  RunHeader header;
  header.command = {"assay", "run"};
  header.suite = {"cases"};
  header.suite_sha256 = "5517e";
  header.time = "2026-01-01T00:00:00Z";
  header.hosts = {R"({"cpu":"any"})"};
  header.backends.push_back({"simd",
                             "simd",
                             "0.1.0",
                             "simd.so",
                             "b17e",
                             "assay",
                             {{"shift_overflow", "saturate"}}});
  const std::vector<Verdict> verdicts = Verdicts();
  header.cases = verdicts.size();
  for (const bool is_whole : {true, false}) {
    const std::string path = folder->Next();
    {
      JsonLinesWriter writer(path, header);
      Summary summary;
      for (const Verdict& verdict : verdicts) {
        writer.Write(verdict);
        summary.Add(verdict);
      }
      if (is_whole) writer.Finish(summary, 1.5, {"eigen"});
    }
    if (!is_whole) fs::rename(path + ".partial", path);
    fs::remove(path + ".chunks");
  }
}

// Returns the runner's message about a call, each tensor in a slot of its own.
std::string CallLine(const Case& c, uint64_t number) {
  Arena arena;
  const Op& op = c.UnderTest();
  PlacedCall call{&op, {}, {}};
  std::vector<Strides> strides(op.inputs.size() + op.outputs.size());
  const auto place = [&](const TensorType& type, size_t i) {
    strides[i] = RowMajorStrides(type.shape);
    const Slot slot = arena.Acquire(1);
    return PlacedTensor{&type, &strides[i], slot, slot.data, false};
  };
  size_t i = 0;
  for (const Op::Operand& operand : op.inputs)
    call.inputs.push_back(place(operand.type, i++));
  for (const Op::Result& result : op.outputs)
    call.outputs.push_back(place(result.type, i++));
  std::vector<PlacedTensor> constants;
  std::vector<Strides> of_constants(op.attributes.size());
  for (size_t k = 0; k < op.attributes.size(); ++k) {
    const Tensor* tensor = std::get_if<Tensor>(&op.attributes[k].value);
    if (tensor == nullptr) continue;
    of_constants[k] = RowMajorStrides(tensor->type().shape);
    const Slot slot = arena.Acquire(1);
    constants.push_back(
        {&tensor->type(), &of_constants[k], slot, slot.data, false});
  }
  std::string line;
  AppendCall(number, call, constants, &line);
  return line;
}

void AddAnswers(Folder* folder) {
  for (const char* line :
       {R"({"hello": {"protocol": 1, "name": "simd", "version": "1.2", )"
        R"("validates": false, "validates_pointwise": true, )"
        R"("over_read_bytes": 64}})",
        R"({"error": "target avx2 is not supported by this processor"})",
        R"({"grow": 4194304})", R"({"call": 17, "status": "ok"})",
        R"({"call": 18, "status": "unsupported", "message": "no power"})",
        R"({"call": 19, "status": "ok", "environment_changed": true})",
        R"({"call": 20, "op": "add", "regions": ["^bb0:"], "attributes": )"
        R"([{"name": "a", "text": "EQ"}]})"})
    folder->Add(line);
}

void MakeCorpus(const fs::path& out, const fs::path& repository) {
  Folder ops(out / "ops_fuzzer"), cases(out / "case_fuzzer"),
      formulas(out / "formula_fuzzer"), results(out / "result_fuzzer"),
      messages(out / "worker_fuzzer"), texts(out / "text_fuzzer");
  AddCases(repository, &cases);
  AddFormulas(&formulas);
  AddResults(&results);
  AddAnswers(&messages);
  AddTexts(&texts);
  Generator everything{DrawOptions()};
  if (const std::string digest = DigestOfCases(&everything);
      digest != kDigestOfFirstCases)
    throw std::runtime_error("this build draws other cases than it should: " +
                             digest);
  DrawOptions options;
  options.enumerates = false;
  options.only_pointwise_violations = true;
  Generator generator(options);
  for (uint64_t index = 0; index < kDrawn; ++index) {
    Choices choices(0, index);
    Recording recording;
    choices.Record(&recording);
    const Drawn drawn = generator.Draw(&choices);
    const std::vector<uint8_t> bytes = recording.Encode();
    if (bytes.size() <= kMostBytes)
      ops.Add({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    if (index % 4 == 0) messages.Add(CallLine(drawn.c, index + 1));
  }
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: make_corpus DIR REPOSITORY\n");
    return 2;
  }
  try {
    assay::MakeCorpus(argv[1], argv[2]);
  } catch (const std::exception& e) {
    fmt::print(stderr, "make_corpus: {}\n", e.what());
    return 1;
  }
  return 0;
}
