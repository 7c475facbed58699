// Tests how many calls a worker is given at a time, and when only one. The
// outcomes of calls are tested through the command: tools/isolation_test.py,
// tools/device_test.py.
#include "backends/host/worker.h"

#include <gtest/gtest.h>

#include <string>

namespace assay {
namespace {

// This worker answers calls, except that it ends at call 3, with calls 1 to 3
// in flight together, and at call 6, alone. It answers calls 11 and 12 with
// `error` if another message comes with them.
constexpr char kWorker[] = R"(
import json, mmap, os, select, struct, sys
BATCH
text = b""
while True:
    while b"\n" not in text:
        text += os.read(0, 65536) or sys.exit(0)
    line, text = text.split(b"\n", 1)
    message = json.loads(line)
    if "hello" in message:
        hello = message["hello"]
        memory = mmap.mmap(os.open(hello["memory"], os.O_RDWR), hello["bytes"])
        hello = {"protocol": 1, "name": "w", "version": "1", **batch}
        os.write(1, json.dumps({"hello": hello}).encode() + b"\n")
        continue
    number = message["call"]
    if number == 3:
        memory[32:40] = struct.pack("<Q", 3)
        memory[0:8] = struct.pack("<Q", 1)
        os._exit(9)
    memory[0:8] = struct.pack("<Q", number)
    if number == 6:
        os._exit(9)
    if number < 3:
        continue
    is_alone = not text and not select.select([0], [], [], 0.1)[0]
    status = "ok" if is_alone or number > 12 else "error"
    os.write(1, json.dumps({"call": number, "status": status}).encode() + b"\n")
)";

// This worker answers each of the first 300 calls, and the others together at
// call 1500.
constexpr char kLateWorker[] = R"(
import json, sys
BATCH
answers = ""
for line in sys.stdin:
    message = json.loads(line)
    number = message.get("call", 0)
    if "hello" in message:
        answers = json.dumps({"hello": {"protocol": 1, "name": "w",
                                        "version": "1", **batch}}) + "\n"
    elif number > 0:
        answers += json.dumps({"call": number, "status": "ok"}) + "\n"
    if number <= 300 or number == 1500:
        sys.stdout.write(answers)
        sys.stdout.flush()
        answers = ""
)";

class WorkerTest : public testing::Test {
 protected:
  static std::unique_ptr<WorkerExecutor> Open(const std::string& batch,
                                              std::string script = kWorker) {
    script.replace(script.find("BATCH"), 5, "batch = " + batch);
    WorkerCommand command;
    command.spec = "test";
    command.words = {"/usr/bin/python3", "-c", script};
    return std::make_unique<WorkerExecutor>(command, WorkerLimits());
  }
  static void Submit(WorkerExecutor* worker, int calls) {
    Op op;
    op.op = "add";
    for (int i = 0; i < calls; ++i) worker->Submit({&op, {}, {}});
  }
};

TEST_F(WorkerTest, BeginsWithAFewCallsUnanswered) {
  EXPECT_EQ(Open("{}")->window(), 128);
  EXPECT_EQ(Open("{'batch': 8}")->window(), 16);
  EXPECT_EQ(Open("{'batch': 200}")->window(), 128);
}

TEST_F(WorkerTest, HasAsManyUnansweredAsItTakesNotToWaitButTwoBatchesAtMost) {
  const auto worker = Open("{'batch': 100}", kLateWorker);
  // On a busy machine an answer may be there before it is asked for. Many are
  // not, and two waits and 72 answers are enough.
  for (int i = 0; i < 300; ++i) {
    Submit(worker.get(), 1);
    EXPECT_EQ(worker->Next().status, CallStatus::kOk);
  }
  EXPECT_EQ(worker->window(), 200) << "nearly each was waited for";
  Submit(worker.get(), 1200);
  for (int i = 0; i < 1200; ++i)
    EXPECT_EQ(worker->Next().status, CallStatus::kOk);
  EXPECT_LE(worker->window(), 175) << "hardly any but the first was";
  EXPECT_GE(worker->window(), 128);
}

TEST_F(WorkerTest, CallsThatWereInFlightTogetherAreSentOneAtATime) {
  const auto worker = Open("{'batch': 8}");
  Submit(worker.get(), 5);
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(worker->Next().status, CallStatus::kLost) << i;
  EXPECT_EQ(worker->window(), 1);
  // The first of these calls ends the worker again, and the others are asked
  // again.
  Submit(worker.get(), 5);  // 6 to 10
  EXPECT_EQ(worker->Next().status, CallStatus::kCrash);
  for (int i = 7; i <= 10; ++i)
    EXPECT_EQ(worker->Next().status, CallStatus::kLost) << i;
  EXPECT_EQ(worker->window(), 1);
  Submit(worker.get(), 4);  // 11 to 14
  EXPECT_EQ(worker->Next().status, CallStatus::kOk);
  EXPECT_EQ(worker->window(), 1);
  EXPECT_EQ(worker->Next().status, CallStatus::kOk);
  EXPECT_GT(worker->window(), 1) << "three were in flight";
  EXPECT_EQ(worker->Next().status, CallStatus::kOk);
  EXPECT_EQ(worker->Next().status, CallStatus::kOk);
  EXPECT_EQ(worker->restarts(), 2);
}

}  // namespace
}  // namespace assay
