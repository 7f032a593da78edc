// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/engine/lost_gpus.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace mimus::emulator {

LostGpus::LostGpus(const LiveWorld& world, Mailbox& mailbox, const LiveCell& cell)
    : world_(world),
      mailbox_(mailbox),
      shape_(cell.cluster.shape),
      ledger_(world.host().ledger_memory(), world.shape().gpus, shape_.gpu_memory),
      links_(world.host().links()),
      turns_(world.host().turns()) {
  links_.reset();
  turns_.reset();
}

GpuId LostGpus::gpu_of(int rank) const {
  const GpuId gpu{(rank - 1) / shape_.lanes_per_gpu};
  return gpu.value() < shape_.gpus() ? gpu : GpuId{};
}

std::optional<scheduler::GpuDown> LostGpus::lose_gpu_of(int rank, const std::string& what) {
  const GpuId gpu = gpu_of(rank);
  if (!gpu || !lost_.insert(gpu).second) return std::nullopt;
  booked_.insert(gpu);
  return scheduler::GpuDown{
      gpu, fmt::format("GPU {} of node {}: {}", gpu.value(), shape_.node_of(gpu).value(), what)};
}

bool LostGpus::includes_any_of(const scheduler::Allocation& allocation) const {
  return std::any_of(allocation.slots.begin(), allocation.slots.end(),
                     [this](const auto& slot) { return lost_.contains(slot.gpu); });
}

void LostGpus::forget_bookings() {
  for (const GpuId gpu : std::exchange(booked_, {})) {
    const auto number = static_cast<std::int32_t>(gpu.value());
    const auto lane = static_cast<std::size_t>(rank_of(shape_.lane_of(gpu, 0)));
    const auto& hosts = world_.host().hosts();
    for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
      if (hosts[rank] != hosts[lane] || mailbox_.is_lost(static_cast<int>(rank))) continue;
      if (rank == 0) {
        ledger_.forget_gpu(number);
        links_.forget_gpu(number);
        turns_.forget_gpu(number);
      } else {
        mailbox_.send(static_cast<int>(rank), ForgetGpu{number});
      }
      break;
    }
  }
}

}  // namespace mimus::emulator
