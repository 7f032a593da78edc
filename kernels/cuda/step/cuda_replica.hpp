// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/time.hpp"
#include "kernels/cuda/backend/cuda_backend.hpp"
#include "kernels/cuda/runtime/cuda_handles.hpp"
#include "kernels/cuda/step/launch_executor.hpp"
#include "kernels/cuda/step/replica_memory.hpp"
#include "kernels/cuda/step/spilled_memory.hpp"
#include "kernels/cuda/trace/kernel_trace.hpp"
#include "kernels/device_report.hpp"
#include "kernels/pacing/device_cap.hpp"

namespace mimus::kernels::cuda {

/// Data that a device and the steps of its replica share.
struct CudaReplica {
  /// The device of `settings` is current. `books` outlives the replica.
  CudaReplica(Ledger& books, const CudaDeviceOptions& settings)
      : ledger(books), options(settings) {}

  Ledger& ledger;
  CudaDeviceOptions options;
  Stream compute;
  Stream copy;
  LaunchExecutor executor{options.measures_convolutions};
  std::optional<ReplicaMemory> memory;
  SpilledMemory spilled;
  int reservations = 0;  ///< so far; older captured steps have stale addresses
  StepStretch stretch;
  DeviceCap cap;  ///< on `busy`
  /// Of the plan whose steps run: FootprintPlan::reading, which changes between steps.
  const Duration* reading = nullptr;
  KernelTrace trace{options.kernel_trace};
  DeviceReport report;
  Duration busy{};      ///< time of busy streams, less their waits for communication
  bool tenant = false;  ///< counted in the ledger: has run a step since its memory was reserved

  void become_tenant() {
    if (!tenant) ledger.add_tenant(options.gpu);
    tenant = true;
  }
  void leave() noexcept {
    if (tenant) ledger.remove_tenant(options.gpu);
    tenant = false;
  }
};

}  // namespace mimus::kernels::cuda
