// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace mimus::emulator {

/// Returns the result of `act`, and lets only rank 0 report an Error that all ranks find. Every
/// rank of a launched world has the same command line and files, and finds the same fault before
/// MPI is available to compare. Rank 0 throws its Error; the others wait until the launcher ends
/// them. If another rank left first, the launcher could end rank 0 before it has reported. A rank
/// that is still waiting after 5 s has a fault of its own, and throws it with its number.
[[nodiscard]] int report_once(const std::function<int()>& act);

}  // namespace mimus::emulator
