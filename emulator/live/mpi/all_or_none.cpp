// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/mpi/all_or_none.hpp"

#include <array>
#include <optional>
#include <string>
#include <unistd.h>

#include <fmt/format.h>

#include "base/error.hpp"
#include "emulator/live/mpi/mpi_world.hpp"
#include "kernels/mpi/mpi_error.hpp"

namespace mimus::emulator {
namespace {

using kernels::check_mpi;

/// The outcome of a part as it is sent. Its size is fixed, and longer texts are cut.
struct Outcome {
  int code = static_cast<int>(ExitCode::ok);
  std::array<char, 1020> text{};

  [[nodiscard]] bool failed() const { return code != static_cast<int>(ExitCode::ok); }
};

Outcome outcome_of(const std::function<void()>& part) {
  Outcome outcome;
  try {
    part();
  } catch (const Error& error) {
    std::array<char, 64> host{};
    ::gethostname(host.data(), host.size() - 1);
    outcome.code = static_cast<int>(error.exit_code());
    fmt::format_to_n(outcome.text.data(), outcome.text.size() - 1, "host {}: {}", host.data(),
                     error.what());
  }
  return outcome;
}

/// The lowest rank with a fault, if any. Sleeps between polls, because a part may take seconds.
std::optional<int> lowest_fault(MPI_Comm ranks, bool own) {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(ranks, &rank);
  MPI_Comm_size(ranks, &size);
  const int candidate = own ? rank : size;
  int lowest = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Iallreduce(&candidate, &lowest, 1, MPI_INT, MPI_MIN, ranks, &request),
            "MPI_Iallreduce");
  await(request, {std::chrono::milliseconds{1}, std::chrono::milliseconds{20}});
  return lowest == size ? std::nullopt : std::optional(lowest);
}

}  // namespace

void all_or_none(MPI_Comm ranks, const std::function<void()>& own_part) {
  Outcome outcome = outcome_of(own_part);
  const std::optional<int> lowest = lowest_fault(ranks, outcome.failed());
  if (!lowest) return;
  check_mpi(MPI_Bcast(&outcome, sizeof outcome, MPI_BYTE, *lowest, ranks), "MPI_Bcast");
  throw Error(static_cast<ExitCode>(outcome.code), outcome.text.data());
}

}  // namespace mimus::emulator
