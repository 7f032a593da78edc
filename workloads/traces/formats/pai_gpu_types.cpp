// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traces/formats/pai_gpu_types.hpp"

namespace mimus::workloads {

std::string text_of(PaiGpuTypes rule) {
  switch (rule) {
    case PaiGpuTypes::stated:
      return "stated GPU types";
    case PaiGpuTypes::v100:
      return "stated V100s";
    case PaiGpuTypes::any:
      break;
  }
  return "";
}

std::vector<std::string> gpu_types_by(PaiGpuTypes rule, std::string_view stated) {
  const bool is_v100 = stated == "V100" || stated == "V100M32";
  const bool holds = rule == PaiGpuTypes::stated || (rule == PaiGpuTypes::v100 && is_v100);
  if (stated.empty() || !holds) return {};
  return {std::string(stated)};
}

}  // namespace mimus::workloads
