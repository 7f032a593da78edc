// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "scheduler/estimate/solo_profile.hpp"
#include "workloads/models/model_catalogue.hpp"

namespace mimus::emulator {

/// What a profiler finds that runs each model of the catalogue alone on one GPU of this type, with
/// its least per-GPU batch, twice that, and so on up to the most that fits into its memory: the
/// utilisation and memory that replicas have in both engines. Ends with the most itself.
[[nodiscard]] std::vector<scheduler::SoloProfile> solo_profiles(
    const workloads::ModelCatalogue& models, const std::string& gpu_type);

}  // namespace mimus::emulator
