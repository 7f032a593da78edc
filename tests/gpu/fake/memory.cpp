// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/fake/memory.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <sys/mman.h>

#include <fmt/format.h>

#include "tests/gpu/fake/settings.hpp"

namespace mimus::fake_cuda {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kMostDevices = 64;

struct Allocation {
  Place place = Place::device;
  std::size_t bytes = 0;
  std::size_t reserved = 0;  ///< address space
  int device = 0;
};

struct Memory {
  std::map<std::uintptr_t, Allocation> by_address;
  std::array<std::size_t, kMostDevices> used{};
  std::size_t pinned = 0;
};

Memory& memory_of_process() {
  static Memory& all = *new Memory;
  return all;
}

std::uintptr_t number(const void* memory) {
  return reinterpret_cast<std::uintptr_t>(memory);
}

/// Reserves one page more than requested, so that no two allocations touch.
void* reserve(std::size_t bytes) {
  void* address =
      mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return address == MAP_FAILED ? nullptr : address;
}

}  // namespace

void* allocate(Place place, std::size_t bytes, int device) {
  Memory& all = memory_of_process();
  Allocation one{.place = place, .bytes = bytes, .reserved = 0, .device = device};
  void* address = nullptr;
  if (place == Place::device) {
    std::size_t& used = all.used[static_cast<std::size_t>(device)];
    if (bytes > settings().memory - used) return nullptr;
    one.reserved = (bytes + 2 * kPage - 1) / kPage * kPage;
    address = reserve(one.reserved);
    if (address != nullptr) used += bytes;
  } else if (bytes <= settings().pinned - all.pinned) {
    address = std::aligned_alloc(kPage, (bytes + kPage - 1) / kPage * kPage);
    if (address != nullptr) all.pinned += bytes;
  }
  if (address != nullptr) all.by_address.emplace(number(address), one);
  return address;
}

std::size_t used_memory(int device) {
  return memory_of_process().used.at(static_cast<std::size_t>(device));
}

bool release(Place place, void* memory) {
  Memory& all = memory_of_process();
  const auto found = all.by_address.find(number(memory));
  if (found == all.by_address.end() || found->second.place != place) return false;
  if (place == Place::device) {
    all.used[static_cast<std::size_t>(found->second.device)] -= found->second.bytes;
    munmap(memory, found->second.reserved);
  } else {
    all.pinned -= found->second.bytes;
    std::free(memory);
  }
  all.by_address.erase(found);
  return true;
}

std::optional<Place> place_of(const void* memory, std::size_t bytes) {
  const auto& all = memory_of_process().by_address;
  auto next = all.upper_bound(number(memory));
  if (next == all.begin()) return std::nullopt;
  const auto& [address, allocation] = *--next;
  const std::size_t offset = number(memory) - address;
  if (offset > allocation.bytes || bytes > allocation.bytes - offset) return std::nullopt;
  return allocation.place;
}

bool usable(const char* call, const char* operand, const void* memory, std::size_t bytes) {
  if (place_of(memory, bytes)) return true;
  complain(fmt::format("{}: {} of {} bytes at {} is not inside a live allocation", call, operand,
                       bytes, memory));
  return false;
}

bool on_device(const char* call, const char* operand, const void* memory, std::size_t bytes) {
  if (!usable(call, operand, memory, bytes)) return false;
  if (place_of(memory, bytes) == Place::device) return true;
  complain(fmt::format("{}: {} lies in host memory", call, operand));
  return false;
}

bool overlap(const void* a, std::size_t a_bytes, const void* b, std::size_t b_bytes) {
  return number(a) < number(b) + b_bytes && number(b) < number(a) + a_bytes;
}

std::string allocations_left() {
  std::size_t count = 0;
  std::size_t bytes = 0;
  for (const auto& [address, allocation] : memory_of_process().by_address) {
    ++count;
    bytes += allocation.bytes;
  }
  return count == 0 ? "" : fmt::format("{} allocations of {} bytes", count, bytes);
}

void forget_allocations() {
  memory_of_process() = {};
}

}  // namespace mimus::fake_cuda
