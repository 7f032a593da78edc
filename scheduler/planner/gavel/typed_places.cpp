// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/gavel/typed_places.hpp"

#include <algorithm>
#include <utility>

namespace mimus::scheduler {
namespace {

/// GPUs that no gang has yet.
class TypedRoom {
 public:
  TypedRoom(const ClusterShape& shape, const Placer& placer)
      : shape_(shape), free_(static_cast<std::size_t>(shape.gpus())) {
    for (std::int64_t gpu = 0; gpu < shape.gpus(); ++gpu) {
      free_[GpuId{gpu}.index()] = placer.usable(GpuId{gpu});
    }
  }

  /// The GPUs of a running job, if they are of this number and type and no gang has them.
  [[nodiscard]] std::vector<GpuId> keep(const JobView& job, const TypedGang& gang) {
    std::vector<GpuId> gpus;
    if (!job.holds_gpus() || job.state == JobState::stopping) return gpus;
    for (const Slot& slot : job.allocation.slots) {
      if (!free_[slot.gpu.index()] || shape_.type_of(slot.gpu) != gang.type) return {};
      gpus.push_back(slot.gpu);
    }
    if (static_cast<int>(gpus.size()) != gang.gpus) return {};
    take(gpus);
    return gpus;
  }

  [[nodiscard]] std::vector<GpuId> find(const TypedGang& gang) {
    const auto wanted = static_cast<std::size_t>(gang.gpus);
    std::vector<GpuId> anywhere;
    for (std::int64_t node = 0; node < shape_.nodes; ++node) {
      if (shape_.type_of(NodeId{node}) != gang.type) continue;
      std::vector<GpuId> here = free_on(NodeId{node});
      anywhere.insert(anywhere.end(), here.begin(), here.end());
      if (here.size() < wanted) continue;
      anywhere = std::move(here);
      break;
    }
    if (anywhere.size() < wanted) return {};
    anywhere.resize(wanted);
    take(anywhere);
    return anywhere;
  }

 private:
  [[nodiscard]] std::vector<GpuId> free_on(NodeId node) const {
    std::vector<GpuId> gpus;
    const std::int64_t first = shape_.first_gpu(node);
    for (std::int64_t gpu = first; gpu < first + shape_.gpus_on(node); ++gpu) {
      if (free_[GpuId{gpu}.index()]) gpus.push_back(GpuId{gpu});
    }
    return gpus;
  }
  void take(std::span<const GpuId> gpus) {
    for (const GpuId gpu : gpus) free_[gpu.index()] = false;
  }

  const ClusterShape& shape_;
  std::vector<bool> free_;  ///< by GPU
};

}  // namespace

std::vector<std::vector<GpuId>> typed_places(std::span<const TypedGang> gangs,
                                             const ClusterShape& shape, const Placer& placer) {
  TypedRoom room(shape, placer);
  std::vector<std::vector<GpuId>> places(gangs.size());
  for (std::size_t i = 0; i < gangs.size(); ++i) {
    for (const JobView* job : gangs[i].jobs) {
      if (places[i].empty()) places[i] = room.keep(*job, gangs[i]);
    }
  }
  for (std::size_t i = 0; i < gangs.size(); ++i) {
    if (places[i].empty()) places[i] = room.find(gangs[i]);
  }
  return places;
}

}  // namespace mimus::scheduler
