// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <stdexcept>

#include "tests/unit/kernels/cuda/fake_cupti.hpp"

namespace mimus::kernels::cuda {

void FakeCupti::keep(const void* record, std::size_t bytes) {
  const auto* first = static_cast<const std::uint8_t*>(record);
  pending.emplace_back(first, first + bytes);
}

void FakeCupti::deliver(std::size_t per_buffer, bool hold) {
  for (std::size_t next = 0; next < pending.size(); next += per_buffer) {
    const std::size_t count = std::min(per_buffer, pending.size() - next);
    Held given{nullptr, 0, 0};
    std::size_t max_records = 1;
    request(&given.buffer, &given.size, &max_records);
    if (given.buffer == nullptr) {
      dropped += count;
      continue;
    }
    for (std::size_t i = next; i < next + count; ++i) {
      if (given.valid + pending[i].size() > given.size) throw std::runtime_error("small buffer");
      std::memcpy(given.buffer + given.valid, pending[i].data(), pending[i].size());
      given.valid += pending[i].size();
    }
    held_.push_back(given);
    if (!hold) return_held_buffers();
  }
  pending.clear();
}

void FakeCupti::return_held_buffers() {
  for (const auto& given : held_) complete(nullptr, 0, given.buffer, given.size, given.valid);
  held_.clear();
}

FakeCupti& fake_cupti(const char* path) {
  void* library = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(::dlerror());
  void* address = ::dlsym(library, "mimus_fake_cupti_state");
  if (address == nullptr) throw std::runtime_error("not the fake library");
  return *reinterpret_cast<FakeCupti* (*)()>(address)();
}

}  // namespace mimus::kernels::cuda
