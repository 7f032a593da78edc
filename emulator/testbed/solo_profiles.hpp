// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "scheduler/estimate/solo_profile.hpp"
#include "workloads/models/model_catalogue.hpp"

namespace mimus::emulator {

/// What a profiler measures when it runs each model of the catalogue alone on one GPU of this type:
/// utilisation and memory of a replica, which are the same in both engines. Per-GPU batches are the
/// smallest one, its multiples by powers of two, and the largest one that fits into memory.
[[nodiscard]] std::vector<scheduler::SoloProfile> solo_profiles(
    const workloads::ModelCatalogue& models, const std::string& gpu_type);

}  // namespace mimus::emulator
