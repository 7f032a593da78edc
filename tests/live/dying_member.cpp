// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Preloaded into the ranks of a live run: one of them kills itself in the middle of something that
// others wait for. MIMUS_TEST_DIES is "RANK:WHERE"; WHERE is "all_reduce", after its own part of a
// reduction of gradients has been posted, "meeting", before it comes to that of its gang, or
// "communicator", when it is about to make one and the other members are, too.
#include <csignal>
#include <cstdlib>
#include <string>

#include <mpi.h>

#include "emulator/live/protocol.hpp"

namespace {

constexpr int kReductions = 20;  // the first ones go well

bool dies(const char* where) {
  const char* wanted = std::getenv("MIMUS_TEST_DIES");
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return wanted != nullptr && std::to_string(rank) + ":" + where == wanted;
}

}  // namespace

extern "C" int MPI_Iallreduce(const void* own, void* result, int count, MPI_Datatype type,
                              MPI_Op operation, MPI_Comm gang, MPI_Request* request) {
  static int reductions = 0;
  const int code = PMPI_Iallreduce(own, result, count, type, operation, gang, request);
  if (type == MPI_FLOAT && dies("all_reduce") && ++reductions > kReductions) std::raise(SIGKILL);
  return code;
}

extern "C" int MPI_Isend(const void* bytes, int count, MPI_Datatype type, int rank, int tag,
                         MPI_Comm world, MPI_Request* request) {
  constexpr int kMeets = static_cast<int>(mimus::emulator::MessageKind::gang_meets);
  if (tag == kMeets && dies("meeting")) std::raise(SIGKILL);
  return PMPI_Isend(bytes, count, type, rank, tag, world, request);
}

extern "C" int MPI_Comm_create_group(MPI_Comm world, MPI_Group members, int tag, MPI_Comm* gang) {
  if (dies("communicator")) std::raise(SIGKILL);
  return PMPI_Comm_create_group(world, members, tag, gang);
}
