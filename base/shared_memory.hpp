// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace mimus {

/// A named POSIX shared-memory segment, mapped for reading and writing.
class SharedMemory {
 public:
  SharedMemory() = default;
  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&& other) noexcept;
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory();

  /// Creates a zero-filled segment. The name must be new. EnvironmentError on failure.
  [[nodiscard]] static SharedMemory create(const std::string& name, std::size_t bytes);
  [[nodiscard]] static SharedMemory open(const std::string& name, std::size_t bytes);
  /// Zero-filled memory shared with nobody but children of this process.
  [[nodiscard]] static SharedMemory anonymous(std::size_t bytes);
  /// Removes the name; mappings live on. Called as soon as everybody has opened the segment, so
  /// that a killed run leaves nothing behind.
  static void unlink(const std::string& name) noexcept;

  [[nodiscard]] void* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  SharedMemory(void* data, std::size_t size) : data_(data), size_(size) {}
  [[nodiscard]] static SharedMemory map(int descriptor, const std::string& name, std::size_t bytes);
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace mimus
