// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// The functions that the module provides to the program.
#include "kernels/cuda/backend/cuda_backend.hpp"

#include <cublasLt.h>
#include <cuda_runtime_api.h>
#include <utility>

#include <fmt/format.h>

#include "base/program_module.hpp"
#include "kernels/cuda/backend/backend_module.hpp"
#include "kernels/cuda/collective/ring_collective.hpp"
#include "kernels/cuda/collective/staged_collective.hpp"
#include "kernels/cuda/collective/stream_timing.hpp"
#include "kernels/cuda/cuda_device.hpp"
#include "kernels/cuda/libraries/convolutions.hpp"
#include "kernels/cuda/runtime/cuda_error.hpp"
#include "kernels/nccl/nccl_backend.hpp"

namespace mimus::kernels {
namespace {

/// CUDA's version number as text: 13000 is 13.0 and 12040 is 12.4.
std::string cuda_version(int number) {
  return number == 0 ? std::string{} : fmt::format("{}.{}", number / 1000, number % 1000 / 10);
}

CudaDeviceInfo info_of(int ordinal) {
  cudaDeviceProp properties{};
  cuda::check_cuda(cudaGetDeviceProperties(&properties, ordinal), "cudaGetDeviceProperties");
  return {.ordinal = ordinal,
          .name = properties.name,
          .pci_bus_id = fmt::format("{:08x}:{:02x}:{:02x}.0", properties.pciDomainID,
                                    properties.pciBusID, properties.pciDeviceID),
          .compute_major = properties.major,
          .compute_minor = properties.minor,
          .multiprocessors = properties.multiProcessorCount,
          .memory = Bytes{static_cast<double>(properties.totalGlobalMem)},
          .l2_cache = Bytes{static_cast<double>(properties.l2CacheSize)}};
}

class Backend final : public CudaBackend {
 public:
  [[nodiscard]] CudaVersions versions() const override {
    int runtime = 0;
    int driver = 0;
    (void)cudaRuntimeGetVersion(&runtime);
    (void)cudaDriverGetVersion(&driver);  // leaves 0 without a driver
    return {.toolkit = cuda_version(CUDART_VERSION),
            .runtime = cuda_version(runtime),
            .driver = cuda_version(driver),
            .cublas = std::to_string(cublasLtGetVersion()),
            .cudnn = cuda::Convolutions::library_version(),
            .nccl_header = nccl_header_version(),
            .nccl = nccl_version(),
            .nccl_number = nccl_number(),
            .convolutions = cuda::Convolutions::name(),
            .architectures = MIMUS_CUDA_ARCHITECTURES};
  }

  [[nodiscard]] std::vector<CudaDeviceInfo> devices() const override {
    int count = 0;
    cuda::check_cuda(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
    std::vector<CudaDeviceInfo> devices;
    for (int ordinal = 0; ordinal < count; ++ordinal) devices.push_back(info_of(ordinal));
    return devices;
  }

  void leave_device() const noexcept override { static_cast<void>(cudaDeviceReset()); }
  [[nodiscard]] std::unique_ptr<Device> make_device(
      Ledger& ledger, const CudaDeviceOptions& options) const override {
    return std::make_unique<cuda::CudaDevice>(ledger, options);
  }

  [[nodiscard]] NcclId make_nccl_id() const override { return kernels::make_nccl_id(); }

  [[nodiscard]] std::unique_ptr<Collective> make_nccl_collective(
      const NcclOptions& options) const override {
    return kernels::make_nccl_collective(options);
  }

  [[nodiscard]] NcclId nccl_resize_id(Collective& collective,
                                      const GangResize& resize) const override {
    return kernels::nccl_resize_id(collective, resize);
  }

  void resize_nccl_collective(Collective& collective, const GangResize& resize) const override {
    kernels::resize_nccl_collective(collective, resize);
  }

  [[nodiscard]] std::unique_ptr<Collective> make_ring_collective(
      const RingOptions& options) const override {
    return std::make_unique<cuda::RingCollective>(options);
  }

  [[nodiscard]] std::unique_ptr<Collective> make_staged_collective(
      const StagedOptions& options, std::unique_ptr<HostReduce> host) const override {
    const cuda::StagedCollective::Options staged{.rank = options.rank,
                                                 .size = options.size,
                                                 .device = options.device,
                                                 .deadline = options.deadline};
    return std::make_unique<cuda::StagedCollective>(staged, std::move(host));
  }

  [[nodiscard]] std::vector<Duration> time_all_reduces(
      Collective& collective, int device, const AllReduceSeries& series) const override {
    return cuda::time_all_reduces(dynamic_cast<cuda::StreamCollective&>(collective), device,
                                  series);
  }

  [[nodiscard]] std::string description(const Collective& collective) const override {
    return dynamic_cast<const cuda::StreamCollective&>(collective).description();
  }
};

}  // namespace
}  // namespace mimus::kernels

extern "C" {
const char* mimus_cuda_stamp();
const mimus::kernels::CudaBackend* mimus_cuda_backend();

const char* mimus_cuda_stamp() {
  return mimus::build_stamp();
}

const mimus::kernels::CudaBackend* mimus_cuda_backend() {
  static const mimus::kernels::Backend backend;
  return &backend;
}
}
