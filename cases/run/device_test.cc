// Tests kernels on a device that misbehave, each in one way: the runner finds
// in host memory what the device left. The device is host memory
// (fake_device_driver.h).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <stdexcept>

#include "backends/host/device_memory.h"
#include "backends/host/fake_device_driver.h"
#include "cases/run/plugin_test_support.h"
#include "cases/variants/layout_variants.h"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A DeviceAdd is `add` on i32 as the device sees it.
struct DeviceAdd {
  const AssayCall* call;
  int32_t* lhs;
  int32_t* rhs;
  int32_t* result;
  int64_t size;
  FakeDevice* device;
  int32_t Compute() const {
    for (int64_t i = 0; i < size; ++i)
      result[i] = static_cast<int32_t>(static_cast<uint32_t>(lhs[i]) +
                                       static_cast<uint32_t>(rhs[i]));
    return ASSAY_OK;
  }
};
using DeviceKernel = std::function<int32_t(const DeviceAdd&)>;

DeviceKernel device_kernel;
FakeDevice* the_device = nullptr;
int32_t wait_status = ASSAY_OK;

int32_t* DeviceData(const AssayTensor& t) {
  EXPECT_EQ(t.tensor.device.device_type, kDLCUDA);
  EXPECT_EQ(t.tensor.device.device_id, 3);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(t.tensor.data) % 256, 0);
  return reinterpret_cast<int32_t*>(static_cast<char*>(t.tensor.data) +
                                    t.tensor.byte_offset);
}

int32_t RunOnFakeDevice(const AssayCall* call, char* message, size_t capacity) {
  std::snprintf(message, capacity, "a message");
  the_device->CatchUp();
  return device_kernel({call, DeviceData(call->inputs[0]),
                        DeviceData(call->inputs[1]),
                        DeviceData(call->outputs[0]),
                        call->outputs[0].tensor.shape[0], the_device});
}

int32_t WaitForFakeDevice(char* message, size_t capacity) {
  std::snprintf(message, capacity, "the wait failed");
  return wait_status;
}

AssayBackend DevicePlugin() {
  AssayBackend plugin = PluginOf(RunOnFakeDevice);
  plugin.device = {kDLCUDA, 3};
  plugin.synchronise = WaitForFakeDevice;
  return plugin;
}

constexpr const char* kDeviceCases = R"({"op": "add", "cases": [
  {"id": "a", "inputs": {
    "lhs": {"type": "tensor<5xi32>", "data": [1, 2, 3, 4, 2147483647]},
    "rhs": {"type": "tensor<5xi32>", "data": [10, 20, 30, 40, 1]}}},
  {"id": "b", "inputs": {
    "lhs": {"type": "tensor<2xi32>", "data": [1, 2]},
    "rhs": {"type": "tensor<2xi32>", "data": [10, 20], "strides": [-3], "offset": 3}}},
  {"id": "in_place", "alias": {"result": "lhs"}, "inputs": {
    "lhs": {"type": "tensor<5xi32>", "data": [1, 2, 3, 4, 5]},
    "rhs": {"type": "tensor<5xi32>", "data": [10, 20, 30, 40, 50]}}}]})";

class DeviceTest : public testing::Test {
 protected:
  DeviceTest() {
    wait_status = ASSAY_OK;
    options_.is_late = true;
  }

  std::unique_ptr<InProcessExecutor> Open() {
    plugin_ = DevicePlugin();
    return std::make_unique<InProcessExecutor>(
        Backend::Adopt("test", &plugin_), together_,
        [&](const DLDevice& device) {
          EXPECT_EQ(device.device_id, 3);
          auto opened = std::make_unique<FakeDevice>(options_);
          the_device = opened.get();
          return opened;
        });
  }
  Verdict Judge(DeviceKernel kernel, size_t index = 0) {
    device_kernel = std::move(kernel);
    const auto executor = Open();
    return Runner(executor.get(), Policy::Find("assay")).Run(cases_.at(index));
  }

  AssayBackend plugin_ = {};
  FakeDevice::Options options_;
  size_t together_ = 1;
  std::vector<Case> cases_ =
      ParseCases("test.json", ParseJsonExactly("test.json", kDeviceCases), {});
};

TEST_F(DeviceTest, ARightKernelPasses) {
  const auto right = [](const DeviceAdd& add) { return add.Compute(); };
  EXPECT_EQ(Judge(right).outcome, Outcome::kPass);
  EXPECT_EQ(Judge(right, 2).outcome, Outcome::kPass);
  const auto strided = [](const DeviceAdd& add) {
    add.result[0] = add.lhs[0] + add.rhs[0];
    add.result[1] = add.lhs[1] + add.rhs[-3];
    return ASSAY_OK;
  };
  EXPECT_EQ(Judge(strided, 1).outcome, Outcome::kPass);
}

TEST_F(DeviceTest, AWrongValueFails) {
  const Verdict verdict = Judge([](const DeviceAdd& add) {
    add.Compute();
    add.result[1] = 23;
    return ASSAY_OK;
  });
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_THAT(verdict.clauses, ElementsAre("add/S2"));
}

TEST_F(DeviceTest, AChangedGuardIsAGuardViolation) {
  const Verdict in_front = Judge([](const DeviceAdd& add) {
    add.Compute();
    // In run B this is a fault of the device, and here one of the host.
    if (reinterpret_cast<uintptr_t>(add.result) % 4096 != 0)
      reinterpret_cast<char*>(add.result)[-1] = 0;
    return ASSAY_OK;
  });
  EXPECT_EQ(in_front.outcome, Outcome::kGuardViolation);
  EXPECT_THAT(in_front.message,
              HasSubstr("run A: result: wrote 1 byte(s) in front"));
  const Verdict behind = Judge([](const DeviceAdd& add) {
    add.Compute();
    if (reinterpret_cast<uintptr_t>(add.lhs) % 4096 == 0) add.lhs[5] = 0;
    return ASSAY_OK;
  });
  EXPECT_EQ(behind.outcome, Outcome::kGuardViolation);
  EXPECT_THAT(behind.message,
              HasSubstr("run B: lhs: wrote 1 byte(s) behind the buffer"));
}

TEST_F(DeviceTest, AChangedGapIsAGuardViolation) {
  const Verdict verdict = Judge(
      [](const DeviceAdd& add) {
        add.result[0] = add.lhs[0] + add.rhs[0];
        add.result[1] = add.lhs[1] + add.rhs[-3];
        add.rhs[-1] = 0;
        return ASSAY_OK;
      },
      1);
  EXPECT_THAT(verdict.message, HasSubstr("rhs: wrote into a gap"));
}

TEST_F(DeviceTest, ChangedInputsAndMissingElementsAreSeen) {
  EXPECT_EQ(Judge([](const DeviceAdd& add) {
              add.Compute();
              add.rhs[2] ^= 1;
              return ASSAY_OK;
            }).outcome,
            Outcome::kInputModified);
  EXPECT_EQ(Judge([](DeviceAdd add) {
              --add.size;
              return add.Compute();
            }).outcome,
            Outcome::kNotWritten);
  EXPECT_EQ(Judge([](const DeviceAdd& add) {
              add.lhs[0] ^= 1;
              return ASSAY_UNSUPPORTED;
            }).outcome,
            Outcome::kInputModified)
      << "declining is no licence to touch inputs";
}

TEST_F(DeviceTest, ConstantsStayInHostMemory) {
  const char* json =
      R"({"op": "paddle.bitwise_right_shift", "cases": [{"id": "c",
    "inputs": {"x": {"type": "tensor<1xi8>", "data": [-100]},
               "y": {"type": "tensor<1xi8>", "data": [1]}, "is_arithmetic": true}}]})";
  cases_ = ParseCases("test.json", ParseJsonExactly("test.json", json), {});
  int constants = 0;
  Judge([&](const DeviceAdd& add) {
    for (int32_t i = 0; i < add.call->num_attributes; ++i) {
      const AssayTensor* value = add.call->attributes[i].value;
      if (value == nullptr) continue;
      ++constants;
      EXPECT_EQ(value->tensor.device.device_type, kDLCPU);
      EXPECT_EQ(
          static_cast<char*>(value->tensor.data)[value->tensor.byte_offset], 1);
    }
    return ASSAY_UNSUPPORTED;
  });
  EXPECT_EQ(constants, 2) << "one in each run";
}

TEST_F(DeviceTest, StatusesBecomeOutcomes) {
  EXPECT_EQ(Judge([](const DeviceAdd&) { return ASSAY_UNSUPPORTED; }).outcome,
            Outcome::kUnsupported);
  const Verdict error = Judge([](const DeviceAdd&) { return ASSAY_ERROR; });
  EXPECT_EQ(error.outcome, Outcome::kError);
  EXPECT_THAT(error.message, HasSubstr("status 3: a message"));
  wait_status = ASSAY_ERROR;
  const Verdict wait =
      Judge([](const DeviceAdd& add) { return add.Compute(); });
  EXPECT_EQ(wait.outcome, Outcome::kError);
  EXPECT_THAT(wait.message, HasSubstr("the wait failed"));
  const Verdict crash = Judge(
      [](const DeviceAdd&) -> int32_t { throw std::runtime_error("thrown"); });
  EXPECT_EQ(crash.outcome, Outcome::kCrash) << "it came before the wait";
  EXPECT_THAT(crash.message, HasSubstr("an exception left the call"));
}

TEST_F(DeviceTest, AFaultOfTheDeviceIsACrashAndTheEnd) {
  device_kernel = [](const DeviceAdd& add) {
    add.device->Fail("SOME_FAULT");
    return ASSAY_ERROR;
  };
  const auto executor = Open();
  Runner runner(executor.get(), Policy::Find("assay"));
  const Verdict verdict = runner.Run(cases_[0]);
  EXPECT_EQ(verdict.outcome, Outcome::kCrash);
  EXPECT_THAT(verdict.message, HasSubstr("SOME_FAULT"));
  EXPECT_THAT([&] { runner.Run(cases_[0]); },
              testing::ThrowsMessage<BackendError>(
                  HasSubstr("cannot be used any more in this process")));
}

// The call that a variant is compared with is not submitted once its run B has
// lost the device.
TEST_F(DeviceTest, AFaultInRunBIsTheCasesInAnyLayout) {
  int calls = 0;
  device_kernel = [&](const DeviceAdd& add) {
    if (++calls == 2) add.device->Fail("SOME_FAULT");
    return add.Compute();
  };
  ASSERT_TRUE(HasVariant(cases_[0], "step2"));
  const auto executor = Open();
  const Verdict verdict = Runner(executor.get(), Policy::Find("assay"))
                              .Run(VariantOf(cases_[0], "step2"));
  EXPECT_EQ(verdict.outcome, Outcome::kCrash);
  EXPECT_THAT(verdict.message, HasSubstr("SOME_FAULT"));
}

TEST_F(DeviceTest, CallsTogetherAreCopiedOnce) {
  const auto right = [](const DeviceAdd& add) { return add.Compute(); };
  const auto uploads = [&](size_t together) {
    together_ = together;
    device_kernel = right;
    const auto executor = Open();
    EXPECT_EQ(executor->window(), together);
    EXPECT_EQ(
        Runner(executor.get(), Policy::Find("assay")).Run(cases_[0]).outcome,
        Outcome::kPass);
    return the_device->uploads;
  };
  EXPECT_EQ(uploads(1), 2) << "run A, and run B";
  EXPECT_EQ(uploads(2), 1);
  EXPECT_EQ(uploads(100), 1) << "there are no more to wait for";
}

TEST_F(DeviceTest, AFaultUnderCallsTogetherIsNobodys) {
  together_ = 2;
  device_kernel = [](const DeviceAdd& add) {
    add.device->Fail("SOME_FAULT");
    return ASSAY_ERROR;
  };
  const auto executor = Open();
  Runner runner(executor.get(), Policy::Find("assay"));
  EXPECT_THAT([&] { runner.Run(cases_[0]); },
              testing::ThrowsMessage<DeviceLost>(HasSubstr("SOME_FAULT")));
}

TEST_F(DeviceTest, WantOfDeviceMemoryIsTheCallsOutcome) {
  const size_t enough = DeviceMemory::kStagingBytes + (size_t{6} << 20);
  options_.memory_bytes = enough - (size_t{2} << 20);
  const auto right = [](const DeviceAdd& add) { return add.Compute(); };
  const Verdict verdict = Judge(right);
  EXPECT_EQ(verdict.outcome, Outcome::kMemory);
  EXPECT_THAT(verdict.message, HasSubstr("no memory left for tensors"));
  options_.memory_bytes = enough;  // for three tensors, and to copy them
  EXPECT_EQ(Judge(right).outcome, Outcome::kPass);
}

TEST_F(DeviceTest, ADeviceThatDoesNotOpenIsABackendError) {
  plugin_ = DevicePlugin();
  EXPECT_THAT(
      [&] {
        InProcessExecutor(Backend::Adopt("test", &plugin_), 1,
                          [](const DLDevice&) -> std::unique_ptr<DeviceDriver> {
                            throw DeviceError("no such device");
                          });
      },
      testing::ThrowsMessage<BackendError>(
          HasSubstr("backend 'test': no such device")));
}

}  // namespace
}  // namespace assay
