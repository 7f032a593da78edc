// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/fields.hpp"

namespace mimus::workloads {

/// Which GPU types jobs of Alibaba PAI may use, by the one that their table states: any type, the
/// stated one, or the stated one if it is a V100. In PAI's simulator (Weng et al., NSDI'22) these
/// are `GPU_TYPE_MATCHING` 0, 1 and 2. MISC stands for older types that PAI does not disclose; to
/// `stated` it is a type like the others, of which the cluster needs a group.
enum class PaiGpuTypes { any, stated, v100 };

/// What the readers of PAI's tables let users set.
template <PaiGpuTypes usual>
struct PaiSettings {
  PaiGpuTypes gpu_types = usual;
};

template <PaiGpuTypes usual>
[[nodiscard]] Fields<PaiSettings<usual>> pai_fields() {
  return {field(
      "gpu_types", &PaiSettings<usual>::gpu_types,
      {{"any", PaiGpuTypes::any}, {"stated", PaiGpuTypes::stated}, {"v100", PaiGpuTypes::v100}},
      "GPU types that jobs may use: any, the one that the table states (MISC is one of "
      "them), or that one if it is a V100")};
}

/// The setting as part of the provenance of a workload.
[[nodiscard]] std::string text_of(PaiGpuTypes rule);
/// Of a job for which the table states this type, or a blank. None: it may use any.
[[nodiscard]] std::vector<std::string> gpu_types_by(PaiGpuTypes rule, std::string_view stated);

}  // namespace mimus::workloads
