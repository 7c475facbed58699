// The driver is opened by dlopen, and every call of it is checked: an error
// message has the name of the error and of the function.
#include "backends/host/cuda_driver.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <new>
#include <vector>

#include "backends/host/arena.h"
#include "backends/host/cuda_api.h"

// The driver maps memory where AddressSanitizer would leave a gap, and then
// reports that it is out of memory.
#ifdef __SANITIZE_ADDRESS__
extern "C" __attribute__((weak)) const char* __asan_default_options() {
  return "protect_shadow_gap=0";
}
#endif

namespace assay {
namespace {

namespace api = cuda_api;

constexpr char kCudaLibrary[] = "libcuda.so.1";
constexpr unsigned kCopyKernelThreads = 256;

// Returns the driver's text of a result: "CUDA_ERROR_ILLEGAL_ADDRESS (an
// illegal memory access was encountered)".
std::string CudaTextOf(const api::Functions& cuda, api::Result result) {
  const char* name = nullptr;
  const char* text = nullptr;
  if (cuda.GetErrorName(result, &name) != api::kSuccess || name == nullptr)
    return fmt::format("CUDA error {}", result);
  if (cuda.GetErrorString(result, &text) != api::kSuccess || text == nullptr)
    return name;
  return fmt::format("{} ({})", name, text);
}

void CheckCuda(const api::Functions& cuda, api::Result result,
               const char* from) {
  if (result == api::kSuccess) return;
  throw DeviceError(fmt::format("{}, from {}", CudaTextOf(cuda, result), from));
}

api::Functions LoadCudaFunctions() {
  // The library is never closed, because a plugin uses it too.
  void* library = dlopen(kCudaLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* why = dlerror();
    throw DeviceError(fmt::format("no NVIDIA driver on this machine: {}",
                                  why != nullptr ? why : kCudaLibrary));
  }
  const auto find = [&](const char* name) {
    void* function = dlsym(library, name);
    if (function == nullptr)
      throw DeviceError(fmt::format(
          "the NVIDIA driver is too old: {} has no {}", kCudaLibrary, name));
    return function;
  };
  api::Functions cuda;
#define ASSAY_FIND(member, name, arguments) \
  cuda.member = reinterpret_cast<decltype(cuda.member)>(find(name));
  ASSAY_CUDA_FUNCTIONS(ASSAY_FIND)
#undef ASSAY_FIND
  return cuda;
}

// Returns the initialized driver. If opening it failed, every call tries again,
// so that each gets the reason.
const api::Functions& CudaFunctions() {
  static const api::Functions functions = [] {
    const api::Functions cuda = LoadCudaFunctions();
    const api::Result result = cuda.Init(0);
    if (result == api::kNoDevice)
      throw DeviceError("no CUDA device: " + CudaTextOf(cuda, result));
    if (result != api::kSuccess)
      throw DeviceError("the NVIDIA driver does not start: " +
                        CudaTextOf(cuda, result) + ", from cuInit");
    return cuda;
  }();
  return functions;
}

class CudaDriver : public DeviceDriver {
 public:
  explicit CudaDriver(int number) : cuda_(CudaFunctions()) {
    if (kCopyKernelsPtx[0] == '\0')
      throw DeviceError(
          "this build of assay cannot copy to GPUs: no clang that compiles for "
          "them (clang-14 does) was there when it was configured");
    Check(cuda_.DeviceGet(&device_, number), "cuDeviceGet");
    std::array<char, 256> name = {};
    Check(cuda_.DeviceGetName(name.data(), name.size() - 1, device_),
          "cuDeviceGetName");
    name_ = name.data();
    Check(cuda_.DeviceTotalMem(&memory_bytes_, device_), "cuDeviceTotalMem");
    int can_map = 0;
    Check(cuda_.DeviceGetAttribute(
              &can_map, api::kVirtualMemoryManagementSupported, device_),
          "cuDeviceGetAttribute");
    if (can_map == 0)
      throw DeviceError(fmt::format(
          "{} has no virtual memory management, which protected pages need",
          name_));
    properties_.type = api::kPinnedAllocation;
    properties_.location = {api::kLocationIsDevice, device_};
    Check(cuda_.MemGetAllocationGranularity(&granule_, &properties_,
                                            api::kMinimumGranularity),
          "cuMemGetAllocationGranularity");
    Check(cuda_.DevicePrimaryCtxRetain(&context_, device_),
          "cuDevicePrimaryCtxRetain");
    try {
      Enter();
      Check(cuda_.ModuleLoadData(&module_, kCopyKernelsPtx),
            "cuModuleLoadData");
      Check(cuda_.ModuleGetFunction(&spread_, module_, "assay_spread"),
            "cuModuleGetFunction");
      Check(cuda_.ModuleGetFunction(&collect_, module_, "assay_collect"),
            "cuModuleGetFunction");
    } catch (const DeviceError&) {
      Close();
      throw;
    }
  }
  ~CudaDriver() override { Close(); }
  CudaDriver(const CudaDriver&) = delete;
  CudaDriver& operator=(const CudaDriver&) = delete;

  const std::string& name() const override { return name_; }
  uint64_t memory_bytes() const override { return memory_bytes_; }
  size_t granule() const override { return granule_; }

  uint64_t Map(size_t bytes) override {
    Enter();
    const size_t reserved = bytes + 2 * kProtectedBytes;
    api::DeviceAddress base = 0;
    CheckMemory(cuda_.MemAddressReserve(&base, reserved, 0, 0, 0),
                "cuMemAddressReserve");
    const api::DeviceAddress address = base + kProtectedBytes;
    api::AllocationHandle memory = 0;
    bool is_mapped = false;
    try {
      CheckMemory(cuda_.MemCreate(&memory, bytes, &properties_, 0),
                  "cuMemCreate");
      const api::Result mapped = cuda_.MemMap(address, bytes, 0, memory, 0);
      is_mapped = mapped == api::kSuccess;
      // Mapped memory lives until it is unmapped.
      cuda_.MemRelease(memory);
      CheckMemory(mapped, "cuMemMap");
      const api::AccessDescription access = {properties_.location,
                                             api::kReadAndWrite};
      CheckMemory(cuda_.MemSetAccess(address, bytes, &access, 1),
                  "cuMemSetAccess");
    } catch (...) {
      if (is_mapped) cuda_.MemUnmap(address, bytes);
      cuda_.MemAddressFree(base, reserved);
      throw;
    }
    return address;
  }

  void Unmap(uint64_t address, size_t bytes) noexcept override {
    cuda_.CtxSetCurrent(context_);
    cuda_.MemUnmap(address, bytes);
    cuda_.MemAddressFree(address - kProtectedBytes,
                         bytes + 2 * kProtectedBytes);
  }

  std::byte* AllocatePinned(size_t bytes) override {
    Enter();
    void* memory = nullptr;
    CheckMemory(cuda_.MemHostAlloc(&memory, bytes, api::kMappedHostMemory),
                "cuMemHostAlloc");
    return static_cast<std::byte*>(memory);
  }

  void FreePinned(std::byte* memory) noexcept override {
    cuda_.CtxSetCurrent(context_);
    cuda_.MemFreeHost(memory);
  }

  void Upload(uint64_t to, const std::byte* from, size_t bytes) override {
    Enter();
    Check(cuda_.MemcpyHtoDAsync(to, from, bytes, api::kLegacyDefaultStream),
          "cuMemcpyHtoDAsync");
  }

  void Download(std::byte* to, uint64_t from, size_t bytes) override {
    Enter();
    Check(cuda_.MemcpyDtoHAsync(to, from, bytes, api::kLegacyDefaultStream),
          "cuMemcpyDtoHAsync");
  }

  void Copy(uint64_t to, uint64_t from, size_t bytes) override {
    Enter();
    Check(cuda_.MemcpyDtoDAsync(to, from, bytes, api::kLegacyDefaultStream),
          "cuMemcpyDtoDAsync");
  }

  void Spread(uint64_t pieces, size_t count) override {
    Launch(spread_, count, {&pieces});
  }

  // Pinned memory has one address for the host and for the device.
  void Collect(uint64_t pieces, size_t count,
               const DeviceStaging& staging) override {
    DeviceStaging to = staging;
    Launch(collect_, count, {&pieces, &to.device, &to.host, &to.changed});
  }

  void Synchronise() override {
    Enter();
    Check(cuda_.CtxSynchronize(), "cuCtxSynchronize");
  }

 private:
  // A plugin may have left another context behind.
  void Enter() { Check(cuda_.CtxSetCurrent(context_), "cuCtxSetCurrent"); }

  void Launch(api::Function function, size_t blocks,
              std::vector<void*> arguments) {
    Enter();
    Check(cuda_.LaunchKernel(
              function, static_cast<unsigned>(blocks), 1, 1, kCopyKernelThreads,
              1, 1, 0, api::kLegacyDefaultStream, arguments.data(), nullptr),
          "cuLaunchKernel");
  }

  void Check(api::Result result, const char* from) const {
    CheckCuda(cuda_, result, from);
  }

  void CheckMemory(api::Result result, const char* from) const {
    if (result == api::kOutOfMemory) throw std::bad_alloc();
    Check(result, from);
  }

  void Close() noexcept {
    cuda_.CtxSetCurrent(context_);
    if (module_ != nullptr) cuda_.ModuleUnload(module_);
    cuda_.DevicePrimaryCtxRelease(device_);
  }

  const api::Functions& cuda_;
  api::Device device_ = 0;
  api::Context context_ = nullptr;
  api::Module module_ = nullptr;
  api::Function spread_ = nullptr, collect_ = nullptr;
  api::AllocationProperties properties_ = {};
  std::string name_;
  size_t memory_bytes_ = 0, granule_ = 0;
};

}  // namespace

int CountCudaDevices() {
  const api::Functions& cuda = CudaFunctions();
  int count = 0;
  const api::Result result = cuda.DeviceGetCount(&count);
  if (result != api::kSuccess)
    throw DeviceError("no CUDA device: " + CudaTextOf(cuda, result));
  if (count == 0) throw DeviceError("no CUDA device: the driver finds none");
  return count;
}

void RequireCudaDevice(int number) {
  const int count = CountCudaDevices();
  if (number < 0 || number >= count)
    throw DeviceError(
        fmt::format("no CUDA device {}: the driver has {} of them, from 0 on",
                    number, count));
}

std::unique_ptr<DeviceDriver> OpenCudaDevice(int number) {
  RequireCudaDevice(number);
  return std::make_unique<CudaDriver>(number);
}

std::unique_ptr<DeviceDriver> OpenDevice(const DLDevice& device) {
  if (device.device_type != kDLCUDA)
    throw DeviceError(
        fmt::format("tensors on DLPack device type {} are not supported",
                    static_cast<int>(device.device_type)));
  return OpenCudaDevice(device.device_id);
}

}  // namespace assay
