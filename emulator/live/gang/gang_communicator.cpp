// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/gang/gang_communicator.hpp"

#include "emulator/live/world/live_cell.hpp"
#include "kernels/mpi/mpi_error.hpp"

namespace mimus::emulator {

using kernels::check_mpi;

GangCommunicator::GangCommunicator(MPI_Comm world, const std::vector<scheduler::Slot>& slots,
                                   std::int64_t tag)
    : size_(static_cast<int>(slots.size())), tag_(tag) {
  if (size_ == 1) return;
  constexpr std::int64_t kTags = 30000;  // MPI guarantees tags up to 32767
  std::vector<int> ranks;
  for (const auto& slot : slots) ranks.push_back(rank_of(slot.lane));
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group members = MPI_GROUP_NULL;
  check_mpi(MPI_Comm_group(world, &all), "MPI_Comm_group");
  check_mpi(MPI_Group_incl(all, size_, ranks.data(), &members), "MPI_Group_incl");
  const int code =
      MPI_Comm_create_group(world, members, static_cast<int>(tag % kTags), &communicator_);
  MPI_Group_free(&members);
  MPI_Group_free(&all);
  check_mpi(code, "MPI_Comm_create_group");
  MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN);
  MPI_Comm_rank(communicator_, &rank_);
}

GangCommunicator::~GangCommunicator() {
  if (communicator_ != MPI_COMM_NULL) MPI_Comm_free(&communicator_);
}

void GangCommunicator::share(std::span<std::byte> bytes, const char* what, Duration patience,
                             int from) const {
  if (size_ == 1) return;
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibcast(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, from, communicator_,
                       &request),
            "MPI_Ibcast");
  await_members(request, what, patience);
}

void GangCommunicator::take_largest(std::span<double> values, const char* what,
                                    Duration patience) const {
  if (size_ == 1) return;
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Iallreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE,
                           MPI_MAX, communicator_, &request),
            "MPI_Iallreduce");
  await_members(request, what, patience);
}

void GangCommunicator::await_members(MPI_Request& request, const char* what,
                                     Duration patience) const {
  Backoff backoff(std::chrono::microseconds{20}, std::chrono::milliseconds{2});
  const WallInstant begin = wall_now();
  int done = 0;
  while (true) {
    check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done != 0) return;
    const Duration waited = wall_now() - begin;
    if (waited > patience) throw TimeoutError(what, waited, "a member of the gang may be gone");
    look_();
    backoff.nap();
  }
}

std::string GangCommunicator::shared_text(const std::string& text, const char* what,
                                          Duration patience, int from) const {
  constexpr std::size_t kLongest = 256;  // more than a result column holds
  std::array<char, kLongest + 1> room{};
  text.copy(room.data(), kLongest);
  share(std::as_writable_bytes(std::span(room)), what, patience, from);
  return room.data();
}

void GangAgreement::post(const Values& own) {
  own_ = own;
  minimum_ = own;
  if (gang_.size() == 1) return;
  check_mpi(MPI_Iallreduce(own_.data(), minimum_.data(), kValues, MPI_INT64_T, MPI_MIN, gang_.get(),
                           &request_),
            "MPI_Iallreduce");
}

bool GangAgreement::ready() {
  int flag = 0;
  check_mpi(MPI_Test(&request_, &flag, MPI_STATUS_IGNORE), "MPI_Test");
  return flag != 0;
}

}  // namespace mimus::emulator
