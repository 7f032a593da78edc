// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/shared_library.hpp"

#include <dlfcn.h>
#include <utility>

namespace mimus {

SharedLibrary SharedLibrary::open_first(const std::vector<std::string>& candidates,
                                        Symbols symbols) {
  const int flags = RTLD_NOW | (symbols == Symbols::global ? RTLD_GLOBAL : RTLD_LOCAL);
  SharedLibrary library;
  for (const auto& candidate : candidates) {
    library.handle_ = ::dlopen(candidate.c_str(), flags);
    if (library.handle_ != nullptr) {
      library.name_ = candidate;
      library.reason_.clear();
      return library;
    }
    const char* error = ::dlerror();
    if (!library.reason_.empty()) library.reason_ += "; ";
    library.reason_ += error != nullptr ? error : candidate + ": cannot be opened";
  }
  return library;
}

SharedLibrary::SharedLibrary(SharedLibrary&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)),
      name_(std::move(other.name_)),
      reason_(std::move(other.reason_)) {}

SharedLibrary& SharedLibrary::operator=(SharedLibrary&& other) noexcept {
  std::swap(handle_, other.handle_);
  std::swap(name_, other.name_);
  std::swap(reason_, other.reason_);
  return *this;
}

SharedLibrary::~SharedLibrary() {
  if (handle_ != nullptr) ::dlclose(handle_);
}

void* SharedLibrary::symbol(const char* name) const {
  return handle_ == nullptr ? nullptr : ::dlsym(handle_, name);
}

}  // namespace mimus
