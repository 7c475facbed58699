// A case is uploaded and judged once, in the layout that it has. Then calls are
// launched one after another and waited for together, in turn with copies of as
// many bytes from one place of the device to another.
//
// Large operands do not fit the caches of a device, so that calls that follow
// each other read memory. Small ones measure how fast calls are launched.
#include "tools/bench/bench_device.h"

#include <fmt/format.h>

#include <cstdio>
#include <deque>
#include <new>

#include "backends/host/abi_call.h"
#include "backends/host/device_memory.h"
#include "cases/run/memory.h"
#include "oracle/judge.h"
#include "reports/print.h"
#include "reports/progress.h"
#include "tools/bench/timing.h"

namespace assay {
namespace {

constexpr int kDeviceRounds = 9;
constexpr double kMinDeviceRoundSeconds = 2e-2;
constexpr size_t kDeviceCopyBytes = size_t{512} << 20;

class DeviceCase {
 public:
  DeviceCase(const Case& c, const Backend& backend, DeviceMemory* memory)
      : op_(c.program.main().body.at(0)),
        backend_(backend),
        memory_(memory),
        call_(op_.op) {
    call_.AddMembers(op_);
    for (const CaseInput& input : c.inputs) {
      inputs_.push_back(input.data.Materialise());
      const HostTensor tensor = Add(input.data.type, input.layout);
      buffers_.back().Write(inputs_.back());
      call_.AddInput(input.data.type, input.layout.strides, tensor.element0);
    }
    const Op::Result& output = op_.outputs[0];
    const auto layout = c.output_layouts.find(output.value);
    layout_ = layout == c.output_layouts.end()
                  ? Layout::RowMajor(output.type.tensor().shape)
                  : layout->second;
    const HostTensor result = Add(output.type, layout_);
    buffers_.back().Fill(GuardedBuffer::kFillA);
    call_.AddOutput(output.type, layout_.strides, result.element0);
    placement_ = memory->Place(tensors_);
    call_.MoveTo(backend.device(), placement_.element0);
  }
  ~DeviceCase() { memory_->Release(placement_); }
  DeviceCase(const DeviceCase&) = delete;
  DeviceCase& operator=(const DeviceCase&) = delete;

  // Returns "" if the result of one call is right, else the reason why the case
  // is not timed.
  std::string Judge(const Policy& policy) {
    const DevicePlacement* const placements[] = {&placement_};
    memory_->Upload(placements);
    const std::string wrong = Run();
    memory_->Download();
    if (!wrong.empty()) return wrong;
    for (const GuardedBuffer& buffer : buffers_) {
      const std::string violation = buffer.CheckGuards();
      if (!violation.empty()) return violation;
    }
    const Evaluation evaluation = Evaluate(op_, inputs_, policy, Marks::kNone);
    const Judgement judgement =
        assay::Judge(evaluation.outputs[0], buffers_.back().Read());
    if (judgement.ok()) return "";
    return fmt::format("{} of {} elements are wrong", judgement.failed,
                       judgement.elements);
  }

  // Launches the call. Returns "" if it was accepted.
  std::string Run() {
    std::string message;
    const int32_t status = backend_.Run(call_.abi(), &message);
    if (status == ASSAY_OK) return "";
    return fmt::format("status {} {}", status, message);
  }

  // Returns the size of all operands and of the result, with each element
  // counted once.
  int64_t Bytes() const {
    int64_t bytes = op_.outputs[0].type.tensor().ByteSize();
    for (const Tensor& input : inputs_) bytes += input.byte_size();
    return bytes;
  }
  int64_t elements() const {
    return *ElementCount(op_.outputs[0].type.tensor().shape);
  }

 private:
  HostTensor Add(const TensorType& type, const Layout& layout) {
    const GuardedBuffer& buffer =
        buffers_.emplace_back(&arena_, type, layout, Side::kTightBehind, 0);
    tensors_.push_back(
        LocateTensor(type, layout.strides, buffer.slot(), buffer.element0()));
    return tensors_.back();
  }

  const Op& op_;
  const Backend& backend_;
  DeviceMemory* memory_;
  AbiCall call_;
  Layout layout_;
  std::vector<Tensor> inputs_;
  Arena arena_;
  std::deque<GuardedBuffer> buffers_;
  std::vector<HostTensor> tensors_;
  DevicePlacement placement_;
};

// Copies that calls are compared with have device memory of their own.
class CopyRoom {
 public:
  CopyRoom(DeviceDriver* driver, size_t bytes)
      : driver_(driver), bytes_(bytes), room_(driver->Map(2 * bytes)) {}
  ~CopyRoom() { driver_->Unmap(room_, 2 * bytes_); }
  CopyRoom(const CopyRoom&) = delete;
  CopyRoom& operator=(const CopyRoom&) = delete;

  void Copy() { driver_->Copy(room_ + bytes_, room_, bytes_); }

 private:
  DeviceDriver* driver_;
  size_t bytes_;
  uint64_t room_;
};

// Returns the seconds that one launch takes, measured over as many as take long
// enough to be timed.
template <class F>
double SecondsOf(DeviceDriver* driver, int* repeat, const F& launch) {
  const auto all = [&] {
    for (int i = 0; i < *repeat; ++i) launch();
    driver->Synchronise();
  };
  double seconds = Seconds(all);
  for (; seconds < kMinDeviceRoundSeconds && *repeat < 1 << 20;
       seconds = Seconds(all))
    *repeat *= 2;
  return seconds / *repeat;
}

bool BenchCaseOnDevice(const Case& c, const Backend& backend,
                       const Policy& policy, DeviceDriver* driver,
                       DeviceMemory* memory, CopyRoom* room,
                       Progress* progress) {
  DeviceCase bench(c, backend, memory);
  const std::string wrong = bench.Judge(policy);
  progress->Clear();
  if (!wrong.empty()) {
    PrintText("{:<40} not measured: {}\n", c.name, wrong);
    return false;
  }
  int runs = 1, copies = 1;
  std::vector<double> run_seconds, copy_seconds;
  for (int round = 0; round <= kDeviceRounds; ++round) {
    const double run = SecondsOf(driver, &runs, [&] { bench.Run(); });
    const double copy = SecondsOf(driver, &copies, [&] { room->Copy(); });
    if (round == 0) continue;
    run_seconds.push_back(run);
    copy_seconds.push_back(copy);
  }
  const double seconds = Median(run_seconds);
  const double rate = static_cast<double>(bench.Bytes()) / seconds;
  const double copy_rate = 2.0 * kDeviceCopyBytes / Median(copy_seconds);
  PrintText("{:<40} {:>9} {:>10.1f} {:>10.1f} {:>8.3f} {:>11.0f}\n", c.name,
            bench.elements(), rate / 1e9, copy_rate / 1e9, rate / copy_rate,
            1 / seconds);
  std::fflush(stdout);
  return true;
}

}  // namespace

bool BenchDevice(const Backend& backend, const std::vector<Case>& cases,
                 const Policy& policy) {
  try {
    const std::unique_ptr<DeviceDriver> driver = OpenDevice(backend.device());
    DeviceMemory memory(driver.get());
    CopyRoom room(driver.get(), kDeviceCopyBytes);
    PrintText("{} on {}: median of {}, bytes read and written\n",
              backend.spec(), driver->name(), kDeviceRounds);
    PrintText("{:<40} {:>9} {:>10} {:>10} {:>8} {:>11}\n", "case", "elements",
              "GB/s", "copy", "ratio", "calls/s");
    Progress progress("measuring " + backend.spec(),
                      static_cast<int64_t>(cases.size()));
    bool is_right = true;
    for (const Case& c : cases) {
      is_right &= BenchCaseOnDevice(c, backend, policy, driver.get(), &memory,
                                    &room, &progress);
      progress.Step(c.name);
    }
    return is_right;
  } catch (const DeviceError& e) {
    throw BackendError(
        fmt::format("backend '{}': {}", backend.spec(), e.what()));
  } catch (const std::bad_alloc&) {
    throw BackendError(fmt::format(
        "backend '{}': the device has too little memory", backend.spec()));
  }
}

}  // namespace assay
