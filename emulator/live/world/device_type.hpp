// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/ids.hpp"

namespace mimus::emulator {

/// Whether a device is of a GPU type by the name that its driver gives it: "Tesla V100-SXM2-16GB"
/// is a V100 and "NVIDIA GeForce RTX 2080 Ti" an RTX2080Ti, but "NVIDIA T400" is no T4. Case,
/// spaces and hyphens do not count.
[[nodiscard]] bool is_of_type(std::string_view device, std::string_view type);

/// The GPU type that a campaign may call the device by: the longest name of kernels/gpus.yaml that
/// fits it. Without one, the name of the device.
[[nodiscard]] std::string type_of_device(std::string_view device);

/// EnvironmentError if the device of `rank`, which stands for `gpu` of a cluster of several types,
/// is not of that GPU's type.
void check_device_type(std::string_view device, GpuId gpu, std::string_view type, int rank);

}  // namespace mimus::emulator
