// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace mimus::emulator {

/// Whether a device is of a GPU type by the name that its driver gives it: "Tesla V100-SXM2-16GB"
/// is a V100 and "NVIDIA GeForce RTX 2080 Ti" an RTX2080Ti, but "NVIDIA T400" is no T4. Case,
/// spaces and hyphens do not count.
[[nodiscard]] bool is_of_type(std::string_view device, std::string_view type);

}  // namespace mimus::emulator
