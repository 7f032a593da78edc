// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/mpi/mpi_world.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>
#include <memory>
#include <thread>

#include "emulator/live/mpi/prompt_wake_ups.hpp"
#include "kernels/mpi/mpi_error.hpp"

namespace mimus::emulator {

using kernels::check_mpi;

namespace {
/// Variables that are set by mpirun, by srun with PMIx and by launchers that use PMI.
constexpr std::array kRankVariables{"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
}  // namespace

MpiWorld::MpiWorld() : uncaught_(std::uncaught_exceptions()) {
  // Otherwise the library would print its own backtrace for signals that end a rank, before the
  // dead rank can be reported. The core file holds the same information.
  ::setenv("OMPI_MCA_opal_signal", "", 0);
  int provided = 0;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) {
    throw EnvironmentError("MPI_Init failed; try \"mimus doctor\" to see at which stage");
  }
  MPI_Comm_dup(MPI_COMM_WORLD, &world_);
  MPI_Comm_set_errhandler(world_, MPI_ERRORS_RETURN);
  MPI_Comm_dup(world_, &control_);  // inherits the error handler
  MPI_Comm_dup(world_, &clocks_);
  MPI_Comm_rank(world_, &rank_);
  MPI_Comm_size(world_, &size_);
  ask_for_prompt_wake_ups();
}

MpiWorld::~MpiWorld() {
  if (std::uncaught_exceptions() > uncaught_ || !ends_) return;
  MPI_Comm_free(&clocks_);
  MPI_Comm_free(&control_);
  MPI_Comm_free(&world_);
  MPI_Finalize();
}

int MpiWorld::highest(int own) const {
  int highest = own;
  check_mpi(MPI_Allreduce(&own, &highest, 1, MPI_INT, MPI_MAX, world_), "MPI_Allreduce");
  return highest;
}

void MpiWorld::abort(int exit_code) const {
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::_Exit(exit_code);
}

bool MpiWorld::launched() {
  return std::any_of(kRankVariables.begin(), kRankVariables.end(),
                     [](const char* name) { return std::getenv(name) != nullptr; });
}

int MpiWorld::launched_rank() {
  for (const char* name : kRankVariables) {
    if (const char* value = std::getenv(name)) return std::atoi(value);
  }
  return 0;
}

std::string MpiWorld::library_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  const std::string all(text.data(), static_cast<std::size_t>(length));
  return all.substr(0, all.find(','));
}

Mailbox::~Mailbox() {
  reap();
  for (auto& pending : pending_) (void)pending.release();  // MPI may still read the bytes
  for (auto& arriving : arriving_) (void)arriving.release();
}

/// Leaves the messages that are under way to the lost rank to MPI.
void Mailbox::lose(int rank, std::string what) {
  lost_.emplace(rank, std::move(what));
  std::erase_if(pending_, [rank](std::unique_ptr<Pending>& pending) {
    return pending->rank == rank && pending.release() != nullptr;
  });
}

void Mailbox::post(int rank, int tag, std::vector<char> bytes) {
  auto pending = std::make_unique<Pending>();
  pending->bytes = std::move(bytes);
  pending->rank = rank;
  check_mpi(MPI_Isend(pending->bytes.data(), static_cast<int>(pending->bytes.size()), MPI_CHAR,
                      rank, tag, communicator_, &pending->request),
            "MPI_Isend");
  pending_.push_back(std::move(pending));
}

std::optional<Envelope> Mailbox::poll() {
  reap();
  std::optional<Envelope> envelope = late_arrival();
  if (!envelope) envelope = probe();
  if (envelope && is_lost(envelope->source)) return std::nullopt;
  return envelope;
}

/// A message that was under way when its sender was stopped or died.
std::optional<Envelope> Mailbox::late_arrival() {
  for (auto arriving = arriving_.begin(); arriving != arriving_.end(); ++arriving) {
    int done = 0;
    check_mpi(MPI_Test(&(*arriving)->request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done == 0) continue;
    Envelope envelope = std::move((*arriving)->envelope);
    arriving_.erase(arriving);
    return envelope;
  }
  return std::nullopt;
}

std::optional<Envelope> Mailbox::probe() {
  int flag = 0;
  MPI_Status status{};
  // MPI_Iprobe looks first and makes progress afterwards, so a probe sees what arrived before the
  // previous probe. Two probes per wake-up reduce the latency from three naps to one.
  for (int attempt = 0; attempt < 2 && flag == 0; ++attempt) {
    check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, communicator_, &flag, &status), "MPI_Iprobe");
  }
  if (flag == 0) return std::nullopt;
  int count = 0;
  MPI_Get_count(&status, MPI_CHAR, &count);
  auto arriving = std::make_unique<Arriving>();
  arriving->envelope = {.source = status.MPI_SOURCE,
                        .kind = static_cast<MessageKind>(status.MPI_TAG),
                        .bytes = std::vector<char>(static_cast<std::size_t>(count))};
  check_mpi(MPI_Irecv(arriving->envelope.bytes.data(), count, MPI_CHAR, status.MPI_SOURCE,
                      status.MPI_TAG, communicator_, &arriving->request),
            "MPI_Irecv");
  // A long message arrives in several parts, and the last ones may never be sent.
  constexpr Duration kLongest = std::chrono::seconds{2};
  if (await(arriving->request, {std::chrono::microseconds{5}, std::chrono::milliseconds{1}},
            wall_now() + kLongest)) {
    return std::move(arriving->envelope);
  }
  arriving_.push_back(std::move(arriving));
  return std::nullopt;
}

void Mailbox::reap() {
  std::erase_if(pending_, [](const std::unique_ptr<Pending>& pending) {
    int flag = 0;
    check_mpi(MPI_Test(&pending->request, &flag, MPI_STATUS_IGNORE), "MPI_Test");
    return flag != 0;
  });
}

bool Mailbox::flush(Duration timeout) {
  const WallInstant give_up = wall_now() + timeout;
  for (reap(); !pending_.empty() && wall_now() < give_up; reap()) {
    std::this_thread::sleep_for(std::chrono::microseconds{200});
  }
  return pending_.empty();
}

void Backoff::nap(WallInstant until) {
  const WallInstant wake = std::min(until, wall_now() + next_);
  std::this_thread::sleep_until(wake);
  next_ = std::min(longest_, next_ * 3 / 2);
}

bool await(MPI_Request& operation, Backoff backoff, WallInstant until) {
  while (true) {
    int done = 0;
    check_mpi(MPI_Test(&operation, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done != 0 || wall_now() > until) return done != 0;
    backoff.nap();
  }
}

}  // namespace mimus::emulator
