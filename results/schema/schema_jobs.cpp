// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/schema/schema.hpp"

// Tables that follow a job through the cell.

namespace mimus::results {

template <>
const Table<JobRow>& table_of<JobRow>() {
  static const Table<JobRow> table{
      "jobs",
      "One job, written when it has left the system or when the cell ends.",
      "No job has ended yet.",
      RecordLevel::jobs,
      {{"job", &JobRow::job, "", "id: position of the job in its workload"},
       {"name", &JobRow::name, 64, "name given by the workload"},
       {"user", &JobRow::user, 32, "who submitted it"},
       {"virtual_cluster", &JobRow::virtual_cluster, 32, "tenant organisation it is charged to"},
       {"group", &JobRow::group, 32, "what its workload sorts it into"},
       {"application", &JobRow::application, 32,
        "what it is a part of, e.g. a hyper-parameter search; empty: it is one by itself"},
       {"class", &JobRow::job_class, 16, "guaranteed or opportunistic, as submitted"},
       {"model", &JobRow::model, 48, "model footprint it trains"},
       {"data_set", &JobRow::data_set, 48, "data set that each epoch reads; empty: not stated"},
       {"data_size", &JobRow::data_size, "B", "its size; 0: not stated"},
       {"gang", &JobRow::gang, "GPUs", "replicas asked for"},
       {"gpu_share", &JobRow::gpu_share, "", "share of each of its GPUs asked for"},
       {"requested_batch", &JobRow::requested_batch, "samples", "total batch asked for"},
       {"work_samples", &JobRow::work_samples, "samples", "work to do, counted at M₀"},
       {"arrival", &JobRow::arrival, "s", "when it was submitted"},
       {"deadline", &JobRow::deadline, "s", "until when it should have ended; -1: it has none"},
       {"first_start", &JobRow::first_start, "s", "begin of its first attempt; -1: never started"},
       {"end", &JobRow::end, "s", "when it left the system; -1: it had not when the cell ended"},
       {"outcome", &JobRow::outcome, 16,
        "finished, failed, rejected, killed (cancelled by its user) or unfinished"},
       {"detail", &JobRow::detail, 160, "why it failed or was rejected"},
       {"jct", &JobRow::jct, "s", "job completion time: end − arrival; -1 unless finished"},
       {"queueing", &JobRow::queueing, "s", "all its waits together, those between attempts too"},
       {"wait_capacity", &JobRow::wait_capacity, "s", "of which: too few GPUs were free"},
       {"wait_fragmentation", &JobRow::wait_fragmentation, "s",
        "of which: enough GPUs were free, but not in the shape it asks for"},
       {"wait_order", &JobRow::wait_order, "s",
        "of which: it would fit, but a job before it waited"},
       {"wait_quota", &JobRow::wait_quota, "s", "of which: its virtual cluster was at its quota"},
       {"wait_backoff", &JobRow::wait_backoff, "s", "of which: a recovery policy held it back"},
       {"wait_restart", &JobRow::wait_restart, "s", "of which: its last attempt was being stopped"},
       {"wait_round", &JobRow::wait_round, "s",
        "of which: until the round ended and the scheduler was informed"},
       {"wait_boot", &JobRow::wait_boot, "s", "of which: its GPUs' nodes slept or booted"},
       {"running", &JobRow::running, "s",
        "Σ (end − begin) of its attempts, without the time for which they were suspended"},
       {"suspended", &JobRow::suspended, "s", "Σ (end − begin) of its `suspensions`"},
       {"gpu_seconds", &JobRow::gpu_seconds, "GPU s",
        "Σ time running × replicas × `gpu_share` of its attempts"},
       {"replica_seconds", &JobRow::replica_seconds, "GPU s",
        "Σ time running × replicas of its attempts, whatever part of its GPUs it held"},
       {"gpu_type", &JobRow::gpu_type, 32,
        "type of the GPUs of its last attempt; empty: never started"},
       {"attempts", &JobRow::attempts, "",
        "attempts begun, except those that only continued an earlier one"},
       {"preemptions", &JobRow::preemptions, "",
        "attempts ended by the scheduler, except those that continued at the same instant with the "
        "same number of GPUs and without a start-up"},
       {"failures", &JobRow::failures, "", "attempts ended by a failure"},
       {"samples_processed", &JobRow::samples_processed, "samples", "passed through the model"},
       {"progress_samples", &JobRow::progress_samples, "samples",
        "work done, counted at M₀: Σ over steps of M·(φ+M₀)/(φ+M)"},
       {"lost_samples", &JobRow::lost_samples, "samples",
        "of this work, what no checkpoint held when an attempt ended"},
       {"lost_seconds", &JobRow::lost_seconds, "s",
        "that this work takes at the modelled speed of a job alone"}}};
  return table;
}

template <>
const Table<AttemptRow>& table_of<AttemptRow>() {
  static const Table<AttemptRow> table{
      "attempts",
      "One start-to-end run of a job on one allocation, written when it ends.",
      "No attempt has ended yet.",
      RecordLevel::jobs,
      {{"attempt", &AttemptRow::attempt, "", "id, ascending over the cell"},
       {"job", &AttemptRow::job, "", "id of its job"},
       {"begin", &AttemptRow::begin, "s", "allocation granted"},
       {"first_step", &AttemptRow::first_step, "s",
        "start-up and restore done; -1: it ended before that"},
       {"end", &AttemptRow::end, "s", "allocation freed"},
       {"reason", &AttemptRow::reason, 16,
        "finished, preempted, resized, failed, out_of_memory, node_down, worker_lost "
        "or cut_off"},
       {"detail", &AttemptRow::detail, 160, "what exactly ended it"},
       {"replicas", &AttemptRow::replicas, "GPUs", "size of the gang"},
       {"gpu_share", &AttemptRow::gpu_share, "",
        "share of each of its GPUs that it held; 1 unless the sharing choice divides GPUs"},
       {"cap", &AttemptRow::cap, "", "share of its GPUs' time that it may use, at its end"},
       {"memory_limit", &AttemptRow::memory_limit, "B",
        "device memory that a replica may use, at its end; 0: as much as it needs"},
       {"shape", &AttemptRow::shape, 64,
        "replicas per node, largest first: 2+2; over two racks racks:2/2+2"},
       {"locality", &AttemptRow::locality, 16, "worst link inside the gang"},
       {"gpu_type", &AttemptRow::gpu_type, 32, "type of its GPUs"},
       {"per_gpu_batch", &AttemptRow::per_gpu_batch, "samples", "at its end"},
       {"accumulation", &AttemptRow::accumulation, "", "micro-batches per step, at its end"},
       {"retunes", &AttemptRow::retunes, "", "batch changes without a restart"},
       {"samples_processed", &AttemptRow::samples_processed, "samples", "passed through the model"},
       {"progress_samples", &AttemptRow::progress_samples, "samples",
        "work gained, counted at M₀"}}};
  return table;
}

template <>
const Table<PlacementRow>& table_of<PlacementRow>() {
  static const Table<PlacementRow> table{
      "placements",
      "One replica of one attempt on one lane of a GPU: the timeline of every lane.",
      "No attempt has ended yet.",
      RecordLevel::jobs,
      {{"attempt", &PlacementRow::attempt, "", "id of its attempt"},
       {"job", &PlacementRow::job, "", "id of its job"},
       {"replica", &PlacementRow::replica, "", "0 … replicas − 1"},
       {"node", &PlacementRow::node, "", "id of the node"},
       {"gpu", &PlacementRow::gpu, "", "id of the GPU, numbered over the cluster"},
       {"lane", &PlacementRow::lane, "", "tenant slot of the GPU, numbered over the cluster"},
       {"begin", &PlacementRow::begin, "s", "lane granted"},
       {"end", &PlacementRow::end, "s", "lane freed"}}};
  return table;
}

template <>
const Table<SuspensionRow>& table_of<SuspensionRow>() {
  static const Table<SuspensionRow> table{
      "suspensions",
      "A pause of an attempt that stays on its GPUs, while others use them.",
      "No attempt was suspended.",
      RecordLevel::jobs,
      {{"attempt", &SuspensionRow::attempt, "", "id of the attempt"},
       {"job", &SuspensionRow::job, "", "id of its job"},
       {"begin", &SuspensionRow::begin, "s",
        "end of the last step before, or of the transfer of the state that follows it"},
       {"end", &SuspensionRow::end, "s", "begin of the next step, or end of the attempt"},
       {"keeps", &SuspensionRow::keeps, 8,
        "of its device memory: all; state: without activations; or nothing"}}};
  return table;
}

template <>
const Table<LimitRow>& table_of<LimitRow>() {
  static const Table<LimitRow> table{
      "limits",
      "A span for which an attempt was limited in what it may use of its GPUs.",
      "No attempt was limited.",
      RecordLevel::jobs,
      {{"attempt", &LimitRow::attempt, "", "id of the attempt"},
       {"job", &LimitRow::job, "", "id of its job"},
       {"begin", &LimitRow::begin, "s", "from when on the limits held"},
       {"end", &LimitRow::end, "s", "until others held, or end of the attempt"},
       {"cap", &LimitRow::cap, "", "share of its GPUs' time that it might use"},
       {"memory_limit", &LimitRow::memory_limit, "B",
        "device memory that a replica might use; 0: no limit"}}};
  return table;
}

template <>
const Table<StepRow>& table_of<StepRow>() {
  static const Table<StepRow> table{
      "steps",
      "The steps of one attempt over a stretch of time with one batch, as measured by its first "
      "rank.",
      "No step has been reported yet.",
      RecordLevel::full,
      {{"attempt", &StepRow::attempt, "", "id of its attempt"},
       {"job", &StepRow::job, "", "id of its job"},
       {"begin", &StepRow::begin, "s", "begin of the first step"},
       {"end", &StepRow::end, "s", "end of the last step"},
       {"steps", &StepRow::steps, "", "optimiser steps in the stretch"},
       {"total_batch", &StepRow::total_batch, "samples",
        "M = replicas × per-GPU batch × accumulation"},
       {"samples", &StepRow::samples, "samples", "passed through the model"},
       {"progress_samples", &StepRow::progress_samples, "samples",
        "work gained, at M₀: steps × M·(φ+M₀)/(φ+M)"},
       {"noise_scale", &StepRow::noise_scale, "samples",
        "φ, gradient noise scale at the end; inf if gradients are only noise"},
       {"loss", &StepRow::loss, "",
        "of training at the end, by the model's curve, with the noise of a mean over `samples`; "
        "-1: "
        "the job has no model"},
       {"learning_rate", &StepRow::learning_rate, "",
        "at the end, over the one that the user set for M₀, by the rule of policy.batch; -1: the "
        "job "
        "has no model"},
       {"step_mean", &StepRow::step_mean, "s", "mean step time"},
       {"step_modelled", &StepRow::step_modelled, "s",
        "a step without co-tenants by the footprint model"},
       {"exposed_communication", &StepRow::exposed_communication, "s",
        "per step: waiting for reductions, or for exchanges among ranks that share layers"},
       {"device_busy", &StepRow::device_busy, "s", "per step and replica: kernels resident"},
       {"late", &StepRow::late, "s", "per step: the host could not keep the emulated pace"},
       {"co_tenants", &StepRow::co_tenants, "",
        "maximum number of tenants beside it on any of its GPUs"}}};
  return table;
}

template <>
const Table<EventRow>& table_of<EventRow>() {
  static const Table<EventRow> table{
      "events",
      "One event of the cell, in order of time.",
      "Nothing has happened yet.",
      RecordLevel::full,
      {{"time", &EventRow::time, "s", "when"},
       {"kind", &EventRow::kind, 32, "job_arrived, attempt_started, attempt_ended, job_ended, …"},
       {"job", &EventRow::job, "", "id of the job; -1: none"},
       {"attempt", &EventRow::attempt, "", "id of the attempt; -1: none"},
       {"detail", &EventRow::detail, 160, "what exactly"}}};
  return table;
}

template <>
const Table<QueueDelayRow>& table_of<QueueDelayRow>() {
  static const Table<QueueDelayRow> table{
      "queue_delay",
      "One wait of a job with one cause; the waits of a job sum to its `queueing`.",
      "No job ever waited.",
      RecordLevel::full,
      {{"job", &QueueDelayRow::job, "", "id of the job"},
       {"cause", &QueueDelayRow::cause, 16,
        "capacity, fragmentation, order, quota, backoff, restart or round"},
       {"begin", &QueueDelayRow::begin, "s", "begin of the wait"},
       {"end", &QueueDelayRow::end, "s", "end of the wait, or change of its cause"}}};
  return table;
}

}  // namespace mimus::results
