// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/check/replica_check.hpp"

#include <string_view>

#include <fmt/format.h>

#include "kernels/parallel/split_plan.hpp"
#include "scheduler/policy/policy.hpp"
#include "workloads/jobs/gang_range.hpp"

namespace mimus::emulator {

std::string why_not_split(const CellConfig& config, const workloads::Job& job,
                          const workloads::Model& model) {
  const bool split = model.split.gpus() > 1;
  const bool solves = model.grid.used();
  if (!split && !solves) return "";
  kernels::check_split(model);
  const auto but = [&](std::string_view why) {
    return fmt::format("job \"{}\": {} is {}, {}", job.name, job.model,
                       solves ? "a solver on a grid" : "split over GPUs", why);
  };
  // Ranks of a solver have one collective.
  if (split && !solves && config.engine.on_cuda() && config.engine.collective == "mpi") {
    return but(
        "whose ranks have several collectives at the same time; through the host (mpi) they would "
        "wait for each other: set engine.collective: nccl or ring");
  }
  if (split && config.engine.on_cuda() && config.engine.cuda.graphs) {
    return but("and its steps are launched kernel by kernel: set engine.cuda.launches: eager");
  }
  if (config.row->spares_rigid()) return "";
  return but(
      "but policy.planner makes gangs of any size; set one that counts replicas (greedy, sia, "
      "slaq) "
      "or leaves such gangs their size (gandiva, ones, philly, search), or none");
}

std::string why_not_in_range(const CellConfig& config, const workloads::Job& job) {
  if (!workloads::has_gang_range(job)) return "";
  if (std::string why = workloads::why_no_range(job); !why.empty()) return why;
  if (config.row->keeps_to_ranges()) return "";
  return "states gang_min or gang_max, but policy.planner makes gangs of any size; set one that "
         "keeps to them (gandiva, greedy, ones, philly, python, search, sia, slaq), or none";
}

std::string why_broken(const workloads::Job& job, const workloads::Model& model) {
  if (model.runs_on(job.gang)) return "";
  const int gpus = model.split.gpus();
  if (!model.grid.used()) {
    return fmt::format(
        "job \"{}\" asks for {} GPUs, but a replica of {} takes {}; request a multiple of that",
        job.name, job.gang, job.model, gpus);
  }
  const auto name = workloads::parse_split_name(job.model);
  const std::string points = name && name->points > 0 ? fmt::format("n{}", name->points) : "";
  return fmt::format(
      "job \"{}\" asks for {} GPUs, but {} has {} slab(s), one for each GPU; name the model "
      "{}@{}t{}, "
      "or request {}",
      job.name, job.gang, job.model, gpus, model.base_name(), points, job.gang, gpus);
}

}  // namespace mimus::emulator
