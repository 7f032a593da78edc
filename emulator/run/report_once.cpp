// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/run/report_once.hpp"

#include <thread>

#include <fmt/format.h>

#include "base/error.hpp"
#include "emulator/live/mpi/mpi_world.hpp"

namespace mimus::emulator {

int report_once(const std::function<int()>& act) {
  constexpr Duration kForRank0{std::chrono::seconds{5}};
  const int rank = MpiWorld::launched_rank();
  try {
    return act();
  } catch (const InterruptedError& stopped) {  // every rank got the signal
    if (rank == 0) throw;
    return static_cast<int>(stopped.exit_code());
  } catch (const Error& error) {
    if (rank == 0) throw;
    std::this_thread::sleep_for(kForRank0);
    throw Error(error.exit_code(), fmt::format("rank {}: {}", rank, error.what()));
  }
}

}  // namespace mimus::emulator
