// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/shared_memory.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"

namespace mimus {
namespace {

[[noreturn]] void fail(const std::string& what, const std::string& name) {
  throw EnvironmentError(
      fmt::format("shared memory \"{}\": {}: {}; check that /dev/shm is mounted and has room", name,
                  what, std::strerror(errno)));
}

}  // namespace

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

SharedMemory::~SharedMemory() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

SharedMemory SharedMemory::create(const std::string& name, std::size_t bytes) {
  const int descriptor = ::shm_open(name.c_str(), O_CREAT | O_EXCL | O_RDWR, 0600);
  if (descriptor < 0) fail("cannot be created", name);
  if (::ftruncate(descriptor, static_cast<off_t>(bytes)) != 0) {
    ::close(descriptor);
    unlink(name);
    fail("cannot be sized", name);
  }
  return map(descriptor, name, bytes);
}

SharedMemory SharedMemory::open(const std::string& name, std::size_t bytes) {
  const int descriptor = ::shm_open(name.c_str(), O_RDWR, 0600);
  if (descriptor < 0) fail("cannot be opened", name);
  return map(descriptor, name, bytes);
}

SharedMemory SharedMemory::anonymous(std::size_t bytes) {
  void* data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) fail("cannot be mapped", "anonymous");
  return {data, bytes};
}

SharedMemory SharedMemory::map(int descriptor, const std::string& name, std::size_t bytes) {
  void* data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  ::close(descriptor);
  if (data == MAP_FAILED) fail("cannot be mapped", name);
  return {data, bytes};
}

void SharedMemory::unlink(const std::string& name) noexcept {
  ::shm_unlink(name.c_str());
}

}  // namespace mimus
