// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/models/model_fields.hpp"

#include "workloads/models/model_on_machine.hpp"

namespace mimus::workloads {
namespace {

using Fields = std::vector<ParameterInfo>;

Fields batch_fields() {
  const char* samples = ">= 1 and <= 1e9";
  return {{"reference", "integer", "", samples, "M0: total batch at which work is counted"},
          {"per_gpu_min", "integer", "", samples, "least batch of one GPU"},
          {"per_gpu_max", "integer", "", samples, "most that one GPU takes"},
          {"total_max", "integer", "", samples, "beyond it training does not converge"}};
}

Fields noise_scale_fields() {
  return {{"progress", "fraction", "", ">= 0 and <= 1", "of the training, ascending"},
          {"samples", "number", "", "> 0", "gradient noise scale there"}};
}

/// One mapping for the machines that are not named, and any number for those that are.
Fields by_machine(const Fields& entry) {
  return {{"default", "mapping", "", "", "on GPU types that are not named", entry},
          {"*", "mapping", "-", "", "on the GPU type of this name", entry}};
}

Fields host_fields() {
  Fields fields{{"startup", "duration", "", ">= 0", "of an attempt, before its first step"}};
  const Fields work = by_machine(host_work_fields());
  fields.insert(fields.end(), work.begin(), work.end());
  return fields;
}

Fields head_fields() {
  return {
      {"schema", "integer", "", "1", "version of this file format"},
      {"name", "text", "", "", "in the catalogue"},
      {"summary", "text", "", "", "one line"},
      {"source", "text", "", "", "where the numbers are from"},
      {"optimiser", "text", "", "sgd_momentum, adam, lamb", "decides memory and update traffic"},
      {"precision", "text", "", "fp32, amp_fp16, amp_bf16", "of the arithmetic"}};
}

Fields body_fields() {
  return {{"buckets",
           "mapping",
           "-",
           "",
           "of gradients; 1 MiB, then 25 MiB without it",
           {{"first", "memory", "", "> 0", "size of the bucket that is reduced first"},
            {"cap", "memory", "", "> 0", "size of the others"}}},
          {"batch", "mapping", "", "", "sizes in samples", batch_fields()},
          {"noise_scale", "list of mappings", "", "at least one",
           "points of the gradient noise scale; geometric between them", noise_scale_fields()},
          {"input", "memory", "", ">= 0", "of a sample"},
          {"buffers", "memory", "0 B", ">= 0", "broadcast before the first forward pass of a step"},
          {"workspace", "memory", "", ">= 0", "context and libraries, per replica"},
          {"data_set",
           "mapping",
           "",
           "",
           "the published training",
           {{"epoch_samples", "number", "", ">= 1", "samples of an epoch"},
            {"epochs", "number", "", "> 0", "to the published quality at M0"}}},
          {"host", "mapping", "", "", "host time", host_fields()},
          {"reference_throughput", "number", "", "> 0", "samples/s of one GPU at M0, published"},
          {"efficiency", "mapping", "", "", "share of the peak rates that kernels reach",
           by_machine(efficiency_fields())},
          {"validation",
           "mapping",
           "-",
           "",
           "what modelled steps of one GPU were compared with",
           {{"*", "mapping", "-", "", "on the GPU type of this name", validation_fields()}}},
          {"layers", "list of layers", "", "at least one", "in forward order"}};
}

}  // namespace

Fields model_parameters() {
  Fields all = head_fields();
  const Fields body = body_fields();
  all.insert(all.end(), body.begin(), body.end());
  return all;
}

Fields layer_group_fields() {
  return {{"repeat", "integer", "", ">= 1 and <= 1000", "how often the layers follow each other"},
          {"layers", "list of layers", "", "at least one", "in forward order"}};
}

}  // namespace mimus::workloads
