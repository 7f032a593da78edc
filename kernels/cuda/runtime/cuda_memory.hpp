// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace mimus::kernels::cuda {

/// Memory of one kind. Move-only; belongs to the device that is current when it is made. The
/// destructor never throws: the cause of a failure is a lost device, which the next checked call
/// reports. `Kind` has allocate(bytes), which throws, and free(memory).
template <class Kind>
class CudaBuffer {
 public:
  CudaBuffer() = default;
  /// No memory for 0 bytes.
  explicit CudaBuffer(std::size_t bytes)
      : memory_(bytes == 0 ? nullptr : Kind::allocate(bytes)),
        bytes_(static_cast<std::int64_t>(bytes)) {}

  template <class T = std::byte>
  [[nodiscard]] T* as() const {
    return static_cast<T*>(memory_.get());
  }
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }
  explicit operator bool() const { return memory_ != nullptr; }

 private:
  struct Free {
    void operator()(void* memory) const noexcept { Kind::free(memory); }
  };
  std::unique_ptr<void, Free> memory_;
  std::int64_t bytes_ = 0;
};

/// Device memory. OutOfMemoryError if the device has no more.
struct DeviceMemory {
  [[nodiscard]] static void* allocate(std::size_t bytes);
  static void free(void* memory) noexcept;
};
using DeviceBuffer = CudaBuffer<DeviceMemory>;

/// Host memory that the device copies from and to by itself.
struct PinnedMemory {
  [[nodiscard]] static void* allocate(std::size_t bytes);
  static void free(void* memory) noexcept;
};
using PinnedBuffer = CudaBuffer<PinnedMemory>;

}  // namespace mimus::kernels::cuda
