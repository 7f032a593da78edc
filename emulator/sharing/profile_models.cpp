// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/sharing/profile_models.hpp"

#include <set>

#include <fmt/format.h>

#include "base/error.hpp"

namespace mimus::emulator {

void check_fingerprints(const std::string& path, const results::ProfileContent& profile,
                        const workloads::ModelCatalogue& models) {
  std::set<std::string> names;
  for (const auto& row : profile.rows) names.insert(row.model);
  for (const std::string& name : names) {
    const workloads::Model* model = models.find(name);
    if (model == nullptr) continue;
    const auto now = fmt::format("{:016x}", model->fingerprint());
    const auto then = profile.attributes.find("fingerprint." + name);
    if (then != profile.attributes.end() && then->second == now) continue;
    throw ConfigError(
        {path, 0, 0}, "",
        fmt::format("was measured with another footprint of {} ({}, now {}); "
                    "calibrate again",
                    name, then == profile.attributes.end() ? "none" : then->second, now));
  }
}

void check_gpu_type(const std::string& path, const std::string& measured,
                    const std::string& wanted) {
  if (measured.empty() || measured == wanted) return;
  throw ConfigError({path, 0, 0}, "",
                    fmt::format("was measured on {}, but cluster.gpu is {}; measure again with "
                                "--set cluster.gpu={}, or set cluster.gpu",
                                measured, wanted, wanted));
}

}  // namespace mimus::emulator
