// Writes the oracle's conversions between floats as tables, for
// ml_dtypes_test.py.
//
//   format_table FOLDER
//
// For each type of 16 bits or fewer FOLDER/TYPE.out gets the values of all bit
// patterns as f64, and behind them the conversion of each to every such type,
// in the order of the element types: all by `convert` under policy assay,
// little-endian, with elements as in a buffer. If FOLDER/f32.in or f64.in
// exists, its elements are converted too, to f32.out and f64.out.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "oracle/oracle.h"

namespace assay {
namespace {

std::vector<ElementType> NarrowFloats() {
  std::vector<ElementType> types;
  for (const ElementTypeInfo& info : ElementTypes()) {
    if (IsFloat(info.type) && info.bits <= 16) types.push_back(info.type);
  }
  return types;
}

Tensor EveryPattern(ElementType type) {
  Tensor tensor(TensorType{{int64_t{1} << Info(type).bits}, type});
  for (int64_t i = 0; i < tensor.size(); ++i)
    tensor.SetBits(i, static_cast<ElementBits>(i));
  return tensor;
}

// Returns nullopt if the file does not exist.
std::optional<Tensor> ReadTensor(const std::string& path, ElementType type) {
  std::ifstream stream(path, std::ios::binary | std::ios::ate);
  if (!stream) return std::nullopt;
  const int64_t bytes = stream.tellg();
  Tensor tensor(TensorType{{bytes / Info(type).bytes}, type});
  stream.seekg(0);
  stream.read(reinterpret_cast<char*>(tensor.data()), tensor.type().ByteSize());
  return tensor;
}

Tensor Converted(const Tensor& operand, ElementType to) {
  Op op;
  op.op = "convert";
  op.inputs = {{"operand", "operand", operand.type()}};
  op.outputs = {{"result", "result", {operand.type().shape, to}}};
  return Evaluate(op, {operand}, Policy::Find("assay"), Marks::kNone)
      .outputs[0]
      .lo;
}

// Returns false if the file cannot be written.
bool WriteTables(const std::string& folder, const Tensor& operand,
                 const std::vector<ElementType>& results) {
  const std::string path =
      fmt::format("{}/{}.out", folder, Name(operand.element_type()));
  std::ofstream stream(path, std::ios::binary);
  for (const ElementType to : results) {
    const Tensor table = Converted(operand, to);
    stream.write(reinterpret_cast<const char*>(table.data()),
                 table.type().ByteSize());
  }
  stream.close();
  if (!stream) fmt::print(stderr, "format_table: cannot write {}\n", path);
  return !stream.fail();
}

int Main(const std::string& folder) {
  const std::vector<ElementType> narrow = NarrowFloats();
  std::vector<ElementType> with_f64 = {ElementType::kF64};
  with_f64.insert(with_f64.end(), narrow.begin(), narrow.end());
  for (const ElementType type : narrow) {
    if (!WriteTables(folder, EveryPattern(type), with_f64)) return 1;
  }
  for (const ElementType type : {ElementType::kF32, ElementType::kF64}) {
    const auto operand =
        ReadTensor(fmt::format("{}/{}.in", folder, Name(type)), type);
    if (operand && !WriteTables(folder, *operand, narrow)) return 1;
  }
  return 0;
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  if (argc == 2) return assay::Main(argv[1]);
  fmt::print(stderr, "usage: format_table FOLDER\n");
  return 2;
}
