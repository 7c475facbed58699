// cuBLAS is loaded when it is first needed, so that the backend runs where it
// is not there, and is built where its headers are not.
#include "backends/cuda/contraction/matrices.h"

#if __has_include(<cublas_v2.h>)

#include <cublas_v2.h>
#include <dlfcn.h>

#include <string>

#include "backends/cuda/core/runtime.h"

namespace assay::cuda {
namespace {

// The header overloads this function, so that its type has to be written out.
using GemmStridedBatchedEx = cublasStatus_t (*)(
    cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
    const void*, const void*, cudaDataType, int, long long, const void*,
    cudaDataType, int, long long, const void*, void*, cudaDataType, int,
    long long, int, cublasComputeType_t, cublasGemmAlgo_t);

struct Library {
  cublasHandle_t handle = nullptr;
  GemmStridedBatchedEx multiply = nullptr;
};

template <class F>
bool Find(void* library, const char* name, F* function) {
  *function = reinterpret_cast<F>(dlsym(library, name));
  return *function != nullptr;
}

// Returns a library without a handle if there is none.
Library Load() {
  Library library;
  const std::string name = "libcublas.so." + std::to_string(CUBLAS_VER_MAJOR);
  void* const file = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  decltype(&cublasCreate_v2) create;
  decltype(&cublasSetStream_v2) set_stream;
  if (file == nullptr || !Find(file, "cublasCreate_v2", &create) ||
      !Find(file, "cublasSetStream_v2", &set_stream) ||
      !Find(file, "cublasGemmStridedBatchedEx", &library.multiply) ||
      create(&library.handle) != CUBLAS_STATUS_SUCCESS)
    return {};
  if (set_stream(library.handle, CurrentStream()) != CUBLAS_STATUS_SUCCESS)
    return {};
  return library;
}

const Library& TheLibrary() {
  static const Library library = Load();
  return library;
}

// What cuBLAS calls the types and the precision of sums.
struct Types {
  cudaDataType_t operand, result;
  cublasComputeType_t sums;
};

Types TypesOf(MatrixType operand) {
  switch (operand) {
    case MatrixType::kF32:
      return {CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F};
    case MatrixType::kF64:
      return {CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F};
    default:
      return {CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I};
  }
}

}  // namespace

bool HasMatrixLibrary() { return TheLibrary().handle != nullptr; }

// cuBLAS has matrices in column-major order, in which each of ours is its
// transpose, so that the operands change places.
const char* Multiply(const Matrices& m) {
  const Types types = TypesOf(m.operand);
  const bool is_i8 = m.operand == MatrixType::kI8;
  const union {
    float f32;
    double f64;
    int32_t i32;
  } f32_one = {.f32 = 1}, f64_one = {.f64 = 1}, i32_one = {.i32 = 1}, zero = {};
  const auto& one = is_i8                           ? i32_one
                    : m.operand == MatrixType::kF64 ? f64_one
                                                    : f32_one;
  const auto rows = static_cast<int>(m.rows),
             columns = static_cast<int>(m.columns),
             terms = static_cast<int>(m.terms);
  const cublasStatus_t status = TheLibrary().multiply(
      TheLibrary().handle, is_i8 ? CUBLAS_OP_T : CUBLAS_OP_N, CUBLAS_OP_N,
      columns, rows, terms, &one, m.rhs, types.operand, is_i8 ? terms : columns,
      m.terms * m.columns, m.lhs, types.operand, terms, m.rows * m.terms, &zero,
      m.result, types.result, columns, m.rows * m.columns,
      static_cast<int>(m.batch), types.sums, CUBLAS_GEMM_DEFAULT);
  return status == CUBLAS_STATUS_SUCCESS ? nullptr : "cuBLAS refuses a product";
}

}  // namespace assay::cuda

#else

namespace assay::cuda {

bool HasMatrixLibrary() { return false; }
const char* Multiply(const Matrices&) { return "there is no cuBLAS"; }

}  // namespace assay::cuda

#endif
