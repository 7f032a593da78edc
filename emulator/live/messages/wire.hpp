// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/error.hpp"

namespace mimus::emulator {

/// Plain bytes of a message. All ranks run the same program on one architecture, so values travel
/// in memory layout; strings and vectors carry their length.
class WireWriter {
 public:
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void put(const T& value) {
    const auto* bytes = reinterpret_cast<const char*>(&value);
    bytes_.insert(bytes_.end(), bytes, bytes + sizeof(T));
  }
  void put(const std::string& text) {
    put(static_cast<std::uint32_t>(text.size()));
    bytes_.insert(bytes_.end(), text.begin(), text.end());
  }
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void put(const std::vector<T>& values) {
    put(static_cast<std::uint32_t>(values.size()));
    for (const T& value : values) put(value);
  }
  [[nodiscard]] const std::vector<char>& bytes() const { return bytes_; }

 private:
  std::vector<char> bytes_;
};

/// Reads what a WireWriter wrote, in the same order. InternalError when bytes are missing.
class WireReader {
 public:
  explicit WireReader(std::span<const char> bytes) : rest_(bytes) {}

  template <class T>
  requires std::is_trivially_copyable_v<T>
  void get(T& value) {
    ensure(rest_.size() >= sizeof(T), "a message is shorter than its kind");
    std::memcpy(&value, rest_.data(), sizeof(T));
    rest_ = rest_.subspan(sizeof(T));
  }
  void get(std::string& text) {
    const auto length = take_length(1);
    text.assign(rest_.data(), length);
    rest_ = rest_.subspan(length);
  }
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void get(std::vector<T>& values) {
    values.resize(take_length(sizeof(T)));
    for (T& value : values) get(value);
  }

 private:
  std::size_t take_length(std::size_t element) {
    std::uint32_t length = 0;
    get(length);
    ensure(rest_.size() >= length * element, "a message is shorter than its lengths say");
    return length;
  }
  std::span<const char> rest_;
};

}  // namespace mimus::emulator
