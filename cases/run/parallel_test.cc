// Tests that each number is called once, whatever the threads, and that the
// exception of the least number is thrown.
#include "cases/run/parallel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace assay {
namespace {

TEST(ForEachInParallel, EachNumberIsCalledOnce) {
  for (const int threads : {1, 2, 7}) {
    for (const size_t count : {0u, 1u, 5u, 1000u}) {
      std::vector<std::atomic<int>> calls(count);
      ForEachInParallel(count, threads, [&](size_t i) { ++calls.at(i); });
      for (const std::atomic<int>& called : calls) EXPECT_EQ(called, 1);
    }
  }
}

TEST(ForEachInParallel, ThreadsAreUsed) {
  // Neither call goes on before both have started.
  std::atomic<int> arrived = 0;
  ForEachInParallel(2, 2, [&](size_t) {
    ++arrived;
    while (arrived < 2) std::this_thread::yield();
  });
  EXPECT_EQ(arrived, 2);
}

TEST(ForEachInParallel, TheExceptionOfTheLeastNumberIsThrown) {
  for (const int threads : {1, 4}) {
    std::atomic<int> called = 0;
    std::string thrown;
    try {
      ForEachInParallel(100, threads, [&](size_t i) {
        ++called;
        if (i % 10 == 7) throw std::runtime_error(std::to_string(i));
      });
    } catch (const std::runtime_error& e) {
      thrown = e.what();
    }
    EXPECT_EQ(thrown, "7");
    EXPECT_EQ(called, 100);
  }
}

}  // namespace
}  // namespace assay
