// The syntax tree of StableHLO text: what stands there, before anyone asks
// whether it is a program.
//
// A tree knows no op. Pretty and generic forms of one op are one tree, aliases
// are replaced by what they stand for, and every use of a value names its
// definition. What an op allows is for the layer above.
#ifndef ASSAY_SPEC_TEXT_SYNTAX_H_
#define ASSAY_SPEC_TEXT_SYNTAX_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "spec/types/element.h"
#include "spec/types/tensor.h"

namespace assay::text {

// Both count from 1; a column is one of bytes.
struct Location {
  int line = 1;
  int column = 1;
  friend bool operator==(const Location&, const Location&) = default;
};

// Text that is not StableHLO. what() is "LINE:COLUMN: sentence", which the
// caller puts behind the name of the file.
class SyntaxError : public std::runtime_error {
 public:
  SyntaxError(Location location, const std::string& message);
  Location location() const { return location_; }
  const std::string& message() const { return message_; }

 private:
  Location location_;
  std::string message_;
};

// Text that may be right, and that asks for what no program here has yet.
// `subject` is that in a few words, by which such texts are counted:
// "stablehlo.sort", "quantized types".
class NotJudged : public SyntaxError {
 public:
  NotJudged(Location location, const std::string& message, std::string subject);
  const std::string& subject() const { return subject_; }

 private:
  std::string subject_;
};

// Constraints of the specification that a part of the text violates: of an op,
// a type or a constant, whose id `op` is.
class ConstraintsViolated : public SyntaxError {
 public:
  ConstraintsViolated(Location location, const std::string& message,
                      std::string op, std::vector<std::string> labels);
  const std::string& op() const { return op_; }
  const std::vector<std::string>& labels() const { return labels_; }

 private:
  std::string op_;
  std::vector<std::string> labels_;
};

// The subject of text that takes more memory than it may.
inline constexpr char kTooLarge[] = "more memory than is allowed";

// Text is untrusted, and these limit what it may cost: a few bytes announce a
// tensor of terabytes, and aliases of aliases double with each line.
struct Limits {
  int max_depth = 1000;  // of regions, types and attributes in one another
  int64_t max_text_bytes = int64_t{1} << 31;
  // The limit is for all tensors of a chunk together.
  int64_t max_elements_bytes = int64_t{1} << 30;
  // Statements, values, types and attributes of a chunk.
  int64_t max_nodes = 10'000'000;
};

struct Attribute;
struct Type;
using TypePtr = std::shared_ptr<const Type>;

struct NamedAttribute {
  std::string name;
  std::shared_ptr<const Attribute> value;
};
using NamedAttributes = std::vector<NamedAttribute>;

struct Type {
  enum class Kind : uint8_t {
    kTensor,
    kToken,
    kTuple,
    kFunction,
    kScalar,  // an element type by itself: `i64` in `1 : i64`
    kOther    // one that no element of a tensor has: `index` in `1 : index`
  };
  Kind kind = Kind::kTensor;
  TensorType tensor;  // kTensor; kScalar uses its element_type
  std::shared_ptr<const Attribute> encoding = nullptr;  // bounds; else null
  std::string name = {};                                // kOther
  std::vector<TypePtr> inputs = {};  // of a function; elements of a tuple
  std::vector<TypePtr> results = {};
  int64_t nodes = 1;  // that it is made of
};

bool operator==(const Type& a, const Type& b);
bool EqualTypes(const std::vector<TypePtr>& a, const std::vector<TypePtr>& b);

// Throws NotJudged at `location` if the elements of the type are quantized.
void RefuseQuantized(const Type& type, Location location);

struct UnitAttribute {};
struct IntegerAttribute {
  int64_t value = 0;  // of ui64: its bits
  TypePtr type;
};
struct FloatAttribute {
  ElementType type = ElementType::kF64;
  ElementBits bits = 0;
};
struct StringAttribute {
  std::string value;
  TypePtr type;  // null in most
};
struct SymbolAttribute {
  std::vector<std::string> path;  // @a::@b
};
struct ListAttribute {
  std::vector<Attribute> elements;
};
struct DictionaryAttribute {
  NamedAttributes entries;
};
// dense<..> : type, or array<type: ..>, which has rank 1.
struct DenseAttribute {
  Tensor elements;
  bool is_array = false;
};
// #stablehlo<comparison_direction LT>, #stablehlo.result_accuracy_mode<DEFAULT>
struct EnumAttribute {
  std::string dialect;
  std::string kind;
  std::string value;
  bool is_dotted = false;
};
// #stablehlo.gather<offset_dims = [0], ..> and its like: `name` is "gather".
// The fields that the text gives, in the order of the table in parse_struct.cc,
// but for those of the default value, which are left out; `?` is kDynamic.
struct StructAttribute {
  std::string name;
  NamedAttributes fields;
};
// An attribute of a dialect that is not ours is kept as it stands in the text.
struct OpaqueAttribute {
  std::string text;
};

struct Attribute {
  std::variant<UnitAttribute, bool, IntegerAttribute, FloatAttribute,
               StringAttribute, SymbolAttribute, TypePtr, ListAttribute,
               DictionaryAttribute, DenseAttribute, EnumAttribute,
               StructAttribute, OpaqueAttribute>
      value;

  template <class T>
  const T* As() const {
    return std::get_if<T>(&value);
  }
};

// The attribute of that name, or null.
const Attribute* Find(const NamedAttributes& attributes, std::string_view name);

// Definitions are numbered through the whole chunk: those with one name in two
// regions are two values.
struct Operand {
  std::string name;    // "arg0" of %arg0
  int64_t number = 0;  // of %name#number
  int64_t value = 0;   // The definition.
  Location location;
};

struct ResultGroup {
  std::string name;  // "r" of %r:2
  int64_t count = 1;
};

struct BlockArgument {
  std::string name;
  TypePtr type;
  Location location;
};

struct Region;

// An operation as it stands in a block.
struct Statement {
  std::string op;  // "stablehlo.add"
  std::vector<ResultGroup> results;
  std::vector<Operand> operands;
  NamedAttributes attributes;  // properties and others, sorted by name
  std::vector<Region> regions;
  std::vector<TypePtr> operand_types;
  std::vector<TypePtr> result_types;
  int64_t first_result = 0;  // Its value; the others follow.
  Location location;
};

struct Region {
  bool has_block = false;
  std::vector<BlockArgument> arguments;
  int64_t first_argument = 0;  // Its value; the others follow.
  std::vector<Statement> statements;
};

// A chunk: always a builtin.module, which the text may leave out.
struct Chunk {
  Statement module;
  int64_t values = 0;  // Definitions have numbers below.
};

// A view of a `func.func` of a tree, which must outlive it.
struct Function {
  std::string name;
  bool is_private = false;
  const Type* type = nullptr;
  const Region* body = nullptr;  // null: a declaration
  // One for each argument and result; null: none.
  std::vector<const NamedAttributes*> argument_attributes;
  std::vector<const NamedAttributes*> result_attributes;
  const Statement* statement = nullptr;
};

// A view of a `builtin.module`.
struct Module {
  std::string name;  // empty: none
  std::vector<Function> functions;
  std::vector<Module> modules;
  std::vector<const Statement*> others;
  const Statement* statement = nullptr;
};

// Throws SyntaxError where functions or modules lack what makes one: a name, a
// type that is the one of the body's arguments.
Module ReadModule(const Statement& module);
// The functions of a module, not of those within it, by their names. Throws
// SyntaxError if a name stands twice. The module outlives them.
std::map<std::string, const Function*, std::less<>> FunctionsByName(
    const Module& module);

}  // namespace assay::text

#endif  // ASSAY_SPEC_TEXT_SYNTAX_H_
