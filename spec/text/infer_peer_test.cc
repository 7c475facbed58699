// The tests of StableHLO's type inference ($ASSAY_PEER_DIR): what
// hlo_test_infer.get_return_types must give stands in a comment, and is what we
// infer where it is static.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <regex>

#include "spec/op_spec.h"
#include "spec/text/program_text.h"

namespace assay {
namespace {

// What is asked of a chunk: the types of the results of its last op.
struct Asked {
  std::string text;
  std::map<size_t, std::string> types;  // by the number of the result
};

// Takes the op of the test away, whose results are tensors of index.
Asked AskedOf(const std::string& chunk) {
  Asked asked;
  const size_t test = chunk.find("\"hlo_test_infer.get_return_types\"");
  if (test == std::string::npos) return asked;
  const std::string head = chunk.substr(0, chunk.rfind('\n', test));
  const std::regex type("types([0-9]+) = ([^\n]*)");
  for (auto it = std::sregex_iterator(head.begin(), head.end(), type);
       it != std::sregex_iterator(); ++it)
    asked.types[std::stoul((*it)[1])] =
        (*it)[2].str().substr(0, (*it)[2].str().find(", types"));
  const std::regex results(R"(->\s*\(?\s*tensor<[0-9x?]*index>[^{]*\{)");
  asked.text = std::regex_replace(head, results, "{",
                                  std::regex_constants::format_first_only) +
               "\n  func.return\n}\n";
  return asked;
}

TEST(InferPeer, StaticTypesAreThoseOfStableHlosTests) {
  const char* const folder = std::getenv("ASSAY_PEER_DIR");
  if (folder == nullptr)
    GTEST_SKIP() << "ASSAY_PEER_DIR is not set: the peer's tests are not read";
  const std::string path =
      std::string(folder) + "/stablehlo/verify/infer_stablehlo.mlir";
  std::ifstream stream(path, std::ios::binary);
  const std::string file{std::istreambuf_iterator<char>(stream), {}};
  int agree = 0, not_inferred = 0, dynamic = 0, outside = 0;
  for (const text::ChunkText& chunk : text::SplitChunks(file)) {
    const Asked asked = AskedOf(std::string(chunk.text));
    if (asked.types.empty()) continue;
    std::vector<Function> functions;
    try {
      functions = BindProgram(text::ParseChunk({asked.text, chunk.first_line}),
                              Reading::kVerified)
                      .functions;
    } catch (const text::SyntaxError& e) {
      std::cout << "outside: line " << e.location().line << ": " << e.message()
                << "\n";
      ++outside;
      continue;
    }
    const Op& op = functions.front().body.back();
    const std::vector<InferredType> inferred =
        InferResultTypes(*FindOp(op.op), op);
    for (const auto& [number, type] : asked.types) {
      if (type.find_first_of("?#") != std::string::npos ||
          number >= op.outputs.size()) {
        ++dynamic;
        continue;
      }
      const InferredType* of = FindInferred(inferred, op, number);
      if (of == nullptr || !of->IsWhole()) {
        std::cout << "not inferred: " << op.op << "\n";
        ++not_inferred;
        continue;
      }
      // What is static there may follow from several operands with a `?`.
      const ValueType expected = ReadValueType("expected", type);
      TensorType ours = of->Type();
      for (size_t d = 0; d < ours.shape.size(); ++d) {
        if (ours.shape[d] == kDynamic && d < expected.tensor().shape.size())
          ours.shape[d] = expected.tensor().shape[d];
      }
      EXPECT_EQ(ours.ToString(), expected.ToString())
          << path << ":" << chunk.first_line << ": " << op.op;
      ++agree;
    }
  }
  std::cout << agree << " static types, " << not_inferred << " not inferred, "
            << dynamic << " with '?', " << outside << " chunks outside\n";
  EXPECT_EQ(agree, 37);
}

}  // namespace
}  // namespace assay
