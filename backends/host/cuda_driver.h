// The devices of the CUDA driver, which is opened when it is asked for: nothing
// links against it, and a machine without one is told so.
//
// The device's primary context is retained and made current, so that a plugin
// that uses the CUDA runtime works in the same one.
#ifndef ASSAY_BACKENDS_HOST_CUDA_DRIVER_H_
#define ASSAY_BACKENDS_HOST_CUDA_DRIVER_H_

#include <memory>

#include "backends/host/device_driver.h"

namespace assay {

// Of copy_kernels.cu; empty if no compiler of it was there, and no device can
// be opened then.
extern const char kCopyKernelsPtx[];

// Throws DeviceError, with the reason, if there is no device of that number.
// Initialises the driver, makes no context.
void RequireCudaDevice(int number);

// Of this machine, at least 1. Throws DeviceError as RequireCudaDevice does.
int CountCudaDevices();

// Throws DeviceError. The device is used by the thread that opened it, by which
// it is also closed.
std::unique_ptr<DeviceDriver> OpenCudaDevice(int number);

}  // namespace assay

#endif  // ASSAY_BACKENDS_HOST_CUDA_DRIVER_H_
