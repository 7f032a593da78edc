// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace mimus::emulator {

/// The GPUs of the cluster that one host serves, and this one among them.
struct HostGpu {
  int index = 0;
  int count = 1;
};

/// The CUDA device that stands for a GPU of the cluster.
struct CudaPlace {
  int ordinal = 0;
  int gpus = 1;  ///< of the cluster that share the device; above 1 times are not a cluster's
};

/// Neighbouring GPUs of the cluster share a device where there are fewer devices than GPUs.
/// EnvironmentError when there is no device, or when more GPUs than `gpus_per_device` would share
/// one; without a value as many as it takes may.
[[nodiscard]] CudaPlace cuda_place(const HostGpu& gpu, int devices,
                                   std::optional<int> gpus_per_device);

/// What `hosts` (one name per rank) say about the GPU that `rank` serves, when `lanes` ranks in a
/// row, from rank 1 on, serve each of the cluster's first `gpus` GPUs.
[[nodiscard]] HostGpu host_gpu(const std::vector<std::string>& hosts, int rank, int lanes,
                               int gpus);

}  // namespace mimus::emulator
