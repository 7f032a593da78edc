// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/step/suspended_state.hpp"

#include "kernels/cuda/runtime/cuda_error.hpp"

namespace mimus::kernels::cuda {
namespace {

void copy_to_host(PinnedBuffer& host, const DeviceBuffer& device, cudaStream_t stream) {
  const auto bytes = static_cast<std::size_t>(device.bytes());
  if (bytes == 0) return;
  if (host.bytes() != device.bytes()) host = PinnedBuffer(bytes);
  check_cuda(cudaMemcpyAsync(host.as<std::byte>(), device.as<std::byte>(), bytes,
                             cudaMemcpyDeviceToHost, stream),
             "cudaMemcpyAsync");
}

void copy_to_device(std::byte* device, const PinnedBuffer& host, cudaStream_t stream) {
  const auto bytes = static_cast<std::size_t>(host.bytes());
  if (bytes == 0) return;
  check_cuda(cudaMemcpyAsync(device, host.as<std::byte>(), bytes, cudaMemcpyHostToDevice, stream),
             "cudaMemcpyAsync");
}

}  // namespace

void SuspendedState::move_to_host(StateBuffers state, cudaStream_t stream) {
  copy_to_host(weights_, state.weights, stream);
  copy_to_host(moments_, state.moments, stream);
  check_cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  is_on_host_ = true;
}

void SuspendedState::copy_back(const RegionAddresses& regions, cudaStream_t stream) {
  if (!is_on_host_) return;
  copy_to_device(regions.at({Region::weights, 0}), weights_, stream);
  copy_to_device(regions.at({Region::moments, 0}), moments_, stream);
  check_cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  is_on_host_ = false;
}

}  // namespace mimus::kernels::cuda
