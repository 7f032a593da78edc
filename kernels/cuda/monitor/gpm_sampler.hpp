// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "kernels/cuda/monitor/gpu_sample.hpp"
#include "kernels/cuda/monitor/nvml.hpp"

namespace mimus::kernels::cuda {

/// Reads the GPM counters of one device. A result covers the time since the previous one, which
/// should be more than 100 ms: the driver does not refresh the counters faster.
class GpmSampler {
 public:
  GpmSampler(std::shared_ptr<const Nvml> nvml, nvml_abi::Device device);
  GpmSampler(const GpmSampler&) = delete;
  GpmSampler& operator=(const GpmSampler&) = delete;
  ~GpmSampler();

  /// Activity since the previous call. Missing values are appended to `missing`: all values in the
  /// first call, which has no interval yet, and on GPUs before Hopper.
  [[nodiscard]] GpmActivity sample(std::vector<MissingMetric>& missing);

  /// Why this device has no GPM; "" if it has.
  [[nodiscard]] const std::string& unsupported() const { return unsupported_; }

 private:
  [[nodiscard]] std::string why_unsupported() const;
  void allocate();
  /// Metrics of the interval between both buffers.
  [[nodiscard]] GpmActivity evaluate(std::vector<MissingMetric>& missing) const;

  std::shared_ptr<const Nvml> nvml_;
  nvml_abi::Device device_;
  std::array<nvml_abi::GpmSample, 2> buffers_{};  // the previous reading, and the newest
  bool has_previous_ = false;
  std::string unsupported_;
};

}  // namespace mimus::kernels::cuda
