// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/schema/schema.hpp"

// Tables of the cluster, the scheduler and the run itself.

namespace mimus::results {

template <>
const Table<DecisionRow>& table_of<DecisionRow>() {
  static const Table<DecisionRow> table{
      "decisions",
      "One call of the scheduler.",
      "The scheduler has not been called yet.",
      RecordLevel::jobs,
      {{"time", &DecisionRow::time, "s", "when"},
       {"latency_us", &DecisionRow::latency_us, "us", "wall time of the call"},
       {"actions", &DecisionRow::actions, "", "actions it returned"},
       {"starts", &DecisionRow::starts, "", "of which: attempts begun"},
       {"stops", &DecisionRow::stops, "", "of which: attempts stopped"},
       {"retunes", &DecisionRow::retunes, "", "of which: batches changed"},
       {"resizes", &DecisionRow::resizes, "", "of which: gangs to be resized in place"},
       {"moves", &DecisionRow::moves, "", "of which: gangs to be moved without a restart"},
       {"limits", &DecisionRow::limits, "", "of which: attempts given other limits"},
       {"suspensions", &DecisionRow::suspensions, "", "of which: attempts suspended"},
       {"resumptions", &DecisionRow::resumptions, "", "of which: suspended attempts resumed"},
       {"queued", &DecisionRow::queued, "jobs", "waiting afterwards"},
       {"running", &DecisionRow::running, "jobs",
        "jobs that hold GPUs afterwards, suspended ones included"}}};
  return table;
}

template <>
const Table<UtilisationRow>& table_of<UtilisationRow>() {
  static const Table<UtilisationRow> table{
      "utilisation",
      "The cluster between two changes of allocation or queue.",
      "No time has passed yet.",
      RecordLevel::jobs,
      {{"begin", &UtilisationRow::begin, "s", "begin of the span"},
       {"end", &UtilisationRow::end, "s", "end of the span"},
       {"gpus", &UtilisationRow::gpus, "GPUs", "up"},
       {"gpus_held", &UtilisationRow::gpus_held, "GPUs", "with at least one tenant"},
       {"tenants", &UtilisationRow::tenants, "", "replicas that hold a lane and are not suspended"},
       {"queued_jobs", &UtilisationRow::queued_jobs, "jobs",
        "waiting jobs that the scheduler knows of: without those that it hears of at the end of "
        "the round"},
       {"running_jobs", &UtilisationRow::running_jobs, "jobs", "holding GPUs, not suspended"},
       {"suspended_jobs", &UtilisationRow::suspended_jobs, "jobs", "holding GPUs, suspended"},
       {"gpus_allocated", &UtilisationRow::gpus_allocated, "GPUs",
        "held, where a GPU with tenants counts their shares, at most 1"},
       {"memory_used", &UtilisationRow::memory_used, "GPUs",
        "device memory that attempts are believed to need ÷ that of a GPU; -1: not known"}}};
  return table;
}

template <>
const Table<GpuRow>& table_of<GpuRow>() {
  static const Table<GpuRow> table{
      "gpus",
      "One GPU over the whole cell, written when the cell ends.",
      "The cell has not ended.",
      RecordLevel::summary,
      {{"gpu", &GpuRow::gpu, "", "id, numbered over the cluster"},
       {"node", &GpuRow::node, "", "id of its node"},
       {"type", &GpuRow::type, 32, "datasheet it follows"},
       {"held", &GpuRow::held, "s", "with at least one tenant"},
       {"shared", &GpuRow::shared, "s", "with at least two tenants"},
       {"busy", &GpuRow::busy, "s", "device time executed by its tenants"},
       {"allocated", &GpuRow::allocated, "GPU s", "time held × shares of its tenants, at most 1"},
       {"powered", &GpuRow::powered, "s", "while its node did not sleep"},
       {"price", &GpuRow::price, "1/h", "of an hour, in any currency; -1: not stated"}}};
  return table;
}

template <>
const Table<NodeStateRow>& table_of<NodeStateRow>() {
  static const Table<NodeStateRow> table{
      "node_states",
      "A span for which a node took no jobs; written when it ends. Spans of a node that is down "
      "and in quarantine overlap.",
      "No node slept, was down or in quarantine.",
      RecordLevel::jobs,
      {{"node", &NodeStateRow::node, "", "id of the node"},
       {"state", &NodeStateRow::state, 16, "asleep, booting, down or quarantined"},
       {"begin", &NodeStateRow::begin, "s", "begin of the span"},
       {"end", &NodeStateRow::end, "s", "end of the span, or of the cell"}}};
  return table;
}

template <>
const Table<NodeRow>& table_of<NodeRow>() {
  static const Table<NodeRow> table{
      "nodes",
      "One node over the whole cell, written when the cell ends. Time for which it was down counts "
      "as on.",
      "The cell has not ended.",
      RecordLevel::summary,
      {{"node", &NodeRow::node, "", "id of the node"},
       {"on", &NodeRow::on, "s", "time that it was on"},
       {"booting", &NodeRow::booting, "s", "time that it booted after it had slept"},
       {"asleep", &NodeRow::asleep, "s", "time that it slept"},
       {"used", &NodeRow::used, "s", "with at least one tenant"},
       {"boots", &NodeRow::boots, "", "times that it was woken"},
       {"joules", &NodeRow::joules, "J", "drawn by the server without its GPUs; -1: not known"},
       {"source", &NodeRow::source, 16, "modelled, from the machine type's `power`, or none"}}};
  return table;
}

template <>
const Table<AllocationRow>& table_of<AllocationRow>() {
  static const Table<AllocationRow> table{
      "allocation",
      "Each time that the jobs so far have asked for another hundredth of the cluster, and at the "
      "end of the cell.",
      "The workload is not drawn until it asks for a multiple of the cluster (workload.draw).",
      RecordLevel::summary,
      {{"time", &AllocationRow::time, "s", "after the decision on the job that asked for it"},
       {"requested", &AllocationRow::requested, "GPUs",
        "gang × `gpu_share` of all jobs that have arrived"},
       {"allocated", &AllocationRow::allocated, "GPUs",
        "held, where a GPU with tenants counts their shares, at most 1"},
       {"fragmented", &AllocationRow::fragmented, "GPUs",
        "idle GPUs and parts of GPUs that are of no use to the most frequent 95 % of the "
        "workload's jobs, in the mean over them (Weng et al., FGD, ATC 2023)"},
       {"gpus", &AllocationRow::gpus, "GPUs", "of the cluster"},
       {"arrived", &AllocationRow::arrived, "jobs", "so far"},
       {"rejected", &AllocationRow::rejected, "jobs", "of them so far"}}};
  return table;
}

template <>
const Table<TenantRow>& table_of<TenantRow>() {
  static const Table<TenantRow> table{
      "tenants",
      "What the jobs of a virtual cluster read of their data sets, written when the cell ends.",
      "Data sets are not read through links (cluster.data).",
      RecordLevel::summary,
      {{"tenant", &TenantRow::tenant, 32, "virtual cluster"},
       {"weight", &TenantRow::weight, "", "by which its share of the cache is judged"},
       {"read", &TenantRow::read, "B", "of data sets, as the modelled rates say"},
       {"hit", &TenantRow::hit, "B", "of which: resident in the cache"},
       {"worth", &TenantRow::worth, "B",
        "Σ over its jobs of the rate at which they would read if they never waited × the resident "
        "share of their data set, integrated over time"},
       {"worth_alone", &TenantRow::worth_alone, "B",
        "the same if the tenant always had all of the cache for the best of its data sets"},
       {"speed", &TenantRow::speed, "GPU s",
        "Σ over its jobs of GPUs × rate at which they read ÷ that if they never waited, "
        "integrated"},
       {"speed_uncached", &TenantRow::speed_uncached, "GPU s",
        "the same if at each instant the same jobs had read all from storage"}}};
  return table;
}

template <>
const Table<BaselineRow>& table_of<BaselineRow>() {
  static const Table<BaselineRow> table{
      "baselines",
      "One measured step time without co-tenants and limits: what slowdowns are relative to.",
      "No baseline was needed or measured.",
      RecordLevel::summary,
      {{"model", &BaselineRow::model, 48, "model footprint"},
       {"shape", &BaselineRow::shape, 64, "replicas per node, largest first"},
       {"gpu_type", &BaselineRow::gpu_type, 32, "type of its GPUs"},
       {"per_gpu_batch", &BaselineRow::per_gpu_batch, "samples", "per micro-batch and replica"},
       {"accumulation", &BaselineRow::accumulation, "", "micro-batches per step"},
       {"step_solo", &BaselineRow::step_solo, "s", "median step time"},
       {"exposed_communication", &BaselineRow::exposed_communication, "s",
        "per step, waited for communication that nothing hides"},
       {"device_busy", &BaselineRow::device_busy, "s", "per step and replica, of kernels"},
       {"step_modelled", &BaselineRow::step_modelled, "s", "what the footprint model says"},
       {"steps", &BaselineRow::steps, "", "steps measured"},
       {"origin", &BaselineRow::origin, 16, "measured in this run, or from the cache"}}};
  return table;
}

template <>
const Table<PairRow>& table_of<PairRow>() {
  static const Table<PairRow> table{
      "pairs",
      "One co-location period: an attempt beside the same co-tenants with one batch.",
      "No GPU was shared.",
      RecordLevel::jobs,
      {{"attempt", &PairRow::attempt, "", "id of the attempt"},
       {"job", &PairRow::job, "", "id of its job"},
       {"model", &PairRow::model, kModelBytes, "its model"},
       {"co_models", &PairRow::co_models, kCoModelsBytes,
        "models of the co-tenants, sorted, joined by +"},
       {"co_tenants", &PairRow::co_tenants, "",
        "of them on the GPU that has most; fewer than `co_models` names if GPUs differ"},
       {"shape", &PairRow::shape, 64, "replicas per node, largest first"},
       {"gpu_type", &PairRow::gpu_type, 32, "type of its GPUs"},
       {"per_gpu_batch", &PairRow::per_gpu_batch, "samples", "per micro-batch and replica"},
       {"begin", &PairRow::begin, "s", "begin of the period"},
       {"end", &PairRow::end, "s", "end of the period"},
       {"steps", &PairRow::steps, "", "steps in the period; of a run time windows"},
       {"step_shared", &PairRow::step_shared, "s", "mean step time in the period"},
       {"step_solo", &PairRow::step_solo, "s",
        "baseline, of a run time its own; 0: none could be measured"},
       {"slowdown", &PairRow::slowdown, "", "step_shared ÷ step_solo; 0: no baseline"}}};
  return table;
}

template <>
const Table<RankRow>& table_of<RankRow>() {
  static const Table<RankRow> table{
      "ranks",
      "One process of the run: its role and its place.",
      "The engine has no processes of its own (virtual).",
      RecordLevel::summary,
      {{"rank", &RankRow::rank, "", "MPI rank in the world"},
       {"role", &RankRow::role, 16, "scheduler or worker"},
       {"host", &RankRow::host, 64, "host name"},
       {"pid", &RankRow::pid, "", "process id on that host"},
       {"local_rank", &RankRow::local_rank, "", "number among the ranks of the host"},
       {"node", &RankRow::node, "", "emulated node; -1: none"},
       {"gpu", &RankRow::gpu, "", "GPU it serves; -1: none"},
       {"lane", &RankRow::lane, "", "lane it serves; -1: none"},
       {"device", &RankRow::device, 96, "device it runs on"}}};
  return table;
}

}  // namespace mimus::results
