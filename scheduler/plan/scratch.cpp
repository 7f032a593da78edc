// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plan/scratch.hpp"

#include <algorithm>

namespace mimus::scheduler {
namespace {

std::vector<bool> usable_in(const Cluster& cluster) {
  std::vector<bool> usable;
  usable.reserve(cluster.gpus().size());
  for (const GpuState& gpu : cluster.gpus()) usable.push_back(cluster.usable(gpu.id));
  return usable;
}

}  // namespace

Scratch::Scratch(Books& books)
    : books_(books),
      usable_(usable_in(books.cluster)),
      usable_gpus_(static_cast<int>(std::count(usable_.begin(), usable_.end(), true))),
      room_(books.cluster, books.fit) {
  for (const JobRecord* job : books.stopping) {
    room_.release(job->view.attempt);
    if (job->resize) room_.promise(job->view.id, job->resize->allocation);
  }
}

const PlacementRequest& Scratch::ask_for(const PlanJob& job, int gpus) {
  const JobView& view = *job.view;
  const JobRecord& record = books_.jobs.at(view.id);
  request_ = record.request != nullptr
                 ? record.placement_request()
                 : PlacementRequest{.share = view.share, .draw = draw_of(view)};
  request_.gang = gpus;
  request_.kind = books_.kinds.of(view, gpus);
  room_.ask_for(request_);
  return request_;
}

void Scratch::only_on(int type) {
  request_.types = scheduler::only_type(type);
  room_.ask_for(request_);
}

void Scratch::relax_to(int level) {
  request_.level = level;
  room_.ask_for(request_);
}

}  // namespace mimus::scheduler
