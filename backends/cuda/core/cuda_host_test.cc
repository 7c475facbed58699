// Tests parts that the suite does not reach through the command: batches, jobs
// that are cut, and the host's way of running kernels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/cuda/core/batch.h"
#include "backends/cuda/core/calls_test_support.h"
#include "backends/cuda/core/device.h"
#include "backends/cuda/core/elementwise.h"
#include "backends/cuda/core/job.h"
#include "backends/cuda/core/launch.h"
#include "backends/cuda/core/runtime.h"

namespace assay::cuda {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Divisor, DividesAsDivisionDoes) {
  constexpr uint32_t kMost = (uint32_t{1} << 31) - 1;
  std::mt19937 random(7);
  std::vector<uint32_t> values = {1, 2, 3, 5, 7, 64, 65535, 65536, kMost};
  for (int i = 0; i < 300; ++i)
    values.push_back(1 + random() % (kMost >> (random() % 30)));
  for (const uint32_t divisor : values) {
    const Divisor fast = Divisor::Of(divisor);
    std::vector<uint32_t> dividends = {0, 1, divisor - 1, divisor, kMost};
    for (int i = 0; i < 50; ++i) {
      const uint32_t multiple = random() % (kMost / divisor) * divisor;
      dividends.insert(dividends.end(), {multiple, multiple + divisor - 1});
    }
    for (const uint32_t n : dividends)
      ASSERT_EQ(fast.Quotient(n), n / divisor) << n << " / " << divisor;
  }
}

TEST(ThreadOrder, IsAPermutationThatDependsOnTheSeed) {
  for (const uint32_t size : {1u, 2u, 3u, 32u, 45u, 256u}) {
    std::vector<std::vector<uint32_t>> orders;
    for (uint32_t seed = 0; seed < 20; ++seed) {
      SetThreadSeed(seed);
      const ThreadOrder order(size);
      std::vector<uint32_t> all(size), expected(size);
      for (uint32_t i = 0; i < size; ++i) all[i] = order.At(i);
      orders.push_back(all);
      std::ranges::sort(all);
      std::iota(expected.begin(), expected.end(), 0u);
      ASSERT_EQ(all, expected);
    }
    std::ranges::sort(orders);
    const auto end = std::ranges::unique(orders).begin();
    EXPECT_GE(end - orders.begin(), std::min<uint32_t>(size, 8)) << size;
  }
}

// Each thread reads what others wrote: without a barrier between the phases the
// result would depend on the order in which threads run.
struct Neighbour {
  struct Shared {
    uint32_t values[32];
  };
  ASSAY_DEVICE static void Load(const Job&, const Thread& thread,
                                Shared* shared) {
    shared->values[thread.thread] = thread.block * 100 + thread.thread;
  }
  ASSAY_DEVICE static void Finish(const Job& job, const Thread& thread,
                                  Shared* shared) {
    const uint32_t place = thread.block * thread.threads + thread.thread;
    reinterpret_cast<uint32_t*>(job.output.data)[place] =
        shared->values[(thread.thread + 1) % thread.threads];
  }
};

TEST(LaunchPhases, APhaseBeginsWhenAllThreadsAreThroughTheOneBefore) {
  for (uint32_t seed = 0; seed < 10; ++seed) {
    SetThreadSeed(seed);
    std::vector<uint32_t> out(3 * 32);
    Job job = {};
    job.output.data = reinterpret_cast<unsigned char*>(out.data());
    LaunchPhases<Neighbour>({3, 32}, job);
    for (uint32_t i = 0; i < out.size(); ++i)
      ASSERT_EQ(out[i], i / 32 * 100 + (i + 1) % 32);
  }
}

struct Counting {
  ASSAY_DEVICE static void Run(const Job& job, const Thread&) {
    ++*reinterpret_cast<int*>(job.output.data);
  }
};

TEST(Launch, WhatADeviceRefusesIsAnError) {
  int count = 0;
  Job job = {};
  job.output.data = reinterpret_cast<unsigned char*>(&count);
  Launch<Counting>({3, kTuning.threads}, job);
  EXPECT_EQ(LaunchError(), nullptr);
  EXPECT_EQ(count, 3 * static_cast<int>(kTuning.threads));
  for (const Grid& grid :
       {Grid{0, 1}, Grid{1, 0}, Grid{1, kTuning.threads + 1}}) {
    Launch<Counting>(grid, job);
    EXPECT_STREQ(LaunchError(), "invalid configuration argument");
    EXPECT_EQ(LaunchError(), nullptr) << "it is said once";
    LaunchPhases<Neighbour>(grid, job);
    EXPECT_STREQ(LaunchError(), "invalid configuration argument");
  }
  EXPECT_EQ(count, 3 * static_cast<int>(kTuning.threads));
}

TEST(SharedMemory, EndsAtAPageThatMustNotBeTouched) {
  for (const size_t bytes : {16, 4096, 100000, 64}) {
    auto* const memory = static_cast<unsigned char*>(SharedMemory(bytes));
    memset(memory, 1, bytes);
    EXPECT_DEATH(memory[bytes] = 1, "") << bytes;
  }
}

TEST(Word, AnAccessThatIsNotAlignedIsFatalAsOnADevice) {
  alignas(16) unsigned char bytes[32] = {};
  alignas(16) unsigned char word[16];
  LoadWord<16>(bytes + 16, word);
  EXPECT_DEATH(LoadWord<16>(bytes + 8, word), "misaligned access of 16 bytes");
  EXPECT_DEATH(StoreWord<4>(word, bytes + 2), "misaligned access of 4 bytes");
}

// The twelve dimensions of two elements lie in another order, so that none of
// them merge.
TEST(Run, MoreDimensionsThanAJobHasAreCut) {
  constexpr int kDims = 12;
  const Dims shape(kDims, 2);
  Dims strides(kDims);
  for (int d = 0; d < kDims; ++d) strides[static_cast<size_t>(d)] = 1 << d;
  std::vector<int32_t> values(1 << kDims);
  std::iota(values.begin(), values.end(), 0);
  TestOperand<int32_t> in(shape, strides, values);
  TestOperand<int32_t> out(shape, std::vector<int32_t>(1 << kDims, -1));
  int32_t status;
  EXPECT_EQ(Call("not", {in.tensor}, {out.tensor}).Run(&status), "");
  for (int i = 0; i < 1 << kDims; ++i) {
    int reversed = 0;
    for (int d = 0; d < kDims; ++d) reversed |= (i >> d & 1) << (kDims - 1 - d);
    ASSERT_EQ(out.data[static_cast<size_t>(i)], ~reversed) << i;
  }
}

class Batches : public testing::Test {
 protected:
  // Runs the calls together and returns their statuses and messages.
  std::vector<std::string> RunTogether(const std::vector<const Call*>& calls) {
    constexpr size_t kCapacity = 128;
    std::vector<AssayCall> abi;
    for (const Call* call : calls) abi.push_back(call->abi);
    std::vector<int32_t> statuses(calls.size(), -1);
    std::vector<char> messages(calls.size() * kCapacity);
    EXPECT_EQ(
        assay_backend()->run_batch(abi.data(), abi.size(), statuses.data(),
                                   messages.data(), kCapacity),
        ASSAY_OK);
    std::vector<std::string> texts;
    for (size_t i = 0; i < calls.size(); ++i) {
      texts.push_back(std::to_string(statuses[i]) + " " +
                      (messages.data() + i * kCapacity));
    }
    return texts;
  }
};

TEST_F(Batches, CallsOfManyKernelsGetTheirOwnResults) {
  std::vector<std::unique_ptr<TestOperand<int32_t>>> operands;
  std::vector<std::unique_ptr<Call>> calls;
  std::vector<const Call*> pointers;
  const char* const ops[] = {"add", "multiply", "subtract", "divide"};
  for (int i = 0; i < 100; ++i) {
    const int64_t n = 1 + i % 17;
    std::vector<int32_t> a(static_cast<size_t>(n), 60 + i),
        b(static_cast<size_t>(n), 1 + i % 5);
    operands.push_back(std::make_unique<TestOperand<int32_t>>(Dims{n}, a));
    operands.push_back(std::make_unique<TestOperand<int32_t>>(Dims{n}, b));
    operands.push_back(std::make_unique<TestOperand<int32_t>>(
        Dims{n}, std::vector<int32_t>(static_cast<size_t>(n))));
    const size_t last = operands.size() - 1;
    calls.push_back(std::make_unique<Call>(
        ops[i % 4],
        std::vector{operands[last - 2]->tensor, operands[last - 1]->tensor},
        std::vector{operands[last]->tensor}));
    pointers.push_back(calls.back().get());
  }
  for (const std::string& text : RunTogether(pointers)) EXPECT_EQ(text, "0 ");
  for (int i = 0; i < 100; ++i) {
    const int a = 60 + i, b = 1 + i % 5;
    const int expected[] = {a + b, a * b, a - b, a / b};
    for (const int32_t value : operands[static_cast<size_t>(3 * i + 2)]->data)
      ASSERT_EQ(value, expected[i % 4]) << i;
  }
}

// Conversions and ops of different calls are launched together, while each call
// has its own memory for intermediate results.
TEST_F(Batches, StagesOfACallFollowEachOther) {
  static constexpr char kPromotion[] = R"([[0, 1, "DEFAULT"]])";
  const AssayAttribute promotion = {
      "promotion_methods", kPromotion, nullptr, {}};
  TestOperand<int32_t> a({3}, {1, 2, 3}), c({3}, {40, 50, 60});
  TestOperand<float> b({3}, {0.5f, 0.25f, 0.125f}), d({3}, {1, 2, 4});
  TestOperand<float> first({3}, {0, 0, 0}), second({3}, {0, 0, 0});
  const Call one("pointwise.add", {a.tensor, b.tensor}, {first.tensor},
                 {promotion});
  const Call other("pointwise.multiply", {c.tensor, d.tensor}, {second.tensor},
                   {promotion});
  EXPECT_THAT(RunTogether({&one, &other}), ElementsAre("0 ", "0 "));
  EXPECT_THAT(first.data, ElementsAre(1.5f, 2.25f, 3.125f));
  EXPECT_THAT(second.data, ElementsAre(40, 100, 240));
}

TEST_F(Batches, ACallThatIsRefusedLeavesTheOthersAlone) {
  TestOperand<int32_t> a({2}, {1, 2}), out({2}, {0, 0});
  AssayTensor nowhere = a.tensor;
  nowhere.tensor.data = nullptr;
  const Call bad("negate", {nowhere}, {out.tensor});
  const Call unknown("frobnicate", {a.tensor}, {out.tensor});
  const Call good("negate", {a.tensor}, {out.tensor});
  EXPECT_THAT(RunTogether({&bad, &unknown, &good}),
              ElementsAre(HasSubstr("2 negate: an operand is a null pointer"),
                          HasSubstr("1 frobnicate"), "0 "));
  EXPECT_THAT(out.data, ElementsAre(-1, -2));
}

// The batch has a job that is too large for a block, and one that is tiled,
// among small ones.
TEST_F(Batches, LargeJobsAreLaunchedInTheirTurn) {
  constexpr int kSide = 100;
  std::vector<int32_t> values(kSide * kSide);
  std::iota(values.begin(), values.end(), 0);
  TestOperand<int32_t> across({kSide, kSide}, {1, kSide}, values);
  TestOperand<int32_t> turned({kSide, kSide},
                              std::vector<int32_t>(values.size()));
  TestOperand<int32_t> small({1}, {5}), small_out({1}, {0});
  const Call first("negate", {small.tensor}, {small_out.tensor});
  const Call large("negate", {across.tensor}, {turned.tensor});
  EXPECT_THAT(RunTogether({&first, &large}), ElementsAre("0 ", "0 "));
  EXPECT_THAT(small_out.data, ElementsAre(-5));
  for (int i = 0; i < kSide; ++i) {
    for (int j = 0; j < kSide; ++j)
      ASSERT_EQ(turned.data[static_cast<size_t>(i * kSide + j)],
                -(j * kSide + i));
  }
}

// The pointwise calls have more elements than a slice. Intermediate results
// take the memory of a slice that has been launched; the last slice of five
// elements is still in the batch, and keeps its own memory.
TEST_F(Batches, SlicesFollowEachOther) {
  constexpr int64_t kSize = (int64_t{1} << 22) + 5;
  static constexpr char kPromotion[] = R"([[0, 1, "DEFAULT"]])";
  const std::vector<AssayAttribute> promotion = {
      {"promotion_methods", kPromotion, nullptr, {}}};
  std::vector<int16_t> values(kSize);
  std::iota(values.begin(), values.end(), int16_t{0});
  TestOperand<int16_t> a({kSize}, values), c({5}, {10, 20, 30, 40, 50});
  TestOperand<float> b({1}, {0.5f});
  TestOperand<float> large({kSize}, std::vector<float>(values.size()));
  TestOperand<float> small({5}, {0, 0, 0, 0, 0});
  const Call first("pointwise.add", {a.tensor, b.tensor}, {large.tensor},
                   promotion);
  const Call second("pointwise.add", {c.tensor, b.tensor}, {small.tensor},
                    promotion);
  EXPECT_THAT(RunTogether({&first, &second}), ElementsAre("0 ", "0 "));
  for (size_t i = 0; i < values.size(); ++i)
    ASSERT_EQ(large.data[i], values[i] + 0.5f) << i;
  EXPECT_THAT(small.data, ElementsAre(10.5f, 20.5f, 30.5f, 40.5f, 50.5f));
}

// Since it is not known whose calls have failed, the batch reports the failure,
// not the call that happens to be next.
TEST(Batch, OnceLaunchesHaveFailedItSaysSo) {
  KernelSet kernels = {};
  kernels.batch = [](const Job*, uint32_t) { MayLaunch(0, 0); };
  Batch batch;
  batch.BeginCall();
  batch.Add(kernels, {});
  EXPECT_FALSE(batch.is_empty());
  EXPECT_STREQ(batch.Flush(), "invalid configuration argument");
  EXPECT_TRUE(batch.is_empty());
  EXPECT_STREQ(batch.Flush(), "invalid configuration argument");
}

TEST(Arena, GivesOutAgainWhatItIsRewoundTo) {
  BeginArena();
  auto* const kept = static_cast<unsigned char*>(Workspace(0, 8));
  *kept = 7;
  const ArenaMark mark = MarkArena();
  ASSERT_NE(Workspace(0, 8), kept);
  RewindArena(mark);
  ASSERT_NE(Workspace(0, 8), kept);
  EXPECT_EQ(*kept, 7);
  EndArena();
}

// This group records all elements of a chunk, also those beyond the end of the
// operand.
struct Untouched {
  using In0 = uint32_t;
  using In1 = void;
  using In2 = void;
  using Out = uint32_t;
  static constexpr bool kIsHeavy = false;
  inline static std::vector<uint32_t> seen;
  template <int kCount, class B, class C>
  static void Compute(const Job&, const uint32_t (&a)[kCount], const B&,
                      const C&, uint32_t (&out)[kCount]) {
    seen.insert(seen.end(), a, a + kCount);
    std::copy(a, a + kCount, out);
  }
};

// Elements beyond the end of an operand are zero, because some functions say
// that a result is undecided, also for these elements.
TEST(Elementwise, WhatThereIsNotIsZero) {
  uint32_t from[] = {1, 2, 3, 4, 5}, to[5] = {};
  Job job = {};
  job.num_inputs = job.num_dims = 1;
  job.extent = 5;
  job.chunks = 2;
  job.chunks_of_row = Divisor::Of(2);
  job.inputs[0] = {reinterpret_cast<unsigned char*>(from), {4}, {}, 0};
  job.inputs[0].reading = Reading::kStrided;
  job.output = {reinterpret_cast<unsigned char*>(to), {4}, {}, 0};
  job.output.reading = Reading::kStrided;
  for (uint32_t thread = 0; thread < 2; ++thread)
    Elementwise<Untouched>::Run(job, {0, 1, thread, 2});
  EXPECT_THAT(Untouched::seen, ElementsAre(1, 2, 3, 4, 5, 0, 0, 0));
  EXPECT_THAT(to, ElementsAre(1, 2, 3, 4, 5));
}

TEST(Configure, SaysWhatItHas) {
  char message[128] = "";
  EXPECT_EQ(assay_backend()->configure("seed", "3", message, sizeof(message)),
            ASSAY_OK);
  EXPECT_EQ(assay_backend()->configure("seed", "x", message, sizeof(message)),
            ASSAY_ERROR);
  EXPECT_THAT(message, HasSubstr("'x' is no seed"));
  EXPECT_EQ(
      assay_backend()->configure("math", "fast", message, sizeof(message)),
      ASSAY_ERROR);
  EXPECT_THAT(message, HasSubstr("cuda-host has no option 'math'"));
  EXPECT_EQ(
      assay_backend()->configure("products", "fused", message, sizeof(message)),
      ASSAY_ERROR);
  EXPECT_THAT(message, HasSubstr("cuda-host has no products 'fused'; it has "
                                 "'packed' and 'ordered'"));
}

}  // namespace
}  // namespace assay::cuda
