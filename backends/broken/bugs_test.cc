// Every planted bug replaces one hook and shows on a call that is made for it.
//
// A bug may crash or hang, so it runs in a child process, once with the buffers
// tight against the page behind them and once against the one in front.
#include "backends/broken/bugs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "backends/broken/test_support.h"

namespace assay::broken {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAreArray;

nlohmann::json Catalogue() {
  std::ifstream file(ASSAY_SOURCE_DIR "/backends/broken/bugs.json");
  return nlohmann::json::parse(file);
}

std::vector<Bug> AllBugs() {
  std::vector<Bug> bugs(MovementBugs().begin(), MovementBugs().end());
  bugs.insert(bugs.end(), ComputationBugs().begin(), ComputationBugs().end());
  return bugs;
}

// The names of the hooks that differ from the sound ones.
std::vector<std::string> ReplacedHooks(const Bug& bug) {
  const Hooks sound = SoundHooks();
  Hooks hooks = sound;
  bug.plant(&hooks);
  std::vector<std::string> names;
  if (hooks.dispatch != sound.dispatch) names.push_back("dispatch");
  if (hooks.walk != sound.walk) names.push_back("walk");
  if (hooks.body != sound.body) names.push_back("body");
  if (hooks.tail != sound.tail) names.push_back("tail");
  if (hooks.load != sound.load) names.push_back("load");
  if (hooks.op != sound.op) names.push_back("op");
  if (hooks.store != sound.store) names.push_back("store");
  return names;
}

TEST(Bugs, CatalogueAndTableAgree) {
  std::map<std::string, std::string> hooks;
  for (const auto& bug : Catalogue()) hooks[bug["id"]] = bug["hook"];
  std::vector<std::string> ids, catalogued;
  for (const auto& [id, hook] : hooks) catalogued.push_back(id);
  for (const Bug& bug : AllBugs()) {
    ids.push_back(bug.id);
    EXPECT_THAT(ReplacedHooks(bug), ElementsAre(hooks[bug.id])) << bug.id;
  }
  EXPECT_EQ(catalogued.size(), Catalogue().size()) << "an id stands twice";
  EXPECT_THAT(ids, UnorderedElementsAreArray(catalogued));
}

constexpr int64_t kLeast32 = INT32_MIN, kLeast64 = INT64_MIN;

// A call on which the bug shows.
const std::map<std::string, Call>& RevealingCalls() {
  static const std::map<std::string, Call> calls = {
      {"LP01", AddOf(7)},
      {"LP03", AddOf(8)},
      {"LP04", AddOf(1)},
      {"LP06", AddOf(1)},
      {"LP07", AddOf(9)},
      {"LP09", AddOf(9)},
      {"LP10", AddOf(32)},
      {"LP12", {"shift_left", kI32, {Iota(9), {1, 1, 1, 1, 1, 1, 1, 1, 32}}}},
      {"LP13", {"shift_left", kI32, {Iota(8), {32, 1, 1, 1, 1, 1, 1, 1}}}},
      {"LP15", AddOf(8)},
      {"LP16", AddOf(264)},
      {"MEM01", AddOf(1)},
      {"MEM02", AddOf(9)},
      {"MEM03", AddOf(9)},
      {"MEM04", AddOf(1)},
      {"MEM05", AddOf(9)},
      {"MEM06", AddOf(1)},
      {"ENV01", AddOf(1)},
      {"CRASH01", {"add", kI8, {{37}, {0}}}},
      {"HANG01", AddOf(13)},
      {"SH02", {"shift_left", kUi8, {{255}, {32}}}},
      {"SH03", {"shift_left", kI32, {{1}, {32}}}},
      {"SH05", {"shift_right_arithmetic", kI8, {{-2}, {1}}}},
      {"SH06", {"shift_right_logical", kI8, {{-2}, {1}}}},
      {"SH08", {"shift_left", kI8, {{1}, {-1}}}},
      {"SH09", {"shift_left", kI8, {{8}, {-1}}}},
      {"SH11", {"shift_left", kUi8, {{255, 0}, {4, 4}}}},
      {"SH12", {"shift_left", kI8, {{1, 1, 1, 1}, {1, 1, 2, 2}}}},
      {"SH14",
       {"paddle.bitwise_right_shift",
        kI8,
        {{-1}, {1}},
        {{"is_arithmetic", "false"}}}},
      {"SH15",
       {"paddle.bitwise_left_shift",
        kI32,
        {{1 << 30}, {1}},
        {{"is_arithmetic", "true"}}}},
      {"IA02", {"multiply", kI8, {Iota(8), Iota(8)}}},
      {"IA03", {"multiply", kI64, {{int64_t{1} << 32}, {3}}}},
      {"IA05", {"remainder", kI32, {{kLeast32}, {-1}}}},
      {"IA06", {"remainder", kI8, {{-3}, {2}}}},
      {"IA08", {"divide", kI64, {{9007199254740993}, {1}}}},
      {"IA09", {"abs", kI64, {{kLeast64}}}},
      {"IA11",
       {"compare",
        kUi64,
        {{kLeast64}, {1}},
        {{"comparison_direction", "GT"}},
        kI1}},
      {"IA12", {"power", kI32, {{3}, {-1}}}},
      {"IA14", {"clamp", kI8, {{2}, {0}, {1}}}},
      {"BT01", {"count_leading_zeros", kI32, {{0}}}},
      {"BT03", {"popcnt", kI8, {{-1}}}},
      {"BT04", {"not", kI1, {{1}}}},
  };
  return calls;
}

// Whether the call leaves with the active hooks what it leaves with the sound
// ones. A crash is no, and so is more than a second.
bool IsSound(const Call& call) {
  const Hooks hooks = ActiveHooks();
  ActiveHooks() = SoundHooks();
  const Left behind = RunCall(call, Side::kTightBehind);
  const Left in_front = RunCall(call, Side::kTightInFront);
  const pid_t child = fork();
  if (child == 0) {
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGALRM})
      signal(fault, SIG_DFL);
    alarm(1);
    ActiveHooks() = hooks;
    const bool same = RunCall(call, Side::kTightBehind) == behind &&
                      RunCall(call, Side::kTightInFront) == in_front;
    _exit(same ? 0 : 1);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(Bugs, EachShowsOnTheCallMadeForIt) {
  for (const auto& bug : Catalogue()) {
    const std::string id = bug["id"];
    if (bug.contains("equivalent")) continue;
    const auto call = RevealingCalls().find(id);
    ASSERT_NE(call, RevealingCalls().end()) << id;
    ASSERT_TRUE(Plant(id));
    EXPECT_FALSE(IsSound(call->second)) << id;
    ActiveHooks() = SoundHooks();
    EXPECT_TRUE(IsSound(call->second)) << "the sound kernel, on " << id;
  }
}

// A bug is in one place: what is not its matter stays right.
TEST(Bugs, LeaveOtherCallsAlone) {
  const Call negate = {"negate", kI64, {Iota(12)}};
  for (const Bug& bug : ComputationBugs()) {
    ASSERT_TRUE(Plant(bug.id));
    EXPECT_TRUE(IsSound(negate)) << bug.id;
  }
}

TEST(Bugs, TheEquivalentOneIsSoundForEveryLength) {
  ASSERT_TRUE(Plant("LP03E"));
  for (int n = 1; n <= 40; ++n) EXPECT_TRUE(IsSound(AddOf(n))) << n;
}

TEST(Bugs, ThoseOfVectorsSpareStridedOperands) {
  ASSERT_TRUE(Plant("LP13"));
  const Call call = {"shift_left", kI32, {Iota(8), Values(8, 32)}};
  EXPECT_THAT(RunCall(call, Side::kTightBehind, 2).result, testing::Each(0));
  EXPECT_EQ(RunCall(call, Side::kTightBehind).result, Iota(8));
}

TEST(Configure, PlantsAndRefuses) {
  const auto configure = assay_backend()->configure;
  char message[1024] = "";
  EXPECT_EQ(configure("bug", "LP01", message, sizeof(message)), ASSAY_OK);
  EXPECT_NE(ActiveHooks().tail, SoundHooks().tail);
  EXPECT_EQ(configure("bug", "LP03", message, sizeof(message)), ASSAY_OK);
  EXPECT_EQ(ActiveHooks().tail, SoundHooks().tail) << "one bug at a time";
  EXPECT_EQ(configure("bug", "LP", message, sizeof(message)), ASSAY_ERROR);
  EXPECT_THAT(message, HasSubstr("broken has no bug 'LP'; it has LP01 LP03"));
  EXPECT_THAT(message, HasSubstr("CRASH01"));
  EXPECT_EQ(configure("bugs", "LP01", message, sizeof(message)), ASSAY_ERROR);
  EXPECT_THAT(message, HasSubstr("no option 'bugs'; it has 'bug'"));
}

}  // namespace
}  // namespace assay::broken
