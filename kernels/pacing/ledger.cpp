// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pacing/ledger.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/quantity_text.hpp"

namespace mimus::kernels {

std::size_t Ledger::bytes_needed(int gpus) {
  return static_cast<std::size_t>(gpus) * sizeof(GpuAccount);
}

Ledger::Ledger(std::span<std::byte> memory, int gpus, Bytes gpu_memory) : gpu_memory_(gpu_memory) {
  ensure(memory.size() >= bytes_needed(gpus), "ledger memory is too small");
  // Zero bytes are a valid state of every account, so no process has to initialise the memory.
  void* begin = memory.data();
  gpus_ = {static_cast<GpuAccount*>(begin), static_cast<std::size_t>(gpus)};
}

void Ledger::reserve_memory(int gpu, Bytes amount) {
  auto& used = gpus_[static_cast<std::size_t>(gpu)].memory_used;
  const auto wanted = static_cast<std::int64_t>(amount.value);
  std::int64_t before = used.load(std::memory_order_relaxed);
  // An amount that does not fit is never booked, because another tenant may ask at the same time.
  while (static_cast<double>(before + wanted) <= gpu_memory_.value) {
    if (used.compare_exchange_weak(before, before + wanted, std::memory_order_acq_rel)) return;
  }
  throw OutOfMemoryError(
      ExitCode::run_failed,
      fmt::format("out of memory on GPU {}: the replica needs {}, {} of {} are in use", gpu,
                  format_bytes(amount), format_bytes(Bytes{static_cast<double>(before)}),
                  format_bytes(gpu_memory_)));
}

void Ledger::release_memory(int gpu, Bytes amount) noexcept {
  gpus_[static_cast<std::size_t>(gpu)].memory_used.fetch_sub(
      static_cast<std::int64_t>(amount.value), std::memory_order_acq_rel);
}

Bytes Ledger::used_memory(int gpu) const {
  return Bytes{static_cast<double>(gpus_[static_cast<std::size_t>(gpu)].memory_used.load())};
}

/// The instants are written before the number that they belong to.
void Ledger::add_tenant(int gpu, WallInstant at, std::int32_t milli_cores) noexcept {
  GpuAccount& account = gpus_[static_cast<std::size_t>(gpu)];
  const std::int64_t from = at.time_since_epoch().count();
  if (account.tenants == 0) account.milli_cores = 0;
  account.milli_cores += milli_cores;
  if (account.tenants == 0 || from < account.used_from_ns) account.used_from_ns = from;
  ++account.tenants;
}

void Ledger::remove_tenant(int gpu, WallInstant at, std::int32_t milli_cores) noexcept {
  GpuAccount& account = gpus_[static_cast<std::size_t>(gpu)];
  const std::int64_t until = at.time_since_epoch().count();
  if (until > account.used_until_ns) account.used_until_ns = until;
  if (account.tenants > 1) account.milli_cores -= milli_cores;
  --account.tenants;
}

int Ledger::tenants(int gpu) const {
  return gpus_[static_cast<std::size_t>(gpu)].tenants.load();
}

std::int64_t Ledger::milli_cores(int gpu) const {
  return gpus_[static_cast<std::size_t>(gpu)].milli_cores.load();
}

Ledger::NodeUse Ledger::use_of_others(int own, int first, int count, WallInstant at) const {
  const std::int64_t then = at.time_since_epoch().count();
  NodeUse used;
  for (int gpu = first; gpu < first + count; ++gpu) {
    const GpuAccount& account = gpus_[static_cast<std::size_t>(gpu)];
    const bool in_use =
        then < account.used_until_ns || (account.tenants > 0 && then >= account.used_from_ns);
    if (gpu == own || !in_use) continue;
    ++used.gpus;
    used.milli_cores += account.milli_cores;
  }
  return used;
}

void Ledger::forget_gpu(int gpu) noexcept {
  GpuAccount& account = gpus_[static_cast<std::size_t>(gpu)];
  account.tenants = 0;
  account.used_until_ns = 0;
  account.memory_used = 0;
}

void Ledger::reset() noexcept {
  for (auto& gpu : gpus_) {
    gpu.memory_used = 0;
    gpu.tenants = 0;
    gpu.used_until_ns = 0;
  }
}

}  // namespace mimus::kernels
