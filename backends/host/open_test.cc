// Tests that the executors of a backend get devices in turn.
#include "backends/host/open.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

using testing::ElementsAre;
using testing::Pair;

using Options = std::map<std::string, std::string>;

TEST(OptionsOfJob, AllDevicesAreOneEach) {
  const Options all = {{"device", "all"}, {"math", "fast"}};
  EXPECT_THAT(OptionsOfJob(all, 0, 2),
              ElementsAre(Pair("device", "0"), Pair("math", "fast")));
  EXPECT_THAT(OptionsOfJob(all, 1, 2),
              ElementsAre(Pair("device", "1"), Pair("math", "fast")));
  EXPECT_THAT(OptionsOfJob(all, 5, 4),
              ElementsAre(Pair("device", "1"), Pair("math", "fast")));
}

TEST(OptionsOfJob, OneDeviceIsEveryJobs) {
  const Options one = {{"device", "3"}};
  EXPECT_EQ(OptionsOfJob(one, 1, 4), one);
  EXPECT_EQ(OptionsOfJob({}, 1, 4), Options());
}

TEST(LeastJobs, IsOneOfWhatIsNotDealtOut) {
  EXPECT_EQ(LeastJobs("simd"), 1);
  EXPECT_EQ(LeastJobs("simd?target=avx2"), 1);
  EXPECT_EQ(LeastJobs("cuda?device=2"), 1);
  EXPECT_EQ(LeastJobs("cmd:worker?device=all"), 1);
}

TEST(OpenBackend, OneProcessHasOneDevice) {
  OpenOptions options;
  options.in_process = true;
  EXPECT_THAT([&] { OpenBackend("simd?device=all", options); },
              testing::ThrowsMessage<BackendError>(
                  testing::HasSubstr("leave out --in-process")));
}

}  // namespace
}  // namespace assay
