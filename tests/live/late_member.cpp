// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Preloaded into the ranks of a live run. Members of a gang other than the first notice late that
// the last agreement of an attempt has finished, as on a busy host. Rank 0 has then moved on to the
// end of the cell, to the next cell, or to the end of the run. Reports each delay.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>

#include <mpi.h>

#include "emulator/live/gang/gang_communicator.hpp"

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kValues = mimus::emulator::GangAgreement::kValues;
MPI_Request* g_slow = nullptr;
Clock::time_point g_until;
bool g_ending = false;

bool is_late() {
  return Clock::now() < g_until;
}

}  // namespace

extern "C" int MPI_Iallreduce(const void* own, void* result, int count, MPI_Datatype type,
                              MPI_Op operation, MPI_Comm gang, MPI_Request* request) {
  if (count == kValues && operation == MPI_MIN) {
    const auto* values = static_cast<const std::int64_t*>(own);
    // The values of an agreement. All are 0 at the end of an attempt, twice.
    const bool ends = std::all_of(values, values + kValues, [](auto value) { return value == 0; });
    int rank = 0;
    MPI_Comm_rank(gang, &rank);
    if (rank > 0 && ends && g_ending) {
      g_slow = request;
      g_until = Clock::now() + std::chrono::milliseconds{500};
      std::fputs("late member\n", stderr);
    }
    g_ending = ends;
  }
  return PMPI_Iallreduce(own, result, count, type, operation, gang, request);
}

extern "C" int MPI_Test(MPI_Request* request, int* done, MPI_Status* status) {
  if (request == g_slow && is_late()) {
    *done = 0;
    return MPI_SUCCESS;
  }
  if (request == g_slow) g_slow = nullptr;
  return PMPI_Test(request, done, status);
}
