// Tests that every planted bug replaces one hook and shows on a call that is
// made for it.
//
// A bug may crash or hang, so it runs in a child process, once with the buffers
// tight against the page behind them and once against the page in front.
#include "backends/broken/bugs/bugs.h"

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

#include "backends/broken/bugs/revealing_batch_norm_calls_test_support.h"
#include "backends/broken/bugs/revealing_calls_test_support.h"
#include "backends/broken/bugs/revealing_contractions_test_support.h"
#include "backends/broken/bugs/revealing_layout_calls_test_support.h"
#include "backends/broken/bugs/revealing_programs_test_support.h"
#include "backends/broken/bugs/revealing_region_calls_test_support.h"
#include "backends/broken/bugs/revealing_sliding_calls_test_support.h"
#include "backends/broken/bugs/revealing_window_calls_test_support.h"
#include "backends/broken/kernel/broken_test_support.h"

namespace assay::broken {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAreArray;

nlohmann::json Catalogue() {
  std::ifstream file(ASSAY_SOURCE_DIR "/backends/broken/bugs.json");
  return nlohmann::json::parse(file);
}

// Returns the names of the hooks that differ from the sound ones.
std::vector<std::string> ReplacedHooks(const Bug& bug) {
  const Hooks sound = SoundHooks();
  Hooks hooks = sound;
  bug.plant(&hooks);
  std::vector<std::string> names;
  const auto compare = [&](auto hook, const char* name) {
    if (hooks.*hook != sound.*hook) names.push_back(name);
  };
  compare(&Hooks::validate, "validate");
  compare(&Hooks::infer, "infer");
  compare(&Hooks::dispatch, "dispatch");
  compare(&Hooks::align, "align");
  compare(&Hooks::indices, "indices");
  compare(&Hooks::windows, "windows");
  compare(&Hooks::start, "start");
  compare(&Hooks::is_inside, "is_inside");
  compare(&Hooks::hits, "hits");
  compare(&Hooks::size, "size");
  compare(&Hooks::view, "view");
  compare(&Hooks::moves, "moves");
  compare(&Hooks::count, "count");
  compare(&Hooks::merge, "merge");
  compare(&Hooks::order, "order");
  compare(&Hooks::walk, "walk");
  compare(&Hooks::body, "body");
  compare(&Hooks::tail, "tail");
  compare(&Hooks::load, "load");
  compare(&Hooks::convert, "convert");
  compare(&Hooks::op, "op");
  compare(&Hooks::store, "store");
  compare(&Hooks::bind, "bind");
  compare(&Hooks::apply, "apply");
  compare(&Hooks::choose, "choose");
  compare(&Hooks::terms, "terms");
  compare(&Hooks::fold, "fold");
  compare(&Hooks::slide, "slide");
  compare(&Hooks::seen, "seen");
  compare(&Hooks::pick, "pick");
  compare(&Hooks::givers, "givers");
  compare(&Hooks::along, "along");
  compare(&Hooks::less, "less");
  compare(&Hooks::sort, "sort");
  compare(&Hooks::contraction, "contraction");
  compare(&Hooks::meet, "meet");
  compare(&Hooks::accumulate, "accumulate");
  compare(&Hooks::feature, "feature");
  compare(&Hooks::members, "members");
  compare(&Hooks::add_up, "add_up");
  compare(&Hooks::variance, "variance");
  compare(&Hooks::normalized, "normalized");
  compare(&Hooks::gradient, "gradient");
  compare(&Hooks::simplify, "simplify");
  return names;
}

TEST(Bugs, CatalogueAndTableAgree) {
  std::map<std::string, std::string> hooks;
  for (const auto& bug : Catalogue()) hooks[bug["id"]] = bug["hook"];
  std::vector<std::string> ids, catalogued;
  for (const auto& [id, hook] : hooks) catalogued.push_back(id);
  for (const auto bugs : AllBugs()) {
    for (const Bug& bug : bugs) {
      ids.push_back(bug.id);
      EXPECT_THAT(ReplacedHooks(bug), ElementsAre(hooks[bug.id])) << bug.id;
    }
  }
  EXPECT_EQ(catalogued.size(), Catalogue().size()) << "an id stands twice";
  EXPECT_THAT(ids, UnorderedElementsAreArray(catalogued));
}

// Returns whether the call leaves the same with the active hooks as with the
// sound ones. A call that crashes or takes more than a second is not sound.
template <typename AnyCall>
bool IsSound(const AnyCall& call) {
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

// If a kind of walk had no bug, nothing would measure that kind.
TEST(Bugs, EveryKindOfWalkHasOne) {
  std::ifstream file(ASSAY_SOURCE_DIR "/cases/walks/walks.json");
  std::vector<std::string> kinds, planted;
  const auto walks = nlohmann::json::parse(file);
  for (const auto& kind : walks["walks"]) kinds.push_back(kind["kind"]);
  for (const auto& bug : Catalogue()) {
    EXPECT_EQ(bug.contains("walk"), bug["family"] == "walk") << bug["id"];
    if (bug.contains("walk")) planted.push_back(bug["walk"]);
  }
  EXPECT_THAT(planted, UnorderedElementsAreArray(kinds));
}

TEST(Bugs, EachShowsOnTheCallMadeForIt) {
  for (const auto& bug : Catalogue()) {
    const std::string id = bug["id"];
    // The suite's cases of each kind show the bugs of walks.
    if (bug.contains("equivalent") || bug["family"] == "walk") continue;
    const auto shows = [&](const auto& calls) {
      const auto call = calls.find(id);
      if (call == calls.end()) return false;
      EXPECT_TRUE(Plant(id));
      EXPECT_FALSE(IsSound(call->second)) << id;
      ActiveHooks() = SoundHooks();
      EXPECT_TRUE(IsSound(call->second)) << "the sound kernel, on " << id;
      return true;
    };
    EXPECT_TRUE(
        shows(RevealingCalls()) || shows(RevealingLayoutCalls()) ||
        shows(RevealingRegionCalls()) || shows(RevealingWindowCalls()) ||
        shows(RevealingSlidingCalls()) || shows(RevealingContractions()) ||
        shows(RevealingBatchNormCalls()) || shows(RevealingPrograms()))
        << id;
  }
}

// Bugs of programs are asked for as programs, and others op by op.
TEST(Bugs, OfProgramsAreThoseThatRunAsPrograms) {
  for (const auto& bug : Catalogue()) {
    const bool is_of_programs = bug["hook"] == "simplify";
    EXPECT_EQ(bug["family"] == "program", is_of_programs) << bug["id"];
    EXPECT_EQ(bug.value("granularity", "op") == "program", is_of_programs)
        << bug["id"];
  }
}

// Each op of a program that shows a bug is right by itself.
TEST(Bugs, OfProgramsLeaveEveryOpAloneRight) {
  for (const auto& [bug, program] : RevealingPrograms()) {
    const std::vector<ProgramCall> alone = OpsOf(*program.function);
    EXPECT_FALSE(alone.empty()) << bug;
    ASSERT_TRUE(Plant(bug));
    for (const ProgramCall& op : alone) EXPECT_TRUE(IsSound(op)) << bug;
  }
}

// A bug is in one place: calls that do not concern it stay right.
TEST(Bugs, LeaveOtherCallsAlone) {
  const Call integers = {"negate", kI64, {Iota(12)}},
             floats = {"subtract", kF16, {Values(12, 0x4000), Iota(12)}};
  for (const auto bugs :
       {LayoutBugs(), BroadcastBugs(), CopyBugs(), PromotionBugs(),
        ComputationBugs(), FloatBugs(), RealBugs(), ComplexBugs(),
        ConversionBugs(), RegionBugs(), WindowBugs(), SliceBugs(), SumBugs(),
        ContractionBugs(), WalkBugs(), FoldBugs(), ControlBugs()}) {
    for (const Bug& bug : bugs) {
      ASSERT_TRUE(Plant(bug.id));
      EXPECT_TRUE(IsSound(integers)) << bug.id;
      EXPECT_TRUE(IsSound(floats)) << bug.id;
    }
  }
}

// Copies between views are right in the calls for which the bug makes no
// difference, and broadcast_in_dim has hooks of its own.
TEST(Bugs, OfCopiesLeaveOtherCopiesAlone) {
  const LayoutCall calls[] = {
      Move("reverse", {CountingIn({3, 2})}, Dense(kI8, {3, 2}),
           {{"dimensions", "[]"}}),
      Move("transpose", {CountingIn({32, 32}, {0, 1})}, Dense(kI8, {32, 32}),
           {{"permutation", "[1, 0]"}}),
      Move("reshape", {CountingIn({6})}, Dense(kI8, {1, 6})),
      SliceOf(CountingIn({6}), Dense(kI8, {3}), "[0]", "[6]", "[2]"),
      Move("concatenate", {CountingIn({2}), CountingIn({3})}, Dense(kI8, {5}),
           {{"dimension", "0"}}),
      Move("iota", {}, Dense(kF32, {3, 3}), {{"iota_dimension", "1"}}),
      ConstantOf(Dense(kI8, {3}, {5, 5, 5})),
      Move("broadcast_in_dim", {CountingIn({2, 3, 2})}, Dense(kI8, {3, 2, 2}),
           {{"broadcast_dimensions", "[1, 0, 2]"}})};
  for (const Bug& bug : CopyBugs()) {
    ASSERT_TRUE(Plant(bug.id));
    for (const LayoutCall& call : calls)
      EXPECT_TRUE(IsSound(call)) << bug.id << " on " << call.op;
  }
}

// Copies go through the hooks of all ops, so that what is planted there shows.
TEST(Bugs, OfOtherHooksShowInCopies) {
  const auto reversed = [](const Placed& operand, const Placed& result) {
    return Move("reverse", {operand}, result, {{"dimensions", "[0]"}});
  };
  const std::pair<const char*, LayoutCall> calls[] = {
      {"LP07", reversed(CountingIn({9}), Dense(kI8, {9}))},
      {"LP15", reversed(CountingIn({8}), Dense(kI8, {8}))},
      {"LY01", reversed(CountingIn({9}, {2}), Dense(kI8, {9}))},
      {"LY02", reversed(CountingIn({9}), Dense(kI8, {9}))},
      {"ME07", reversed(CountingIn({9}), {kI8, {9}, {2}})},
      {"DG03", ConstantOf(Dense(kI8, {}, {1}))},
      {"ME05", Move("iota", {}, Dense(kI8, {2}), {{"iota_dimension", "0"}})},
      {"LP09", Move("iota", {}, Dense(kBf16, {9}), {{"iota_dimension", "0"}})},
      {"WALK_EMPTY", reversed(CountingIn({0}), Dense(kI8, {0}))}};
  for (const auto& [bug, call] : calls) {
    ASSERT_TRUE(Plant(bug));
    EXPECT_FALSE(IsSound(call)) << bug;
  }
}

// Functions are applied right where the bug makes no difference.
TEST(Bugs, OfFunctionsLeaveOtherFunctionsAlone) {
  const AssayFunction* const add = Binary("add", kOfI8, "add");
  const LayoutCall calls[] = {
      MapOf(add, {CountingIn({3}), CountingIn({3})}, 2, Dense(kI8, {3})),
      ReduceOf(add, {CountingIn({2, 3})}, {OneOf(kI8, 0)}, {Dense(kI8, {3})},
               "[0]"),
      SortOf(Comparator("LT", 1), {Dense(kI8, {3}, {5, 5, 5})}, "0")};
  for (const Bug& bug : RegionBugs()) {
    ASSERT_TRUE(Plant(bug.id));
    for (const LayoutCall& call : calls)
      EXPECT_TRUE(IsSound(call)) << bug.id << " on " << call.op;
  }
}

// Windows within the operand, of indices that differ, are right.
TEST(Bugs, OfWindowsLeaveOtherWindowsAlone) {
  const LayoutCall calls[] = {
      GatherAt(kI64, 0),
      ScatterTo(Binary("maximum", kOfI8), 3, {0, 1}),
      SliceAt(3, kI64, 0),
      DimensionSizeOf({2, 2}),
  };
  for (const auto bugs : {WindowBugs(), SliceBugs()}) {
    for (const Bug& bug : bugs) {
      ASSERT_TRUE(Plant(bug.id));
      for (const LayoutCall& call : calls)
        EXPECT_TRUE(IsSound(call)) << bug.id << " on " << call.op;
    }
  }
}

// Operands are read, and ops of functions computed, by the hooks of all ops.
TEST(Bugs, OfOtherHooksShowInFunctions) {
  const auto of_op = [](const char* op, const Placed& operand) {
    return MapOf(FunctionOf({kOfI8}, {{op, {0}, {kOfI8}}}, {1}), {operand}, 1,
                 Dense(kI8, operand.shape));
  };
  const std::pair<const char*, LayoutCall> calls[] = {
      {"LY01", of_op("negate", CountingIn({9}, {2}))},
      {"LP15", of_op("reshape", CountingIn({8}))},
      {"BT03", of_op("popcnt", Dense(kI8, {1}, {-1}))},
      {"DG03", of_op("negate", CountingIn({2}))}};
  for (const auto& [bug, call] : calls) {
    ASSERT_TRUE(Plant(bug));
    EXPECT_FALSE(IsSound(call)) << bug;
  }
}

TEST(Bugs, TheEquivalentOneIsSoundForEveryLength) {
  ASSERT_TRUE(Plant("LP03E"));
  for (int n = 1; n <= 40; ++n) EXPECT_TRUE(IsSound(AddOf(n))) << n;
}

// Of a sum, an order of updates cannot be told from another.
TEST(Bugs, TheEquivalentOrderOfUpdatesIsSoundForSums) {
  ASSERT_TRUE(Plant("IX47E"));
  const AssayFunction* const add = Binary("add", kOfI8, "add");
  EXPECT_TRUE(IsSound(ScatterTo(add, 2, {0, 1, 0, 1, 0})));
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
