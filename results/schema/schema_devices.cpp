// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/schema/schema.hpp"

// Tables of what physical devices measured.

namespace mimus::results {

template <>
const Table<DeviceSampleRow>& table_of<DeviceSampleRow>() {
  using Row = DeviceSampleRow;
  static const Table<Row> table{
      "device_samples",
      "A physical device at one moment, about once a second of wall time, as NVML sees it: all its "
      "processes together. A value that device, driver or permissions do not provide is -1 (text: "
      "empty), never 0; the attribute `device_values_missing` says why. Values from `sm_activity` "
      "to `nvlink_received` are means since the previous sample and need a Hopper GPU or a later "
      "one.",
      "The devices do not measure themselves (only CUDA devices do), or NVML was missing: see the "
      "attribute `device_samples_missing`.",
      RecordLevel::jobs,
      {{"time", &Row::time, "s",
        "emulated time; the first sample is taken just before the cell begins, at a time below 0"},
       {"gpu", &Row::gpu, "", "first GPU of the cluster that the device represents"},
       {"host", &Row::host, 64, "host name"},
       {"device", &Row::device, "", "ordinal that CUDA gives it on its host"},
       {"sm_utilisation", &Row::sm_utilisation, "%",
        "part of the driver's last sample period (1/6 s to 1 s) in which any kernel ran"},
       {"memory_utilisation", &Row::memory_utilisation, "%",
        "part of that period in which device memory was read or written"},
       {"memory_used", &Row::memory_used, "B", "by all processes and the driver"},
       {"power", &Row::power, "W", "draw of the board"},
       {"energy", &Row::energy, "J", "drawn since the first sample"},
       {"sm_clock", &Row::sm_clock, "Hz", "of the SMs"},
       {"memory_clock", &Row::memory_clock, "Hz", "of device memory"},
       {"temperature", &Row::temperature, "°C", "of the die"},
       {"sm_activity", &Row::sm_activity, "%", "SMs with at least one warp"},
       {"sm_occupancy", &Row::sm_occupancy, "%", "resident warps ÷ maximum"},
       {"tensor_activity", &Row::tensor_activity, "%", "tensor cores busy, any precision"},
       {"dram_activity", &Row::dram_activity, "%", "bandwidth of device memory in use"},
       {"fp32_activity", &Row::fp32_activity, "%", "FP32 units busy, tensor cores not counted"},
       {"pcie_sent", &Row::pcie_sent, "B/s", "to the host, and to devices behind PCIe"},
       {"pcie_received", &Row::pcie_received, "B/s", "from there"},
       {"nvlink_sent", &Row::nvlink_sent, "B/s", "over all links"},
       {"nvlink_received", &Row::nvlink_received, "B/s", "over all links"},
       {"clock_events", &Row::clock_events, 96,
        "reasons that hold the clocks back, joined by +; none: no reason"}}};
  return table;
}

template <>
const Table<EnergyRow>& table_of<EnergyRow>() {
  static const Table<EnergyRow> table{
      "energy",
      "What a physical device drew between its first and last sample in the cell, or an emulated "
      "GPU would have drawn, its idle draw included; written when the cell ends. Modelled: idle "
      "draw while its node is on or boots + (busy − idle draw) × `busy` of `gpus`, with the draws "
      "of the machine type.",
      "The cell has not ended, there are no `device_samples`, or the machine type says no `power`.",
      RecordLevel::summary,
      {{"gpu", &EnergyRow::gpu, "", "first GPU of the cluster that the device represents"},
       {"node", &EnergyRow::node, "", "id of that GPU's node"},
       {"host", &EnergyRow::host, 64, "host name; empty: emulated"},
       {"device", &EnergyRow::device, "", "ordinal that CUDA gives it on its host; -1: emulated"},
       {"span", &EnergyRow::span, "s",
        "wall time from its first to its last sample; modelled: emulated time of the cell"},
       {"joules", &EnergyRow::joules, "J", "drawn in that span; -1: not measured"},
       {"mean_power", &EnergyRow::mean_power, "W", "joules ÷ span; -1: not measured"},
       {"source", &EnergyRow::source, 16,
        "counter (the device's own), power (integrated from samples), none, modelled, or "
        "modelled_held: of jobs without a model, which count as busy while they hold it"}}};
  return table;
}

template <>
const Table<CollectiveRow>& table_of<CollectiveRow>() {
  static const Table<CollectiveRow> table{
      "collectives",
      "Operations of one kind and size of an attempt's gang, timed on the device of its first "
      "rank; written when the attempt ends. Times are wall time.",
      "No gang of several replicas has ended, or its device does not time operations (only CUDA "
      "devices do).",
      RecordLevel::jobs,
      {{"attempt", &CollectiveRow::attempt, "", "id of the attempt"},
       {"job", &CollectiveRow::job, "", "id of its job"},
       {"op", &CollectiveRow::op, 16,
        "all_reduce, broadcast, all_gather, reduce_scatter, all_to_all, send_recv or transfer"},
       {"bytes", &CollectiveRow::bytes, "B", "of the larger of a rank's two buffers"},
       {"replicas", &CollectiveRow::replicas, "", "that took part"},
       {"operations", &CollectiveRow::operations, "",
        "executed operations, each timed; operations of replayed steps (engine.cuda.launches: "
        "graph) count as often as the last of the steps that were replayed in a row"},
       {"seconds_mean", &CollectiveRow::seconds_mean, "s", "mean duration, wall time"},
       {"seconds_estimate", &CollectiveRow::seconds_estimate, "s",
        "mean of NCCL's own estimates; -1: none"},
       {"algorithm_bandwidth", &CollectiveRow::algorithm_bandwidth, "B/s", "bytes ÷ seconds_mean"},
       {"bus_bandwidth", &CollectiveRow::bus_bandwidth, "B/s",
        "of the links, as nccl-tests count it: all-reduce × 2(n−1)/n, all-gather and "
        "reduce-scatter × (n−1)/n, others × 1"},
       {"kind", &CollectiveRow::kind, 16,
        "nccl; mpi: through host memory; or ring: on the device, paced to a link"}}};
  return table;
}

template <>
const Table<KernelTimeRow>& table_of<KernelTimeRow>() {
  static const Table<KernelTimeRow> table{
      "kernel_times",
      "Kernels of one class in the traced steps of an attempt, on the device of its first rank; "
      "written when the attempt ends. Times are wall time.",
      "Kernels were not traced (engine.cuda.kernel_trace is 0, or the device is not CUDA's).",
      RecordLevel::jobs,
      {{"attempt", &KernelTimeRow::attempt, "", "id of the attempt"},
       {"job", &KernelTimeRow::job, "", "id of its job"},
       {"class", &KernelTimeRow::kernel_class, 16,
        "gemm, convolution, normalisation, elementwise, reduction, embedding, optimiser, copy, "
        "memset, collective or other"},
       {"launches", &KernelTimeRow::launches, "", "of the class"},
       {"seconds", &KernelTimeRow::seconds, "s", "sum of their durations; they may overlap"},
       {"steps", &KernelTimeRow::steps, "", "optimiser steps that were traced"},
       {"launches_per_step", &KernelTimeRow::launches_per_step, "", "launches ÷ steps"},
       {"seconds_per_step", &KernelTimeRow::seconds_per_step, "s", "seconds ÷ steps"},
       {"dropped", &KernelTimeRow::dropped, "",
        "kernels of any class that the attempt's trace lost"}}};
  return table;
}

}  // namespace mimus::results
