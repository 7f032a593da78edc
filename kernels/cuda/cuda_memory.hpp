// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace mimus::kernels::cuda {

// Both are move-only and belong to the device that is current when they are made. Destructors never
// throw: a failure comes from the device being lost, which the next checked call says.

/// Device memory. OutOfMemoryError when the device has no more.
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  explicit DeviceBuffer(std::size_t bytes);

  template <class T = std::byte>
  [[nodiscard]] T* as() const {
    return static_cast<T*>(memory_.get());
  }
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }
  explicit operator bool() const { return memory_ != nullptr; }

 private:
  struct Free {
    void operator()(void* memory) const noexcept;
  };
  std::unique_ptr<void, Free> memory_;
  std::int64_t bytes_ = 0;
};

/// Host memory that the device copies from and to by itself.
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  explicit PinnedBuffer(std::size_t bytes);

  template <class T = std::byte>
  [[nodiscard]] T* as() const {
    return static_cast<T*>(memory_.get());
  }
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }
  explicit operator bool() const { return memory_ != nullptr; }

 private:
  struct Free {
    void operator()(void* memory) const noexcept;
  };
  std::unique_ptr<void, Free> memory_;
  std::int64_t bytes_ = 0;
};

}  // namespace mimus::kernels::cuda
