// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/schema/schema.hpp"

// Tables of a profile.

namespace mimus::results {

template <>
const Table<ProfileRow>& table_of<ProfileRow>() {
  static const Table<ProfileRow> table{
      "profile",
      "The step of one model with one batch on one allocation, alone on its GPUs.",
      "Nothing has been measured yet.",
      RecordLevel::summary,
      {{"model", &ProfileRow::model, 48, "model footprint"},
       {"precision", &ProfileRow::precision, 16, "arithmetic that it trained in"},
       {"device", &ProfileRow::device, 16, "what ran the kernels: cpu or cuda"},
       {"gpu", &ProfileRow::gpu, 32, "GPU type of the cluster"},
       {"shape", &ProfileRow::shape, 64, "replicas per node, largest first"},
       {"locality", &ProfileRow::locality, 16, "worst link within the gang"},
       {"per_gpu_batch", &ProfileRow::per_gpu_batch, "samples", "per micro-batch and replica"},
       {"accumulation", &ProfileRow::accumulation, "", "micro-batches per step"},
       {"replicas", &ProfileRow::replicas, "", "GPUs of the gang"},
       {"steps", &ProfileRow::steps, "", "measured, warm-up left out"},
       {"converged", &ProfileRow::converged, "",
        "1: the interval is as tight as requested; 0: it is not"},
       {"step_mean", &ProfileRow::step_mean, "s", "mean step time"},
       {"step_low", &ProfileRow::step_low, "s", "lower end of its 95 % interval"},
       {"step_high", &ProfileRow::step_high, "s", "upper end of its 95 % interval"},
       {"step_sd", &ProfileRow::step_sd, "s", "standard deviation of the executed steps"},
       {"step_modelled", &ProfileRow::step_modelled, "s", "what the footprint model says"},
       {"sync", &ProfileRow::sync, "s", "per step, waited for the all-reduce; -1: not measured"},
       {"exposed_communication", &ProfileRow::exposed_communication, "s",
        "per step, waited for gradient buckets after the last kernel"},
       {"device_busy", &ProfileRow::device_busy, "s", "per step, kernels of the lead resident"},
       {"memory_peak", &ProfileRow::memory_peak, "B", "device memory of a replica"},
       {"kernels", &ProfileRow::kernels, "", "launches per step; -1: not counted"},
       {"sm_activity", &ProfileRow::sm_activity, "",
        "share of the multiprocessors' time with work; -1: not measured"},
       {"dram_activity", &ProfileRow::dram_activity, "",
        "share of the time in which memory was accessed; -1: not measured"},
       {"tensor_activity", &ProfileRow::tensor_activity, "",
        "share of the time in which tensor cores worked; -1: not measured"},
       {"late", &ProfileRow::late, "s", "per step, the host could not keep the emulated pace"}}};
  return table;
}

template <>
const Table<ProfilePairRow>& table_of<ProfilePairRow>() {
  static const Table<ProfilePairRow> table{
      "profile_pairs",
      "One entry of the slowdown matrix: a model beside another one on the same GPU.",
      "No pair was asked for, or none has been measured yet.",
      RecordLevel::summary,
      {{"model", &ProfilePairRow::model, 48, "model whose step is measured"},
       {"per_gpu_batch", &ProfilePairRow::per_gpu_batch, "samples", "its batch"},
       {"co_model", &ProfilePairRow::co_model, 48, "the co-tenant's model"},
       {"co_per_gpu_batch", &ProfilePairRow::co_per_gpu_batch, "samples", "its batch"},
       {"sharing", &ProfilePairRow::sharing, 16, "how they share the GPU"},
       {"steps", &ProfilePairRow::steps, "", "measured beside the co-tenant, warm-up left out"},
       {"step_shared", &ProfilePairRow::step_shared, "s", "mean step time beside it"},
       {"step_solo", &ProfilePairRow::step_solo, "s", "mean step time alone, from `profile`"},
       {"slowdown", &ProfilePairRow::slowdown, "", "step_shared ÷ step_solo"},
       {"slowdown_low", &ProfilePairRow::slowdown_low, "", "lower end of its 95 % interval"},
       {"slowdown_high", &ProfilePairRow::slowdown_high, "", "upper end of its 95 % interval"},
       {"converged", &ProfilePairRow::converged, "",
        "1: both step times are as tight as requested; 0: they are not"}}};
  return table;
}

template <>
const Table<ProfileLinkRow>& table_of<ProfileLinkRow>() {
  static const Table<ProfileLinkRow> table{
      "profile_links",
      "All-reduces of one size over the links of one gang.",
      "Links were not asked for, or none has been measured yet.",
      RecordLevel::summary,
      {{"link", &ProfileLinkRow::link, 16,
        "narrowest link of the gang, named as in machine types: island, node, network; emulated: "
        "paced to a stated link; one device: ranks that share a GPU"},
       {"device", &ProfileLinkRow::device, 16,
        "where the data lay: cpu (memory of the host) or cuda"},
       {"via", &ProfileLinkRow::via, 64, "what moved the data"},
       {"shape", &ProfileLinkRow::shape, 64, "ranks per node, largest first"},
       {"hosts", &ProfileLinkRow::hosts, "", "machines that the ranks ran on"},
       {"ranks", &ProfileLinkRow::ranks, "", "members of the gang"},
       {"bytes", &ProfileLinkRow::bytes, "B", "buffer of a rank"},
       {"operations", &ProfileLinkRow::operations, "", "timed, warm-up left out"},
       {"seconds_min", &ProfileLinkRow::seconds_min, "s", "shortest, on its slowest rank"},
       {"seconds_median", &ProfileLinkRow::seconds_median, "s", "median, each on its slowest rank"},
       {"bus_bandwidth", &ProfileLinkRow::bus_bandwidth, "B/s",
        "bytes ÷ seconds_median × 2(n − 1)/n, n = ranks, as nccl-tests defines it"}}};
  return table;
}

}  // namespace mimus::results
