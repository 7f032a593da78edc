// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/alternatives/alternatives.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "scheduler/placement/alternatives/alternatives_placer.hpp"

namespace mimus::scheduler {

void Alternatives::begin(const ClusterShape& shape) {
  jobs_.emplace(settings_, shape, throughput_);
}

std::optional<Allocation> Alternatives::place(const FreeGpus&, const PlacementRequest&) const {
  ensure(false, "a placement that looks at whole nodes is offered a set of GPUs");
  return std::nullopt;
}

std::unique_ptr<NodePlacer> Alternatives::placer(const Cluster& cluster,
                                                 const Sharing& sharing) const {
  return std::make_unique<AlternativesPlacer>(cluster, sharing, settings_);
}

bool Alternatives::relaxes_types() const {
  return settings_.types == AlternativeLists::Types::relaxed;
}

bool Alternatives::takes_whole_gpus() const {
  const auto is_alone = [](const Alternative& alternative) { return alternative.alone; };
  return std::ranges::any_of(settings_.high, is_alone) ||
         std::ranges::any_of(settings_.low, is_alone);
}

int Alternatives::level(const JobView& waiting, Instant now) const {
  return jobs_->progress(waiting, now).level;
}

GpuTypes Alternatives::types(const JobView& waiting, Instant now) const {
  const bool relaxed = relaxes_types() && jobs_->progress(waiting, now).is_last;
  return relaxed ? waiting.types : waiting.types & jobs_->types_named(waiting.gpu_types);
}

Instant Alternatives::next_level(const JobView& waiting, Instant now) const {
  return jobs_->progress(waiting, now).until;
}

}  // namespace mimus::scheduler
