// These are the devices of the CUDA driver, which is opened when it is asked
// for: nothing links against it, and on a machine without one the error says
// so.
//
// The device's primary context is retained and made current, so that a plugin
// that uses the CUDA runtime works in the same context.
#ifndef ASSAY_BACKENDS_HOST_CUDA_DRIVER_H_
#define ASSAY_BACKENDS_HOST_CUDA_DRIVER_H_

#include <memory>

#include "backends/host/device_driver.h"

namespace assay {

// copy_kernels.cu, compiled. It is empty if the build found no compiler for it,
// and no device can be opened then.
extern const char kCopyKernelsPtx[];

// Throws DeviceError, with the reason, if there is no device of that number.
// Initializes the driver, but creates no context.
void RequireCudaDevice(int number);

// Returns the number of devices of this machine, which is at least 1. Throws
// DeviceError as RequireCudaDevice does.
int CountCudaDevices();

// Throws DeviceError. The thread that opened the device must also use and close
// it.
std::unique_ptr<DeviceDriver> OpenCudaDevice(int number);

}  // namespace assay

#endif  // ASSAY_BACKENDS_HOST_CUDA_DRIVER_H_
