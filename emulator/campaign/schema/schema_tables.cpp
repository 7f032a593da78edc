// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/schema/schema_parts.hpp"
#include "kernels/footprint/gpu_spec.hpp"
#include "workloads/models/layer_operators.hpp"
#include "workloads/models/model_fields.hpp"

namespace mimus::emulator {
namespace {

/// `{op: …}` with the operator's shape and an optional name, or `{repeat: n, layers: […]}`.
Json layer_schema() {
  std::vector<ChoiceInfo> operators;
  for (const auto& op : workloads::layer_operators()) {
    operators.push_back(ChoiceInfo{op.name, op.summary, parameters_of(op.keys)});
  }
  Json group = mapping_schema(parameters_of(workloads::layer_group_fields()), Completeness::whole);
  group.erase("type");
  return choice_schema("op", operators, group, Completeness::whole);
}

}  // namespace

Json model_schema(Json& definitions) {
  definitions["layer"] = layer_schema();
  return mapping_schema(parameters_of(workloads::model_fields()), Completeness::whole);
}

Json gpu_table_schema() {
  return mapping_schema(kernels::gpu_table_parameters(), Completeness::whole);
}

}  // namespace mimus::emulator
