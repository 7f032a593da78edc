// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace mimus::fake_cuda {

/// Of the device: addresses that can be neither read nor written. Of the host: pinned memory.
enum class Place { device, host };

// The lock of Device is held for all of these.

/// Null when the device has no more, or the host.
[[nodiscard]] void* allocate(Place place, std::size_t bytes, int device);
/// Of a device, by this process.
[[nodiscard]] std::size_t used_memory(int device);
/// Whether there was such an allocation.
bool release(Place place, void* memory);

/// Where a range lies; nothing when it is not inside one live allocation.
[[nodiscard]] std::optional<Place> place_of(const void* memory, std::size_t bytes);
/// Complains, naming the call and the operand, unless the device may use the range.
[[nodiscard]] bool usable(const char* call, const char* operand, const void* memory,
                          std::size_t bytes);
/// Likewise one of the device's memory; pinned memory is refused.
[[nodiscard]] bool on_device(const char* call, const char* operand, const void* memory,
                             std::size_t bytes);
[[nodiscard]] bool overlap(const void* a, std::size_t a_bytes, const void* b, std::size_t b_bytes);

/// What is allocated, for the account at the end; empty for nothing.
[[nodiscard]] std::string allocations_left();
void forget_allocations();

}  // namespace mimus::fake_cuda
