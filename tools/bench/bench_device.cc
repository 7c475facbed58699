// A case is uploaded and judged once, in the layout that it has. Then calls are
// launched one after another and waited for together, in turn with copies of as
// many bytes from one place of the device to another.
//
// Large operands do not fit the caches of a device, so that calls that follow
// each other read memory. Small ones measure how fast calls are launched.
#include "tools/bench/bench_device.h"

#include <fmt/format.h>

#include <cstdio>
#include <new>
#include <utility>

#include "backends/host/device_memory.h"
#include "reports/print.h"
#include "reports/progress.h"
#include "tools/bench/bench_call.h"
#include "tools/bench/timing.h"

namespace assay {
namespace {

constexpr int kDeviceRounds = 9;
constexpr double kMinDeviceRoundSeconds = 2e-2;
constexpr size_t kDeviceCopyBytes = size_t{512} << 20;

class DeviceCase {
 public:
  DeviceCase(const Case& c, const Backend& backend, DeviceMemory* memory)
      : bench_(c, Side::kTightBehind),
        backend_(backend),
        memory_(memory),
        placement_(memory->Place(bench_.tensors())) {
    bench_.call().MoveTo(backend.device(), placement_.element0);
  }
  ~DeviceCase() { memory_->Release(placement_); }
  DeviceCase(const DeviceCase&) = delete;
  DeviceCase& operator=(const DeviceCase&) = delete;

  // Runs one call and judges its results.
  BenchJudgement Judge(const Policy& policy) {
    const DevicePlacement* const placements[] = {&placement_};
    memory_->Upload(placements);
    std::string wrong = Run();
    memory_->Download();
    if (!wrong.empty()) return {.wrong = std::move(wrong)};
    return bench_.Judge(bench_.Expected(policy));
  }

  // Launches the call. Returns "" if it was accepted.
  std::string Run() {
    std::string message;
    const int32_t status = backend_.Run(bench_.call().abi(), &message);
    if (status == ASSAY_OK) return "";
    return fmt::format("status {} {}", status, message);
  }

  const BenchCall& bench() const { return bench_; }

 private:
  BenchCall bench_;
  const Backend& backend_;
  DeviceMemory* memory_;
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
  DeviceCase on_device(c, backend, memory);
  const BenchCall& bench = on_device.bench();
  const BenchJudgement judgement = on_device.Judge(policy);
  progress->Clear();
  if (!judgement.wrong.empty()) {
    PrintText("{:<40} not measured: {}\n", c.name, judgement.wrong);
    return false;
  }
  int runs = 1, copies = 1;
  std::vector<double> run_seconds, copy_seconds;
  for (int round = 0; round <= kDeviceRounds; ++round) {
    const double run = SecondsOf(driver, &runs, [&] { on_device.Run(); });
    const double copy = SecondsOf(driver, &copies, [&] { room->Copy(); });
    if (round == 0) continue;
    run_seconds.push_back(run);
    copy_seconds.push_back(copy);
  }
  const double seconds = Median(run_seconds);
  const double rate = static_cast<double>(bench.Bytes()) / seconds;
  const double copy_rate = 2.0 * kDeviceCopyBytes / Median(copy_seconds);
  PrintText("{:<40} {:>9} {:>10.1f} {:>10.1f} {:>8.3f} {:>11.0f}{}\n", c.name,
            bench.elements(), rate / 1e9, copy_rate / 1e9, rate / copy_rate,
            1 / seconds, OpenText(judgement));
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
    PrintText("{} on {}, policy {}: median of {}, bytes read and written\n",
              backend.spec(), driver->name(), policy.name(), kDeviceRounds);
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
