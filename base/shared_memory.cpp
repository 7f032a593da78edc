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

[[noreturn]] void fail(const std::string& what, std::size_t bytes) {
  throw EnvironmentError(fmt::format("{} bytes of shared memory {}: {}; is enough memory free?",
                                     bytes, what, std::strerror(errno)));
}

[[noreturn]] void fail_to_open(const std::string& path) {
  throw EnvironmentError(
      fmt::format("shared memory {} cannot be opened: {}; processes of one host must see each "
                  "other in /proc: run them in the same PID namespace",
                  path, std::strerror(errno)));
}

void* mapped(int flags, int descriptor, std::size_t bytes) {
  void* data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | flags, descriptor, 0);
  if (data == MAP_FAILED) fail("cannot be mapped", bytes);
  return data;
}

}  // namespace

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

SharedMemory::~SharedMemory() {
  if (data_ != nullptr) ::munmap(data_, size_);
  if (descriptor_ >= 0) ::close(descriptor_);
}

SharedMemory SharedMemory::create(std::size_t bytes) {
  SharedMemory memory;
  memory.descriptor_ = ::memfd_create("mimus", MFD_CLOEXEC);
  if (memory.descriptor_ < 0) fail("cannot be created", bytes);
  if (::ftruncate(memory.descriptor_, static_cast<off_t>(bytes)) != 0) {
    fail("cannot be sized", bytes);
  }
  memory.data_ = mapped(0, memory.descriptor_, bytes);
  memory.size_ = bytes;
  return memory;
}

SharedMemory SharedMemory::open(const std::string& path, std::size_t bytes) {
  SharedMemory memory;
  memory.descriptor_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (memory.descriptor_ < 0) fail_to_open(path);
  memory.data_ = mapped(0, memory.descriptor_, bytes);
  memory.size_ = bytes;
  ::close(std::exchange(memory.descriptor_, -1));
  return memory;
}

SharedMemory SharedMemory::anonymous(std::size_t bytes) {
  SharedMemory memory;
  memory.data_ = mapped(MAP_ANONYMOUS, -1, bytes);
  memory.size_ = bytes;
  return memory;
}

std::string SharedMemory::path() const {
  return fmt::format("/proc/{}/fd/{}", ::getpid(), descriptor_);
}

}  // namespace mimus
