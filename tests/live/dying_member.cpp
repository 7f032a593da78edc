// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Preloaded into the ranks of a live run: one of them kills itself at a point where others wait for
// it. MIMUS_TEST_DIES is "RANK:WHERE" with one of these points:
//   all_reduce    after it has posted its own part of a reduction of gradients
//   meeting       before it joins the meeting of its gang
//   communicator  when it and the other members are about to create a communicator
//   cell          when it is ready for a cell and others may not be
//   start         once MPI has started and every rank has written output of a library to stderr
//   load          before its first line
#include <csignal>
#include <cstdlib>
#include <string>
#include <string_view>
#include <unistd.h>

#include <mpi.h>

#include "emulator/live/messages/protocol.hpp"

namespace {

constexpr int kReductions = 20;  // the first ones succeed

bool dies(const char* where) {
  const char* wanted = std::getenv("MIMUS_TEST_DIES");
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return wanted != nullptr && std::to_string(rank) + ":" + where == wanted;
}

__attribute__((constructor)) void die_at_once() {
  const char* wanted = std::getenv("MIMUS_TEST_DIES");
  const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
  if (wanted == nullptr || rank == nullptr) return;
  if (std::string(rank) + ":load" == wanted) std::raise(SIGSEGV);
}

}  // namespace

extern "C" int MPI_Init_thread(int* count, char*** arguments, int required, int* provided) {
  constexpr std::string_view kWords = "words of a library\n";
  const char* wanted = std::getenv("MIMUS_TEST_DIES");
  if (wanted != nullptr && std::string_view(wanted).ends_with(":start")) {
    (void)!::write(STDERR_FILENO, kWords.data(), kWords.size());
  }
  const int code = PMPI_Init_thread(count, arguments, required, provided);
  if (dies("start")) std::raise(SIGSEGV);
  return code;
}

extern "C" int MPI_Iallreduce(const void* own, void* result, int count, MPI_Datatype type,
                              MPI_Op operation, MPI_Comm gang, MPI_Request* request) {
  static int reductions = 0;
  const int code = PMPI_Iallreduce(own, result, count, type, operation, gang, request);
  if (type == MPI_FLOAT && dies("all_reduce") && ++reductions > kReductions) std::raise(SIGKILL);
  return code;
}

extern "C" int MPI_Isend(const void* bytes, int count, MPI_Datatype type, int rank, int tag,
                         MPI_Comm world, MPI_Request* request) {
  using Kind = mimus::emulator::MessageKind;
  if (tag == static_cast<int>(Kind::gang_meets) && dies("meeting")) std::raise(SIGKILL);
  if (tag == static_cast<int>(Kind::cell_ready) && dies("cell")) std::raise(SIGKILL);
  return PMPI_Isend(bytes, count, type, rank, tag, world, request);
}

extern "C" int MPI_Comm_create_group(MPI_Comm world, MPI_Group members, int tag, MPI_Comm* gang) {
  if (dies("communicator")) std::raise(SIGKILL);
  return PMPI_Comm_create_group(world, members, tag, gang);
}
