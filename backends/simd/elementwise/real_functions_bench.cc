// The plugin's elementary functions on 16 Mi f32, one thread, beside a plain
// loop over the C++ library's and beside memcpy, which moves as many bytes.
//
//   simd_real_functions_bench [OP...]
//
// Every result is compared with the library's in double before anything is
// timed. Times are the thread's CPU time, medians of nine runs that take turns.
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "backends/backend.h"

extern "C" const AssayBackend* assay_backend(void);

namespace {

constexpr size_t kCount = size_t{1} << 24;
constexpr int kRuns = 9;

double Logistic(double x) { return 1 / (1 + exp(-x)); }
float Logistic(float x) { return 1 / (1 + std::exp(-x)); }

struct Function {
  const char* op;
  float low, high;  // Bounds of the operands, which are uniform.
  double ulps;      // Allowed error.
  double (*reference)(double, double);
  void (*loop)(const float*, const float*, float*);
};

template <class F>
void Loop(const float* a, const float* b, float* out, F f) {
  for (size_t i = 0; i < kCount; ++i) out[i] = f(a[i], b[i]);
}

#define FUNCTION(op, low, high, ulps, expression)         \
  {                                                       \
    op, low, high, ulps,                                  \
        [](double x, double y) -> double {                \
          (void)y;                                        \
          return expression;                              \
        },                                                \
        [](const float* a, const float* b, float* out) {  \
          Loop(a, b, out, [](float x, float y) -> float { \
            (void)y;                                      \
            return expression;                            \
          });                                             \
        }                                                 \
  }

const Function kFunctions[] = {
    FUNCTION("atan2", -10, 10, 2, std::atan2(x, y)),
    FUNCTION("cbrt", -10, 10, 2, std::cbrt(x)),
    FUNCTION("cosine", -10, 10, 2, std::cos(x)),
    FUNCTION("exponential", -10, 10, 2, std::exp(x)),
    FUNCTION("exponential_minus_one", -10, 10, 2, std::expm1(x)),
    FUNCTION("log", 0, 10, 2, std::log(x)),
    FUNCTION("log_plus_one", 0, 10, 2, std::log1p(x)),
    FUNCTION("logistic", -10, 10, 3, Logistic(x)),
    FUNCTION("power", 0, 10, 2, std::pow(x, y)),
    FUNCTION("rsqrt", 0, 10, 2, 1 / std::sqrt(x)),
    FUNCTION("sine", -10, 10, 2, std::sin(x)),
    FUNCTION("tan", -10, 10, 2, std::tan(x)),
    FUNCTION("tanh", -10, 10, 3.5, std::tanh(x)),
};

double ThreadSeconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) +
         1e-9 * static_cast<double>(time.tv_nsec);
}

class Bench {
 public:
  explicit Bench(const Function& function)
      : function_(function), a_(kCount), b_(kCount), out_(kCount) {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> draw(function.low, function.high);
    for (size_t i = 0; i < kCount; ++i) {
      a_[i] = draw(random);
      b_[i] = draw(random);
    }
  }

  // Returns false if the target does not exist here.
  static bool Configure(const char* target) {
    char message[200];
    return assay_backend()->configure("target", target, message,
                                      sizeof(message)) == ASSAY_OK;
  }

  void Plugin() {
    int64_t shape = static_cast<int64_t>(kCount);
    int64_t stride = 1;
    AssayTensor tensors[3] = {};
    float* const data[] = {a_.data(), b_.data(), out_.data()};
    for (int k = 0; k < 3; ++k) {
      DLTensor& t = tensors[k].tensor;
      const auto address = reinterpret_cast<uintptr_t>(data[k]);
      t.data = reinterpret_cast<char*>(data[k]) - address % 256;
      t.byte_offset = address % 256;
      t.device = {kDLCPU, 0};
      t.ndim = 1;
      t.dtype = {kDLFloat, 32, 1};
      t.shape = &shape;
      t.strides = &stride;
    }
    AssayCall call = {};
    call.struct_size = sizeof(call);
    call.op = function_.op;
    const bool is_binary =
        strcmp(call.op, "atan2") == 0 || strcmp(call.op, "power") == 0;
    call.num_inputs = is_binary ? 2 : 1;
    call.inputs = tensors;
    call.num_outputs = 1;
    call.outputs = &tensors[2];
    char message[200] = "";
    if (assay_backend()->run(&call, message, sizeof(message)) != ASSAY_OK) {
      fprintf(stderr, "%s\n", message);
      exit(1);
    }
  }

  void Library() { function_.loop(a_.data(), b_.data(), out_.data()); }
  void Copy() { memcpy(out_.data(), a_.data(), kCount * sizeof(float)); }

  // Compares some of the results with the reference. The operands give normal
  // results only, so that the ulp is known.
  void CheckPlugin() {
    Plugin();
    for (size_t i = 0; i < kCount; i += 61) {
      const double wanted = function_.reference(a_[i], b_[i]);
      const double ulp = std::ldexp(1, std::ilogb(wanted) - 23);
      if (!(std::fabs(out_[i] - wanted) <= function_.ulps * ulp)) {
        fprintf(stderr, "%s of %a, %a is %a and not %a\n", function_.op, a_[i],
                b_[i], out_[i], wanted);
        exit(1);
      }
    }
  }

 private:
  const Function& function_;
  std::vector<float> a_, b_, out_;
};

void Run(const Function& function) {
  Bench bench(function);
  std::vector<std::string> names = {"memcpy", "std"};
  std::vector<std::function<void()>> bodies = {[&] { bench.Copy(); },
                                               [&] { bench.Library(); }};
  for (const char* target : {"sse4", "avx2", "avx512"}) {
    if (!Bench::Configure(target)) continue;
    bench.CheckPlugin();
    names.push_back(target);
    bodies.push_back([&bench, target] {
      Bench::Configure(target);
      bench.Plugin();
    });
  }
  std::vector<std::vector<double>> times(names.size());
  for (int run = 0; run < kRuns; ++run) {
    for (size_t k = 0; k < names.size(); ++k) {
      const double start = ThreadSeconds();
      bodies[k]();
      times[k].push_back((ThreadSeconds() - start) * 1e9 / kCount);
    }
  }
  for (auto& of_one : times) {
    std::nth_element(of_one.begin(), of_one.begin() + kRuns / 2, of_one.end());
  }
  printf("%-22s", function.op);
  for (size_t k = 0; k < names.size(); ++k) {
    const double ns = times[k][kRuns / 2];
    printf("  %s %.2f ns", names[k].c_str(), ns);
    if (k > 1) printf(" (%.1fx)", times[1][kRuns / 2] / ns);
  }
  printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  for (const Function& function : kFunctions) {
    bool is_named = argc == 1;
    for (int i = 1; i < argc; ++i) {
      is_named |= strcmp(argv[i], function.op) == 0;
    }
    if (is_named) Run(function);
  }
}
