// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/on_host/grid_run.hpp"

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <ucontext.h>
#include <utility>
#include <vector>

namespace mimus::on_host {

Thread current;

namespace {

constexpr std::size_t kStackBytes = std::size_t{128} * 1024;
// The maximum that a device accepts.
constexpr unsigned kMostThreads = 1024;
constexpr unsigned kMostThreadsAlongZ = 64;
constexpr unsigned kMostBlocksAlongYOrZ = 65'535;
constexpr std::size_t kMostShared = std::size_t{227} * 1024;

enum class State { ready, waits_for_warp, waits_for_block, done };

// swapcontext() makes a system call for the signal mask each time. It is used only to start a
// fiber, and jumps do the rest.
struct Place {
  ucontext_t context{};
  std::jmp_buf jump{};
};

struct Fiber {
  Place place;
  std::unique_ptr<std::byte[]> stack;
  bool begun = false;
  State state = State::done;
  std::array<std::uint64_t, 2> given{};  ///< given to the lanes of its warp, alternately
  unsigned exchanges = 0;
};

struct Machine {
  std::vector<std::unique_ptr<Fiber>> fibers;
  Place scheduler;
  unsigned running = 0;
  unsigned threads = 0;
  const std::function<void()>* kernel = nullptr;
};
Machine machine;

Fiber& running_fiber() {
  return *machine.fibers[machine.running];
}

void hand_over(State state) {
  Fiber& self = running_fiber();
  self.state = state;
  if (_setjmp(self.place.jump) == 0) _longjmp(machine.scheduler.jump, 1);
}

// Kernels run one after another, so each stack is made once.
void live() {
  while (true) {
    (*machine.kernel)();
    hand_over(State::done);
  }
}

void add_fiber() {
  auto fiber = std::make_unique<Fiber>();
  fiber->stack = std::make_unique<std::byte[]>(kStackBytes);
  ucontext_t& context = fiber->place.context;
  getcontext(&context);
  context.uc_stack.ss_sp = fiber->stack.get();
  context.uc_stack.ss_size = kStackBytes;
  context.uc_link = nullptr;
  makecontext(&context, &live, 0);
  machine.fibers.push_back(std::move(fiber));
}

void resume(unsigned index) {
  machine.running = index;
  const dim3& size = current.threads;
  current.thread = {index % size.x, index / size.x % size.y, index / size.x / size.y};
  Fiber& fiber = running_fiber();
  if (_setjmp(machine.scheduler.jump) != 0) return;
  if (std::exchange(fiber.begun, true)) _longjmp(fiber.place.jump, 1);
  swapcontext(&machine.scheduler.context, &fiber.place.context);
}

/// Resumes fibers [begin, end) when all of them wait for the same.
bool release(unsigned begin, unsigned end, State waited_for) {
  const auto first = machine.fibers.begin();
  const auto waits = [&](const auto& fiber) { return fiber->state == waited_for; };
  if (!std::all_of(first + begin, first + end, waits)) return false;
  std::for_each(first + begin, first + end, [](auto& fiber) { fiber->state = State::ready; });
  return true;
}

bool release_waiting() {
  bool any = release(0, machine.threads, State::waits_for_block);
  for (unsigned warp = 0; warp < machine.threads; warp += kWarpThreads) {
    any |= release(warp, std::min(warp + kWarpThreads, machine.threads), State::waits_for_warp);
  }
  return any;
}

void run_block(bool backwards) {
  for (unsigned i = 0; i < machine.threads; ++i) machine.fibers[i]->state = State::ready;
  const auto done = [](const auto& fiber) { return fiber->state == State::done; };
  const auto first = machine.fibers.begin();
  do {
    for (unsigned i = 0; i < machine.threads; ++i) {
      const unsigned index = backwards ? machine.threads - 1 - i : i;
      if (machine.fibers[index]->state == State::ready) resume(index);
    }
    if (std::all_of(first, first + machine.threads, done)) return;
  } while (release_waiting());
  fail("threads of a block wait at different places, or some have ended");
}

bool fits(dim3 grid, dim3 block) {
  const std::size_t threads = std::size_t{block.x} * block.y * block.z;
  return threads > 0 && threads <= kMostThreads && block.z <= kMostThreadsAlongZ && grid.x > 0 &&
         grid.y > 0 && grid.y <= kMostBlocksAlongYOrZ && grid.z > 0 &&
         grid.z <= kMostBlocksAlongYOrZ;
}

}  // namespace

void fail(const char* what) {
  const Thread& at = current;
  std::fprintf(stderr, "kernel on the host: %s; block %u %u %u, thread %u %u %u\n", what,
               at.block.x, at.block.y, at.block.z, at.thread.x, at.thread.y, at.thread.z);
  std::abort();
}

cudaError_t run_grid(dim3 grid, dim3 block, std::size_t shared_bytes,
                     const std::function<void()>& kernel) {
  machine.threads = block.x * block.y * block.z;
  machine.kernel = &kernel;
  if (!fits(grid, block)) return cudaErrorInvalidConfiguration;
  if (shared_bytes > kMostShared) return cudaErrorInvalidValue;
  while (machine.fibers.size() < machine.threads) add_fiber();
  current.threads = block;
  current.blocks = grid;
  for (unsigned z = 0; z < grid.z; ++z) {
    for (unsigned y = 0; y < grid.y; ++y) {
      for (unsigned x = 0; x < grid.x; ++x) {
        current.block = {x, y, z};
        std::memset(dynamic_shared_memory(), 0xFF, shared_bytes);
        run_block((x + y + z) % 2 == 1);
      }
    }
  }
  return cudaSuccess;
}

void wait_for_block() {
  hand_over(State::waits_for_block);
}

void wait_for_warp() {
  hand_over(State::waits_for_warp);
}

unsigned lane() {
  return machine.running % kWarpThreads;
}

// Alternates, because a lane may give its next value before another one has read this one.
std::uint64_t exchanged(std::uint64_t value, unsigned lane) {
  Fiber& self = running_fiber();
  const unsigned turn = self.exchanges++ % 2;
  const unsigned from = machine.running / kWarpThreads * kWarpThreads + lane;
  self.given[turn] = value;
  wait_for_warp();
  if (lane >= kWarpThreads || from >= machine.threads) return value;
  return machine.fibers[from]->given[turn];
}

uint4* dynamic_shared_memory() {
  alignas(128) static std::array<std::byte, kMostShared> memory;
  return reinterpret_cast<uint4*>(memory.data());
}

}  // namespace mimus::on_host
