// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/monitor/gpm_sampler.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace mimus::kernels::cuda {
namespace {

struct Column {
  nvml_abi::GpmMetricId id;
  const char* name;
  void (*store)(GpmActivity&, double);
};

BytesPerSecond from_mebibytes(double per_second) {
  return BytesPerSecond{per_second * kMi};
}

constexpr std::array kColumns{
    Column{nvml_abi::kGpmSmActivity, "sm_activity",
           [](GpmActivity& to, double value) { to.sm_activity = value; }},
    Column{nvml_abi::kGpmSmOccupancy, "sm_occupancy",
           [](GpmActivity& to, double value) { to.sm_occupancy = value; }},
    Column{nvml_abi::kGpmTensorActivity, "tensor_activity",
           [](GpmActivity& to, double value) { to.tensor_activity = value; }},
    Column{nvml_abi::kGpmDramBandwidth, "dram_bandwidth",
           [](GpmActivity& to, double value) { to.dram_bandwidth = value; }},
    Column{nvml_abi::kGpmFp32Activity, "fp32_activity",
           [](GpmActivity& to, double value) { to.fp32_activity = value; }},
    Column{nvml_abi::kGpmPcieSent, "pcie_sent",
           [](GpmActivity& to, double value) { to.pcie_sent = from_mebibytes(value); }},
    Column{nvml_abi::kGpmPcieReceived, "pcie_received",
           [](GpmActivity& to, double value) { to.pcie_received = from_mebibytes(value); }},
    Column{nvml_abi::kGpmNvLinkSent, "nvlink_sent",
           [](GpmActivity& to, double value) { to.nvlink_sent = from_mebibytes(value); }},
    Column{nvml_abi::kGpmNvLinkReceived, "nvlink_received",
           [](GpmActivity& to, double value) { to.nvlink_received = from_mebibytes(value); }},
};

void all_missing(const std::string& reason, std::vector<MissingMetric>& missing) {
  for (const auto& column : kColumns) missing.push_back({column.name, reason});
}

}  // namespace

GpmSampler::GpmSampler(std::shared_ptr<const Nvml> nvml, nvml_abi::Device device)
    : nvml_(std::move(nvml)), device_(device), unsupported_(why_unsupported()) {
  if (unsupported_.empty()) allocate();
}

GpmSampler::~GpmSampler() {
  for (const auto buffer : buffers_) {
    if (buffer != nullptr) (void)nvml_->functions().gpm_free(buffer);
  }
}

std::string GpmSampler::why_unsupported() const {
  nvml_abi::GpmSupport support{nvml_abi::kGpmSupportVersion, 0};
  const NvmlStatus status = nvml_->functions().gpm_support(device_, &support);
  if (!status.ok()) return nvml_->explain(status);
  return support.is_supported != 0 ? "" : "the device has no GPM: it needs Hopper or later";
}

void GpmSampler::allocate() {
  for (auto& buffer : buffers_) {
    const NvmlStatus status = nvml_->functions().gpm_alloc(&buffer);
    if (status.ok()) continue;
    buffer = nullptr;
    unsupported_ = nvml_->explain(status);
  }
}

GpmActivity GpmSampler::sample(std::vector<MissingMetric>& missing) {
  if (!unsupported_.empty()) {
    all_missing(unsupported_, missing);
    return {};
  }
  const NvmlStatus read = nvml_->functions().gpm_sample(device_, buffers_[1]);
  if (!read.ok()) {
    all_missing(nvml_->explain(read), missing);
    return {};
  }
  GpmActivity activity;
  if (has_previous_) {
    activity = evaluate(missing);
  } else {
    all_missing("the first sample has no interval to be measured over", missing);
  }
  std::swap(buffers_[0], buffers_[1]);
  has_previous_ = true;
  return activity;
}

GpmActivity GpmSampler::evaluate(std::vector<MissingMetric>& missing) const {
  nvml_abi::GpmMetricsGet request{};
  request.version = nvml_abi::kGpmMetricsGetVersion;
  request.metric_count = kColumns.size();
  request.first = buffers_[0];
  request.second = buffers_[1];
  for (std::size_t i = 0; i < kColumns.size(); ++i) request.metrics[i].id = kColumns[i].id;

  const NvmlStatus status = nvml_->functions().gpm_metrics(&request);
  if (!status.ok()) {
    all_missing(nvml_->explain(status), missing);
    return {};
  }
  GpmActivity activity;
  for (std::size_t i = 0; i < kColumns.size(); ++i) {
    const auto& metric = request.metrics[i];
    if (metric.status != nvml_abi::kSuccess) {
      missing.push_back({kColumns[i].name, nvml_->explain({metric.status, status.function})});
    } else if (!std::isfinite(metric.value)) {
      missing.push_back({kColumns[i].name, "the counters did not move between the two samples"});
    } else {
      kColumns[i].store(activity, metric.value);
    }
  }
  return activity;
}

}  // namespace mimus::kernels::cuda
