// The plugin ABI of assay: what a backend exports to be judged. Plain C11,
// DLPack tensors, one exported symbol.
//
// A backend is a shared library that exports `assay_backend`. `assay` loads it,
// calls `run` on one op at a time, or `run_program` on a whole program, and
// judges the bytes that it left in the outputs. Nothing else of assay is needed
// to write one: see example/ for a complete plugin in C.
//
// Rules
//  1. `run` and `run_program` are never called concurrently in one process.
//  2. `strides` is never NULL for ndim > 0. Strides count elements, not bytes,
//  and may be 0 or negative.
//  3. `data` is the base of the allocation, aligned to 256 bytes. `data +
//  byte_offset` is element [0, .., 0]; it is aligned to
//     the natural alignment of its type (complex: that of its component) and to
//     no more than that.
//  4. Sub-byte types take one element a byte, in the low bits. The high bits
//  are 0 on input and ignored on output.
//  5. `i1` is one byte, 0 or 1, on input and on output. A complex element is
//  (real, imaginary).
//  6. Inputs are read-only. Only the elements of outputs may be written; every
//  one of them must be. An output may have strides of its own, whose elements
//  do not share a place, and it may be exactly one of the inputs (same address,
//  type, shape and strides): the call is then in place. In place, an element of
//  the output need not be made of the element of the input that lies there:
//  broadcast_in_dim with broadcast_dimensions [1, 0] of a square tensor
//  transposes it in its own memory, and a pointwise call may take the memory of
//  an operand that others are broadcast against. What an element is still
//  needed for is read before it is written over, or the call is declined.
//  7. The rounding mode, the flush flags and the exception masks are left as
//  they were found.
//  8. An op, attribute or region that the backend does not know makes the call
//  ASSAY_UNSUPPORTED: what it asks for is not known either.
//  9. Call, program and backend structures grow only at their end: read no
//  further than their `struct_size`. AssayTensor, AssayAttribute, AssayFunction
//     and AssayFunctionOp are frozen within a major version. A backend of
//     another major version is refused.
//  10. `device` says where inputs and outputs lie: on the host (kDLCPU), or on
//  a CUDA device (kDLCUDA), in memory that is mapped in its primary context.
//  `configure` may change it; it is read after the last option was given.
//  Values of attributes lie in host memory always, and say so.
//  11. On a CUDA device, inputs are there for what is launched on the legacy
//  default stream, or on a stream that waits for that one, as all do that were
//  not created otherwise. `run` and `run_batch` need not wait for what they
//  launch: `synchronise` does, before an output is looked at, and says what
//  went wrong.
//  12. The tensors of a program lie on the host in row-major order, without
//  gaps, whatever `device` says, and no output is an input.
#ifndef ASSAY_BACKENDS_BACKEND_H_
#define ASSAY_BACKENDS_BACKEND_H_

#include <dlpack/dlpack.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_ABI_MAJOR 1u
#define ASSAY_ABI_MINOR 1u

// DLPack 1.1 has these type codes, the packaged header (0.6) does not have them
// yet.
enum {
  ASSAY_DL_BOOL = 6,
  ASSAY_DL_FLOAT8_E3M4 = 7,
  ASSAY_DL_FLOAT8_E4M3 = 8,
  ASSAY_DL_FLOAT8_E4M3B11FNUZ = 9,
  ASSAY_DL_FLOAT8_E4M3FN = 10,
  ASSAY_DL_FLOAT8_E4M3FNUZ = 11,
  ASSAY_DL_FLOAT8_E5M2 = 12,
  ASSAY_DL_FLOAT8_E5M2FNUZ = 13,
  ASSAY_DL_FLOAT8_E8M0FNU = 14,
  ASSAY_DL_FLOAT6_E2M3FN = 15,
  ASSAY_DL_FLOAT6_E3M2FN = 16,
  ASSAY_DL_FLOAT4_E2M1FN = 17
};

typedef enum {
  ASSAY_OK = 0,
  ASSAY_UNSUPPORTED = 1,  // Declined: this op, type or layout is not
                          // implemented. Outputs may hold anything.
  ASSAY_INVALID = 2,  // The call violates a constraint of the op. Only backends
                      // that declare ASSAY_VALIDATES are asked.
  ASSAY_ERROR = 3     // The backend failed. `message` says why.
} AssayStatus;

// These are the bits of AssayTensor.flags.
#define ASSAY_SCALAR \
  1u  // The operand was given as a scalar, not as a 0-d tensor. It decides type
      // promotion only.

typedef struct {
  DLTensor tensor;
  const char* type;  // StableHLO type text, such as "tensor<2x3xi8>".
  uint32_t flags;
  uint64_t reserved[2];
} AssayTensor;

// An attribute is a constant of a call. `assay spec OP` prints those that an op
// has, with their types; one that the text lets a call leave out may be absent.
// `text` is always set, and `value` is, too, if the constant is a tensor:
//   an enum constant or a type is its name: "LT", "tf32"; a list is "[LT]";
//   a tensor of rank 0 is "7" or "true", a list of numbers "[1, 0]", and the
//     elements of `value` lie in row-major order;
//   promotion_methods, of every op whose name begins with "pointwise.", is a
//     list for every output, of the inputs whose types are promoted, and how:
//     "[[0, 1, \"DEFAULT\"]]". The methods are "DEFAULT", "NO_OPMATH",
//     "INT_TO_FLOAT", "ALWAYS_BOOL", "COMPLEX_TO_FLOAT" and "BOOL_TO_LONG".
typedef struct {
  const char* name;
  const char* text;  // The constant as text, always: "LT", "true", "7".
  // The constant as a tensor when it is numeric, else NULL.
  const AssayTensor* value;
  uint64_t reserved[2];
} AssayAttribute;

// A function that an op is given, such as the body of reduce, is also there in
// a form that needs no parser. Its values have numbers: the arguments come
// first, then the results of its ops, in order. What the function uses of the
// values around it are its last arguments.
typedef struct AssayFunctionOp AssayFunctionOp;
typedef struct {
  int32_t num_arguments;
  const char* const* argument_types;  // "tensor<f32>"
  int32_t num_ops;
  const AssayFunctionOp* ops;
  int32_t num_results;
  const int32_t* results;  // numbers of values
  // "add" if the function has two arguments of one type and returns their sum,
  // and likewise for the other ops that form monoids: "and", "maximum",
  // "minimum", "multiply", "or", "xor". Else NULL.
  const char* monoid;
  uint64_t reserved[2];
} AssayFunction;

// The fields are those of AssayCall, but for operands, which are numbers of
// values. Values of attributes lie in host memory in row-major order.
struct AssayFunctionOp {
  const char* op;
  int32_t num_inputs;
  const int32_t* inputs;
  int32_t num_outputs;
  const char* const* output_types;
  int32_t num_attributes;
  const AssayAttribute* attributes;
  int32_t num_functions;
  const AssayFunction* functions;
  int32_t num_captures;  // the last of `inputs`
  uint64_t reserved[2];
};

typedef struct {
  size_t struct_size;
  const char* op;  // "add", "paddle.bitwise_left_shift".
  int32_t num_inputs;
  const AssayTensor* inputs;
  int32_t num_outputs;
  const AssayTensor* outputs;
  int32_t num_attributes;
  const AssayAttribute* attributes;
  int32_t num_regions;
  // StableHLO text: each is one `func.func private @NAME` in the generic form,
  // whose last arguments are the captures.
  const char* const* regions;
  // The fields from here on are there since ABI 1.1.
  //
  // An input of an op may be any number of tensors, such as the `inputs` of
  // reduce, which are followed by as many `init_values`. Each of the op's
  // inputs that are tensors is a group, in the order of the specification.
  int32_t num_input_groups;
  const int32_t* input_group_sizes;
  // The last of `inputs` are no operands: the functions of the call use them.
  // They are in no group.
  int32_t num_captures;
  // The same functions as `regions`, or NULL if one of them has values that are
  // no tensors.
  const AssayFunction* functions;
} AssayCall;

// What a program took, in seconds. A backend that measures it adds to the
// fields.
typedef struct {
  double compile;  // of programs that were not compiled before
  double execute;
} AssaySeconds;

typedef struct {
  size_t struct_size;
  // A module in MLIR's generic form, `length` bytes, ended by NUL. All types
  // are static, and the entry takes and returns tensors alone.
  const char* stablehlo;
  size_t length;
  const char* entry;  // The function to run, such as "main".
  int32_t num_inputs;
  const AssayTensor* inputs;
  int32_t num_outputs;
  const AssayTensor* outputs;
  uint32_t num_replicas;
  uint32_t num_partitions;
  // The fields from here on are there since ABI 1.1.
  AssaySeconds* seconds;  // never NULL
  // The entry in the form that needs no parser, for backends that declare
  // ASSAY_READS_FUNCTIONS. An op that calls a function has it as its one
  // function. NULL if a value in it is no tensor, or if the program violates a
  // constraint or is not run.
  const AssayFunction* function;
} AssayProgram;

// These are the bits of AssayBackend.capabilities.
#define ASSAY_VALIDATES \
  1u  // Constraint violations are answered with ASSAY_INVALID.
#define ASSAY_VALIDATES_POINTWISE \
  2u  // Violations of pointwise calls (broadcast, promotion, outputs) are
      // answered with ASSAY_INVALID.
#define ASSAY_VALIDATES_MOVEMENT \
  16u  // Violations of the ops of which each element of a result is one of an
       // operand (slice, gather, dynamic_pad) are answered with ASSAY_INVALID.
#define ASSAY_READS_FUNCTIONS \
  4u  // run_program reads AssayProgram.function, not the text.
#define ASSAY_VERIFIES \
  8u  // Beside ASSAY_VALIDATES: run_program is also asked whether programs are
      // valid that are not run.

typedef struct {
  size_t struct_size;
  uint32_t abi_major;
  uint32_t abi_minor;
  const char* name;
  const char* version;
  DLDevice device;  // Where tensors must be placed.
  uint64_t capabilities;
  uint64_t over_read_bytes;  // How far behind (and in front of) a buffer `run`
                             // may read. 0: not at all.

  // All functions but one of `run` and `run_program` may be NULL. Every
  // function returns an AssayStatus; `message` receives at most `capacity`
  // bytes, ended by NUL.
  //
  // configure sets one option of the backend's name: `simd?target=avx2` gives
  // ("target", "avx2"). It is called before the first run.
  int32_t (*configure)(const char* key, const char* value, char* message,
                       size_t capacity);
  int32_t (*run)(const AssayCall* call, char* message, size_t capacity);
  // run_batch runs n calls, none of which reads or writes what another one
  // writes. It answers each in `statuses`; `messages` is n buffers of
  // `capacity` bytes each, one after another. If run_batch returns another
  // status than ASSAY_OK, it could not run the batch: the backend then gets the
  // calls one at a time. run_batch is used for tensors on a device; a backend
  // without it gets its calls by `run`.
  int32_t (*run_batch)(const AssayCall* calls, size_t n, int32_t* statuses,
                       char* messages, size_t capacity);
  // run_program compiles and runs a program. One that it declines is
  // ASSAY_UNSUPPORTED, one that it takes for no valid program ASSAY_INVALID. A
  // program that violates a constraint, of which backends with ASSAY_VALIDATES
  // are asked, has neither inputs nor outputs. So has a valid one that is not
  // run, of which backends with ASSAY_VERIFIES are asked: the right answer is
  // ASSAY_OK. The same text may come often, so
  // that it pays to keep what was compiled.
  int32_t (*run_program)(const AssayProgram* program, char* message,
                         size_t capacity);
  // synchronise waits for everything that was launched.
  int32_t (*synchronise)(char* message, size_t capacity);
  // start is called once, after the last option and before the first run; it
  // may change name and version. A backend that does not start says why. It is
  // there since ABI 1.1.
  int32_t (*start)(char* message, size_t capacity);
} AssayBackend;

// This is the one symbol that a plugin exports.
const AssayBackend* assay_backend(void);

#ifdef __cplusplus
}
#endif

#endif  // ASSAY_BACKENDS_BACKEND_H_
