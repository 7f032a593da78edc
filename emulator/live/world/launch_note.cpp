// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/world/launch_note.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <unistd.h>

#include <fmt/format.h>

#include "base/error.hpp"
#include "emulator/live/mpi/mpi_world.hpp"
#include "emulator/live/mpi/process_state.hpp"
#include "emulator/stop_signal.hpp"

namespace mimus::emulator {
namespace {

constexpr const char* kVariable = "MIMUS_LAUNCH_NOTE";  ///< HOST:RANKS:PATH

/// The first of rank 0 and the launcher decides.
enum class Forming : int { undecided, formed, given_up };

/// The beginning of the memory. It is followed by one RankNote per rank.
struct WorldNote {
  std::atomic<int> signal;
  std::atomic<Forming> forming;
  std::atomic<std::int32_t> first_dead;  ///< 1 + rank, once one was seen
};
static_assert(std::atomic<int>::is_always_lock_free);

std::size_t bytes_for(int ranks) {
  return sizeof(WorldNote) + static_cast<std::size_t>(ranks) * sizeof(RankNote);
}

WorldNote& world_note(const SharedMemory& memory) {
  return *static_cast<WorldNote*>(memory.data());
}

std::span<RankNote> rank_notes(const SharedMemory& memory, int ranks) {
  void* behind = &world_note(memory) + 1;
  return {static_cast<RankNote*>(behind), static_cast<std::size_t>(ranks)};
}

bool died_by_itself(const RankNote& rank) {
  return rank.pid != 0 && rank.left == 0 && rank.told_to_end == 0 && rank.mourned == 0 &&
         is_gone(rank.pid);
}

std::string name_of_this_host() {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  return host.data();
}

std::string on_this_host() {
  return name_of_this_host() + ":";
}

/// The note of this rank for as long as it lives. Empty if the launcher is gone or on another host.
struct OpenNote {
  SharedMemory memory;
  std::span<RankNote> all;
  RankNote* own = nullptr;
};
OpenNote g_own_note;

void open_note(const std::string& ranks_and_path) {
  int ranks = 0;
  const char* begin = ranks_and_path.data();
  const auto end = std::from_chars(begin, begin + ranks_and_path.size(), ranks);
  const int own = MpiWorld::launched_rank();
  if (end.ec != std::errc{} || *end.ptr != ':' || own >= ranks) return;
  try {
    g_own_note.memory = SharedMemory::open(end.ptr + 1, bytes_for(ranks));
    g_own_note.all = rank_notes(g_own_note.memory, ranks);
    g_own_note.own = &g_own_note.all[static_cast<std::size_t>(own)];
  } catch (const EnvironmentError&) {  // the launcher is gone, and this rank will end soon
  }
}

/// Used until a rank has its own handlers. It records that the rank was ended and did not die by
/// itself.
extern "C" void note_and_end(int signal) {
  g_own_note.own->told_to_end = 1;
  std::signal(signal, SIG_DFL);
  std::raise(signal);  // takes effect when this handler returns
}

}  // namespace

LaunchNote::LaunchNote(int ranks) : memory_(SharedMemory::create(bytes_for(ranks))), count_(ranks) {
  ::setenv(kVariable, fmt::format("{}{}:{}", on_this_host(), ranks, memory_.path()).c_str(), 1);
}

LaunchNote::~LaunchNote() {
  ::unsetenv(kVariable);
}

void LaunchNote::leave_signal(int signal) const noexcept {
  int none = 0;
  world_note(memory_).signal.compare_exchange_strong(none, signal);
}

std::span<RankNote> LaunchNote::ranks() const {
  return rank_notes(memory_, count_);
}

std::optional<int> LaunchNote::exit_code() const {
  const std::int32_t left = ranks().front().left;
  return left == 0 ? std::nullopt : std::optional(left - 1);
}

bool LaunchNote::rank_0_has_ended() const {
  const RankNote& first = ranks().front();
  return first.pid != 0 && is_gone(first.pid);
}

bool LaunchNote::is_formed() const {
  return world_note(memory_).forming == Forming::formed;
}

bool LaunchNote::give_up_unformed() const {
  auto found = Forming::undecided;
  world_note(memory_).forming.compare_exchange_strong(found, Forming::given_up);
  return found != Forming::formed;
}

bool LaunchNote::all_have_ended() const {
  const auto all = ranks();
  return std::all_of(all.begin(), all.end(),
                     [](const RankNote& rank) { return rank.pid != 0 && is_gone(rank.pid); });
}

void LaunchNote::tell_living_to_end() const {
  for (RankNote& rank : ranks()) {
    if (rank.pid == 0 || !is_gone(rank.pid)) rank.told_to_end = 1;
  }
}

bool LaunchNote::any_has_started() const {
  const auto all = ranks();
  return std::any_of(all.begin(), all.end(), [](const RankNote& rank) { return rank.pid != 0; });
}

void LaunchNote::notice_dead() const {
  std::atomic<std::int32_t>& noticed = world_note(memory_).first_dead;
  if (noticed != 0) return;
  if (const auto dead = first_dead()) noticed = 1 + *dead;
}

std::optional<int> LaunchNote::first_dead() const {
  const auto all = ranks();
  const std::int32_t noticed = world_note(memory_).first_dead;
  if (noticed != 0 && died_by_itself(all[static_cast<std::size_t>(noticed - 1)]))
    return noticed - 1;
  const auto first = std::find_if(all.begin(), all.end(), died_by_itself);
  return first == all.end() ? std::nullopt : std::optional(static_cast<int>(first - all.begin()));
}

bool LaunchNote::any_has_spoken() const {
  const auto all = ranks();
  return all.front().left != 0 ||
         std::any_of(all.begin(), all.end(), [](const RankNote& rank) { return rank.left > 1; });
}

std::string LaunchNote::unsaid() const {
  const auto first = first_dead();
  if (!first || any_has_spoken()) return "";
  return fmt::format("rank {} on host {} has died (process {})", *first, name_of_this_host(),
                     ranks()[static_cast<std::size_t>(*first)].pid.load());
}

std::string LaunchNote::without_start() const {
  const auto all = ranks();
  const auto silent = [](const RankNote& rank) { return rank.pid == 0; };
  if (std::count_if(all.begin(), all.end(), silent) != 1) return "a rank has died during its start";
  const auto found = std::find_if(all.begin(), all.end(), silent);
  return fmt::format("rank {} has died during its start", found - all.begin());
}

void enter_launch_note() {
  const char* place = std::getenv(kVariable);
  const std::string here = on_this_host();
  if (place == nullptr || !std::string(place).starts_with(here)) return;
  open_note(place + here.size());
  if (g_own_note.own == nullptr) return;
  std::signal(SIGTERM, note_and_end);  // first, so that a rank with a number never ends unrecorded
  g_own_note.own->pid = ::getpid();
}

void note_leaving(int exit_code) noexcept {
  if (g_own_note.own != nullptr) g_own_note.own->left = 1 + exit_code;
}

bool note_formed() noexcept {
  if (g_own_note.own == nullptr) return true;
  auto found = Forming::undecided;
  if (world_note(g_own_note.memory).forming.compare_exchange_strong(found, Forming::formed))
    return true;
  g_own_note.own->told_to_end = 1;
  return false;
}

void note_survived(int rank) noexcept {
  if (g_own_note.own != nullptr) g_own_note.all[static_cast<std::size_t>(rank)].mourned = 1;
}

int users_stop_signal() {
  const int here = stop_signal();
  const int sent =
      here == 0 || g_own_note.own == nullptr ? 0 : world_note(g_own_note.memory).signal.load();
  return sent != 0 ? sent : here;
}

}  // namespace mimus::emulator
