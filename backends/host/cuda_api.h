// This header has the functions of the CUDA driver that assay calls, with the
// types of their arguments: a copy of the declarations in <cuda.h>, so that an
// assay that was built without CUDA judges plugins that use it. Driver
// functions keep their binary interface under their names, which is the purpose
// of `_v2`.
#ifndef ASSAY_BACKENDS_HOST_CUDA_API_H_
#define ASSAY_BACKENDS_HOST_CUDA_API_H_

#include <cstddef>
#include <cstdint>

namespace assay::cuda_api {

using Result = int;  // CUresult
inline constexpr Result kSuccess = 0;
inline constexpr Result kOutOfMemory = 2;
inline constexpr Result kNoDevice = 100;

using Device = int;                    // CUdevice
using Context = struct ContextTag*;    // CUcontext
using Module = struct ModuleTag*;      // CUmodule
using Function = struct FunctionTag*;  // CUfunction
using Stream = struct StreamTag*;      // CUstream
using DeviceAddress = uint64_t;        // CUdeviceptr
using AllocationHandle = uint64_t;     // CUmemGenericAllocationHandle
inline constexpr Stream kLegacyDefaultStream = nullptr;

struct Location {  // CUmemLocation
  int type;
  int id;
};
inline constexpr int kLocationIsDevice = 1;

struct AllocationProperties {  // CUmemAllocationProp
  int type;
  int requested_handle_types;
  Location location;
  void* win32_handle_meta_data;
  struct {
    unsigned char compression_type;
    unsigned char gpu_direct_rdma_capable;
    unsigned short usage;
    unsigned char reserved[4];
  } flags;
};
static_assert(sizeof(AllocationProperties) == 32);
inline constexpr int kPinnedAllocation = 1;
inline constexpr int kMinimumGranularity = 0;

struct AccessDescription {  // CUmemAccessDesc
  Location location;
  int flags;
};
static_assert(sizeof(AccessDescription) == 12);
inline constexpr int kReadAndWrite = 3;

// cuMemHostAlloc with this flag allocates memory that kernels may use.
inline constexpr unsigned kMappedHostMemory = 2;

// These are values of CUdevice_attribute.
inline constexpr int kVirtualMemoryManagementSupported = 102;

// Each entry is F(member, exported name, arguments).
#define ASSAY_CUDA_FUNCTIONS(F)                                             \
  F(GetErrorName, "cuGetErrorName", (Result, const char**))                 \
  F(GetErrorString, "cuGetErrorString", (Result, const char**))             \
  F(Init, "cuInit", (unsigned))                                             \
  F(DeviceGetCount, "cuDeviceGetCount", (int*))                             \
  F(DeviceGet, "cuDeviceGet", (Device*, int))                               \
  F(DeviceGetName, "cuDeviceGetName", (char*, int, Device))                 \
  F(DeviceTotalMem, "cuDeviceTotalMem_v2", (size_t*, Device))               \
  F(DeviceGetAttribute, "cuDeviceGetAttribute", (int*, int, Device))        \
  F(DevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", (Context*, Device)) \
  F(DevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", (Device))      \
  F(CtxSetCurrent, "cuCtxSetCurrent", (Context))                            \
  F(CtxSynchronize, "cuCtxSynchronize", ())                                 \
  F(MemGetAllocationGranularity, "cuMemGetAllocationGranularity",           \
    (size_t*, const AllocationProperties*, int))                            \
  F(MemAddressReserve, "cuMemAddressReserve",                               \
    (DeviceAddress*, size_t, size_t, DeviceAddress, unsigned long long))    \
  F(MemAddressFree, "cuMemAddressFree", (DeviceAddress, size_t))            \
  F(MemCreate, "cuMemCreate",                                               \
    (AllocationHandle*, size_t, const AllocationProperties*,                \
     unsigned long long))                                                   \
  F(MemRelease, "cuMemRelease", (AllocationHandle))                         \
  F(MemMap, "cuMemMap",                                                     \
    (DeviceAddress, size_t, size_t, AllocationHandle, unsigned long long))  \
  F(MemUnmap, "cuMemUnmap", (DeviceAddress, size_t))                        \
  F(MemSetAccess, "cuMemSetAccess",                                         \
    (DeviceAddress, size_t, const AccessDescription*, size_t))              \
  F(MemHostAlloc, "cuMemHostAlloc", (void**, size_t, unsigned))             \
  F(MemFreeHost, "cuMemFreeHost", (void*))                                  \
  F(MemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2",                                \
    (DeviceAddress, const void*, size_t, Stream))                           \
  F(MemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2",                                \
    (void*, DeviceAddress, size_t, Stream))                                 \
  F(MemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2",                                \
    (DeviceAddress, DeviceAddress, size_t, Stream))                         \
  F(ModuleLoadData, "cuModuleLoadData", (Module*, const void*))             \
  F(ModuleUnload, "cuModuleUnload", (Module))                               \
  F(ModuleGetFunction, "cuModuleGetFunction",                               \
    (Function*, Module, const char*))                                       \
  F(LaunchKernel, "cuLaunchKernel",                                         \
    (Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,  \
     unsigned, Stream, void**, void**))

// All functions of the driver are set.
struct Functions {
#define ASSAY_DECLARE(member, name, arguments) Result(*member) arguments;
  ASSAY_CUDA_FUNCTIONS(ASSAY_DECLARE)
#undef ASSAY_DECLARE
};

}  // namespace assay::cuda_api

#endif  // ASSAY_BACKENDS_HOST_CUDA_API_H_
