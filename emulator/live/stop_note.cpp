// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/stop_note.hpp"

#include <array>
#include <atomic>
#include <cstdlib>
#include <string>
#include <unistd.h>

#include "base/error.hpp"
#include "emulator/stop_signal.hpp"

namespace mimus::emulator {
namespace {

constexpr const char* kVariable = "MIMUS_STOP_NOTE";  ///< HOST:PATH

using Noted = std::atomic<int>;
static_assert(Noted::is_always_lock_free);

Noted& noted(const SharedMemory& memory) {
  return *static_cast<Noted*>(memory.data());
}

std::string on_this_host() {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  return std::string(host.data()) + ":";
}

/// 0 where the launcher runs elsewhere, has noted nothing or is gone.
int noted_signal() {
  const char* place = std::getenv(kVariable);
  const std::string here = on_this_host();
  if (place == nullptr || !std::string(place).starts_with(here)) return 0;
  try {
    return noted(SharedMemory::open(place + here.size(), sizeof(Noted)));
  } catch (const EnvironmentError&) {
    return 0;
  }
}

}  // namespace

StopNote::StopNote() : memory_(SharedMemory::create(sizeof(Noted))) {
  ::setenv(kVariable, (on_this_host() + memory_.path()).c_str(), 1);
}

StopNote::~StopNote() {
  ::unsetenv(kVariable);
}

void StopNote::leave(int signal) const noexcept {
  int none = 0;
  noted(memory_).compare_exchange_strong(none, signal);
}

int users_stop_signal() {
  const int here = stop_signal();
  const int sent = here == 0 ? 0 : noted_signal();
  return sent != 0 ? sent : here;
}

}  // namespace mimus::emulator
