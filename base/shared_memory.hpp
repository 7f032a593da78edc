// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace mimus {

/// Memory that processes of one host share, mapped for reading and writing. It has no name in any
/// file system, so nothing is left of it when the processes are killed.
class SharedMemory {
 public:
  SharedMemory() = default;
  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&& other) noexcept;
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory();

  /// Zero-filled. EnvironmentError on failure.
  [[nodiscard]] static SharedMemory create(std::size_t bytes);
  /// Opens memory that another process of the same user and host has created, by its path().
  [[nodiscard]] static SharedMemory open(const std::string& path, std::size_t bytes);
  /// Zero-filled memory shared only with children of this process.
  [[nodiscard]] static SharedMemory anonymous(std::size_t bytes);

  /// The path by which others open it, as long as this process has it. Only for memory that this
  /// process created.
  [[nodiscard]] std::string path() const;
  [[nodiscard]] void* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
  int descriptor_ = -1;  ///< of the creator; others need none once the memory is mapped
};

}  // namespace mimus
