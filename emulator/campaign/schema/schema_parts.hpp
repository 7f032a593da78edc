// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/campaign/schema/schema_value.hpp"

namespace mimus::emulator {

// The parts that json_schema() puts together. Each takes the definitions of the schema that it
// becomes part of, and adds those that it refers to.

/// A whole campaign, or a file that others name as their base, in which nothing is required.
[[nodiscard]] Json campaign_properties(Json& definitions);

/// What a campaign must have by itself: everything required that neither a base file nor a sweep
/// can give. For "allOf".
[[nodiscard]] Json campaign_requirements();

/// The value of `policy:`: a preset, or a choice for each seam.
[[nodiscard]] Json policy_schema(Json& definitions);
/// What a policy without a preset must state.
[[nodiscard]] Json policy_requirements();
[[nodiscard]] std::vector<std::string> policy_seams();

/// The mapping `sweep:`. Needs the definitions of cluster, workload, policy and engine.
[[nodiscard]] Json sweep_schema(Json& definitions);
/// The list `published:`.
[[nodiscard]] Json published_schema();

/// The choices of `workload.source`.
[[nodiscard]] std::vector<ChoiceInfo> workload_choices();

[[nodiscard]] Json model_schema(Json& definitions);
[[nodiscard]] Json gpu_table_schema();

}  // namespace mimus::emulator
