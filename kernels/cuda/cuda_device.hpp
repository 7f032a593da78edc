// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "kernels/cuda/step/cuda_replica.hpp"
#include "kernels/cuda/step/suspended_state.hpp"
#include "kernels/device.hpp"
#include "kernels/pacing/ledger.hpp"

namespace mimus::kernels::cuda {

/// A replica on a real GPU: memory is allocated, kernels run at full size, nothing is paced.
/// Tenants of one GPU are processes, and the driver decides how they share it (time slices, or
/// MPS). The ledger counts tenants and limits them to the memory that the cluster states for a GPU.
class CudaDevice final : public Device {
 public:
  /// EnvironmentError when the device does not exist or cannot be used.
  CudaDevice(Ledger& ledger, const CudaDeviceOptions& options);
  ~CudaDevice() override;

  [[nodiscard]] std::string description() const override { return description_; }
  [[nodiscard]] bool runs_at_full_size() const override { return true; }
  /// `plan.launches` says what to allocate.
  void reserve(const FootprintPlan& plan) override;
  void release() noexcept override;
  void keep(Bytes amount) override;
  void busy_from(WallInstant at) noexcept override { replica_.cap.idle_until(at); }
  void set_cap(double share, WallInstant at) override { replica_.cap.set(share, at); }
  void set_stretch(const StepStretch& stretch) override { replica_.stretch = stretch; }
  /// Collectives are those of NCCL, the emulated ring or staged ones. With `plan.split` steps are
  /// those of a rank of a split model.
  [[nodiscard]] std::unique_ptr<TrainingStep> make_step(const GangCollectives& gang,
                                                        const FootprintPlan& plan) override;
  [[nodiscard]] Duration busy() const override { return replica_.busy; }
  [[nodiscard]] int co_tenants() const override;
  [[nodiscard]] DeviceReport take_report() override;

 private:
  void free_device() noexcept;
  void check_limit(const FootprintPlan& plan) const;
  [[nodiscard]] std::string why_full(Bytes needed) const;

  CudaReplica replica_;
  SuspendedState state_;
  Bytes booked_{};  ///< in the ledger
  std::string description_;
};

}  // namespace mimus::kernels::cuda
