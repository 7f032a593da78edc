// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <stdexcept>

#include "tests/unit/kernels/cuda/fake_nvml.hpp"

namespace mimus::kernels::cuda {

FakeNvml& fake_nvml(const char* path) {
  void* library = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(::dlerror());
  void* address = ::dlsym(library, "mimus_fake_nvml_state");
  if (address == nullptr) throw std::runtime_error("not the fake library");
  return *reinterpret_cast<FakeNvml* (*)()>(address)();
}

}  // namespace mimus::kernels::cuda
