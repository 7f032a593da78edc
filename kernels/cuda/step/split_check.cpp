// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/step/split_check.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"

namespace mimus::kernels::cuda {
namespace {

using Kind = PipelineAction::Kind;

std::int64_t region_bytes(const LaunchPlan& plan, Region region) {
  return plan.memory.region.at(static_cast<std::size_t>(region));
}

void check_staging(const StreamCollectives& gang) {
  const auto all = gang.all();
  const auto staged = std::find_if(all.begin(), all.end(),
                                   [](const auto* one) { return one->holds_driver_thread(); });
  if (staged == all.end() || all.size() == 1) return;
  throw UsageError(
      fmt::format("a rank of a split model has {} collectives, one of them \"{}\": the driver "
                  "lets such ones wait for each other, so at most 1 is allowed; choose "
                  "engine.collective nccl or ring",
                  all.size(), (*staged)->description()));
}

void check_pass(const StreamCollectives& gang, const LaunchPlan& plan,
                const std::vector<ScheduledCollective>& pass, std::size_t launches) {
  const auto earlier = [](const auto& a, const auto& b) { return a.after < b.after; };
  ensure(std::is_sorted(pass.begin(), pass.end(), earlier), "collectives follow their launches");
  for (const ScheduledCollective& one : pass) {
    ensure(one.group == ParallelGroup::tensor && gang.tensor != nullptr,
           "a collective of a pass needs that of the tensor-parallel ranks");
    ensure(one.after <= launches, "a collective stands behind the end of its pass");
    ensure(whole_bytes(one.size) <= exchange_half(plan),
           "a tensor-parallel collective does not fit into what a rank exchanges");
  }
}

const StreamCollective* collective_of(const StreamCollectives& gang, Kind kind) {
  if (kind == Kind::receive_activations) return gang.activations_in;
  if (kind == Kind::send_activations) return gang.activations_out;
  return kind == Kind::receive_gradients ? gang.gradients_in : gang.gradients_out;
}

void check_transfers(const StreamCollectives& gang, const LaunchPlan& plan,
                     const RankCommunication& split) {
  for (const PipelineAction& action : split.schedule) {
    if (action.kind == Kind::forward || action.kind == Kind::backward) continue;
    const StreamCollective* collective = collective_of(gang, action.kind);
    ensure(collective != nullptr, "a stage of a pipeline has no collective with its neighbour");
    const bool sends = action.kind == Kind::send_activations || action.kind == Kind::send_gradients;
    ensure(collective->rank() == (sends ? 0 : 1), "the first of two members sends");
    ensure(whole_bytes(split.boundary) <= exchange_half(plan),
           "a transfer between stages does not fit into what a rank exchanges");
  }
}

/// Checks that release i names the bucket of collective i and stands at `expected`.
template <class After>
void check_buckets(const StreamCollectives& gang, const LaunchPlan& plan,
                   const std::vector<ScheduledCollective>& all, After expected) {
  for (std::size_t i = 0; i < all.size() && all[i].group == ParallelGroup::data; ++i) {
    ensure(gang.data != nullptr, "gradients need the collective of the data-parallel ranks");
    ensure(i < plan.releases.size(), "a bucket is reduced that is never released");
    const TensorSpan& bucket = plan.buckets.at(plan.releases[i].bucket);
    ensure(all[i].after == expected(i), "a bucket's collective stands elsewhere than its bucket");
    ensure(whole_bytes(all[i].size) <= kFloat * bucket.elements,
           "a collective is larger than its bucket");
    ensure(kFloat * (bucket.first + bucket.elements) <= region_bytes(plan, Region::buckets),
           "a bucket has no buffer");
  }
}

void check_tied_table(const StreamCollectives& gang, const LaunchPlan& plan,
                      const RankCommunication& split) {
  const TensorRef room = tied_table_room(plan);
  for (const ScheduledCollective& one : split.reduce) {
    if (one.group == ParallelGroup::data) continue;
    ensure(one.group == ParallelGroup::pipeline && gang.tied != nullptr,
           "a tied table needs the collective of first and last stage");
    const std::int64_t bytes = whole_bytes(one.size);
    ensure(bytes <= region_bytes(plan, Region::gradients) &&
               room.offset + bytes <= region_bytes(plan, room.region),
           "there is no room to sum the gradients of a tied table");
  }
}

}  // namespace

void check_split(const StreamCollectives& gang, const LaunchPlan& plan,
                 const RankCommunication& split) {
  check_staging(gang);
  check_pass(gang, plan, split.forward, plan.forward.size());
  check_pass(gang, plan, split.backward, plan.backward.size());
  check_transfers(gang, plan, split);
  check_buckets(gang, plan, split.reduce,
                [&](std::size_t i) { return plan.releases[i].launch + 1; });
  check_buckets(gang, plan, split.gather, [&](std::size_t) { return plan.optimiser.size(); });
  check_tied_table(gang, plan, split);
}

std::int64_t exchange_half(const LaunchPlan& plan) {
  return region_bytes(plan, Region::exchange) / 2;
}

TensorRef tied_table_room(const LaunchPlan& plan) {
  if (region_bytes(plan, Region::buckets) > 0) return {Region::buckets, 0};
  return {Region::exchange, exchange_half(plan)};
}

}  // namespace mimus::kernels::cuda
