// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Preloaded into the ranks of a run. Rank MIMUS_TEST_SLOW_RANK is slow wherever MPI_Init waits for
// the others, and receives messages meanwhile, as Open MPI does. If the others do not wait for it
// in turn, a message reaches it before it can be read, and the rank dies.
#include <array>
#include <chrono>
#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>

#include <mpi.h>

namespace {

bool g_slow = false;

bool is_slow_rank() {
  const char* wanted = std::getenv("MIMUS_TEST_SLOW_RANK");
  const char* rank = std::getenv("PMIX_RANK");
  return wanted != nullptr && rank != nullptr && std::atoi(wanted) == std::atoi(rank);
}

/// Every wait naps at a different code address.
bool is_new(const void* place) {
  static std::array<const void*, 8> known{};
  for (const void*& other : known) {
    if (other == place) return false;
    if (other == nullptr) {
      other = place;
      return true;
    }
  }
  return false;
}

}  // namespace

extern "C" int usleep(useconds_t nap_us) {
  constexpr auto kLong = std::chrono::seconds{2};
  const auto progress = reinterpret_cast<void (*)()>(::dlsym(RTLD_DEFAULT, "opal_progress"));
  if (g_slow && progress != nullptr && is_new(__builtin_return_address(0))) {
    const auto end = std::chrono::steady_clock::now() + kLong;
    while (std::chrono::steady_clock::now() < end) progress();
  }
  const timespec nap{.tv_sec = 0, .tv_nsec = static_cast<long>(nap_us) * 1000};
  return ::nanosleep(&nap, nullptr);
}

extern "C" int MPI_Init_thread(int* count, char*** arguments, int required, int* provided) {
  g_slow = is_slow_rank();
  const int code = PMPI_Init_thread(count, arguments, required, provided);
  g_slow = false;
  return code;
}
