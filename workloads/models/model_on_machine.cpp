// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/models/model_on_machine.hpp"

namespace mimus::workloads {
namespace {

constexpr Limits kEfficiency{.min = 1e-4, .max = 1.0};
constexpr Limits kContention{.min = 0.0, .max = 10.0};

}  // namespace

HostWork read_host_work(YamlReader reader) {
  HostWork work;
  work.per_step = reader.get<Duration>("per_step", kNotNegative);
  work.per_sample = reader.get<Duration>("per_sample", kNotNegative);
  work.contention = reader.get_or<double>("contention", work.contention, kContention);
  reader.finish();
  return work;
}

std::vector<ParameterInfo> host_work_fields() {
  return {{"per_step", "duration", "", ">= 0", "host work that no kernel hides"},
          {"per_sample", "duration", "", ">= 0", "host work that no kernel hides"},
          {"contention", "number", "0", ">= 0 and <= 10",
           "growth of both for every further GPU in use on the node"}};
}

Efficiency read_efficiency(YamlReader reader) {
  Efficiency efficiency;
  efficiency.compute = reader.get<double>("compute", kEfficiency);
  efficiency.memory = reader.get<double>("memory", kEfficiency);
  reader.finish();
  return efficiency;
}

std::vector<ParameterInfo> efficiency_fields() {
  const char* share = ">= 0.0001 and <= 1";
  return {{"compute", "fraction", "", share, "of the peak FLOP/s"},
          {"memory", "fraction", "", share, "of the peak bandwidth"}};
}

Validation read_validation(YamlReader reader) {
  Validation validation;
  validation.source = reader.get<std::string>("source");
  validation.error = reader.get<double>("error", kNotNegative);
  reader.finish();
  return validation;
}

std::vector<ParameterInfo> validation_fields() {
  return {{"source", "text", "", "", "whose step times of one GPU"},
          {"error", "number", "", ">= 0", "mean relative error of the modelled ones"}};
}

}  // namespace mimus::workloads
