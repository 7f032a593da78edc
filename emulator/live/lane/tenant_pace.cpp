// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/lane/tenant_pace.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace mimus::emulator {
namespace {

/// A tenant in one word: the number of its model, from 1 on, its utilisation in units of 2^-15, and
/// its device time in seconds as a float. 0 means no tenant.
constexpr unsigned kModelShift = 48;
constexpr unsigned kUtilisationShift = 32;
constexpr double kUtilisationUnits = 32768.0;

/// Two numbers as floats.
std::uint64_t packed(double high, double low) {
  return std::uint64_t{std::bit_cast<std::uint32_t>(static_cast<float>(high))} << 32U |
         std::bit_cast<std::uint32_t>(static_cast<float>(low));
}

double high_of(std::uint64_t word) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(word >> 32U));
}

double low_of(std::uint64_t word) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(word));
}

}  // namespace

std::string sharing_mode(const LiveCell& cell) {
  if (cell.engine.on_cuda()) {
    const bool mps = cell.engine.cuda.sharing == CudaConfig::Sharing::mps;
    return mps ? "mps, by the device" : "slices, by the device";
  }
  return cell.paced() ? emulated_sharing(cell)->name() : "by the cores, which are the devices";
}

std::unique_ptr<SharingLaw> emulated_sharing(const LiveCell& cell) {
  if (cell.engine.on_cuda() || !cell.paced()) return nullptr;
  return make_sharing_law(cell.engine.interference,
                          {.models = cell.models, .gpu_type = cell.cluster.shape.gpu_type});
}

std::span<RankStatus> tenants_of(const HostSegment& host, const scheduler::ClusterShape& cluster,
                                 GpuId gpu) {
  const auto first = static_cast<std::size_t>(rank_of(cluster.lane_of(gpu, 0)));
  return host.statuses().subspan(first, static_cast<std::size_t>(cluster.lanes_per_gpu));
}

TenantPace::TenantPace(std::unique_ptr<SharingLaw> law, std::vector<std::string> models,
                       std::span<RankStatus> tenants, RankStatus& own)
    : law_(std::move(law)),
      models_(std::move(models)),
      ranks_(tenants),
      own_(own),
      seen_(ranks_.size()) {
  own_.tenant.clear();
}

void TenantPace::enter(const GpuTenant& tenant, WallInstant at) noexcept {
  if (tenant.batch != batch_) seen_.assign(seen_.size(), {});
  batch_ = tenant.batch;
  const auto found = std::find(models_.begin(), models_.end(), tenant.model);
  const auto number = static_cast<std::uint64_t>(found - models_.begin()) + 1;
  const double share = std::min(1.0, tenant.utilisation) * kUtilisationUnits;
  const auto seconds = static_cast<float>(to_seconds(tenant.device_time));
  own_words_.tenant = number << kModelShift |
                      static_cast<std::uint64_t>(std::llround(share)) << kUtilisationShift |
                      std::bit_cast<std::uint32_t>(seconds);
  const scheduler::StageTimes stages = tenant.stages.value_or(scheduler::StageTimes{});
  own_words_.stages = {packed(stages.input, stages.compute),
                       packed(stages.network, stages.iteration)};
  own_.tenant.add(own_words_, at);
}

void TenantPace::leave(WallInstant at) noexcept {
  own_words_ = {};
  own_.tenant.add(own_words_, at);
}

GpuTenant TenantPace::tenant_of(const TenantWords& words) const {
  const std::uint64_t word = words.tenant;
  const std::size_t number = (word >> kModelShift) - 1;
  const auto share = static_cast<std::uint16_t>(word >> kUtilisationShift);
  GpuTenant tenant;
  tenant.utilisation = share / kUtilisationUnits;
  if (number < models_.size()) tenant.model = models_[number];
  tenant.device_time = from_seconds(std::bit_cast<float>(static_cast<std::uint32_t>(word)));
  const scheduler::StageTimes stages{.input = high_of(words.stages[0]),
                                     .compute = low_of(words.stages[0]),
                                     .network = high_of(words.stages[1]),
                                     .iteration = low_of(words.stages[1])};
  if (stages.iteration > 0.0) tenant.stages = stages;
  return tenant;
}

double TenantPace::slowdown(WallInstant at) {
  if (law_ == nullptr || law_->switching().has_value()) return 1.0;
  bool changed = false;
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    const bool is_own = &ranks_[i] == &own_;
    const TenantWords words = is_own ? own_words_ : ranks_[i].tenant.tenant_at(at);
    changed = changed || words != seen_[i];
    seen_[i] = words;
  }
  if (!changed) return factor_;
  GpuTenant own;
  std::vector<GpuTenant> beside;
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    if (&ranks_[i] == &own_) {
      own = tenant_of(seen_[i]);
      own.batch = batch_;
    } else if (seen_[i].tenant != 0) {
      beside.push_back(tenant_of(seen_[i]));
    }
  }
  factor_ = beside.empty() || !law_->active() ? 1.0 : law_->slowdown(own, beside);
  return factor_;
}

}  // namespace mimus::emulator
