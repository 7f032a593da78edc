// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace mimus::emulator {

/// Where Open MPI keeps what it shares among processes of one host.
struct LeftoverPlaces {
  std::string shared_memory = "/dev/shm";  ///< segments of ranks
  std::string temporary;                   ///< session folders; empty: as Open MPI chooses it
};

/// Files and folders of this user's MPI runs on this host that nothing uses any more: a run whose
/// processes were all killed at once has had no time to remove them. Segments that some process has
/// mapped, and session folders whose mpirun lives, are not among them.
[[nodiscard]] std::vector<std::string> find_leftovers(const LeftoverPlaces& places = {});

/// Removes what find_leftovers() has found; returns what could be removed.
std::vector<std::string> remove_leftovers(const LeftoverPlaces& places = {});

}  // namespace mimus::emulator
