// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <type_traits>
#include <utility>

#include <hdf5.h>

#include "base/error.hpp"

namespace mimus::results {

/// Owns one HDF5 identifier.
template <herr_t (*Close)(hid_t)>
class H5Handle {
 public:
  H5Handle() = default;
  explicit H5Handle(hid_t id) : id_(id) {}
  H5Handle(H5Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  H5Handle& operator=(H5Handle&& other) noexcept {
    if (this != &other) {
      reset();
      id_ = std::exchange(other.id_, H5I_INVALID_HID);
    }
    return *this;
  }
  H5Handle(const H5Handle&) = delete;
  H5Handle& operator=(const H5Handle&) = delete;
  ~H5Handle() { reset(); }

  [[nodiscard]] hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }
  void reset() {
    if (id_ >= 0) Close(id_);
    id_ = H5I_INVALID_HID;
  }

 private:
  hid_t id_ = H5I_INVALID_HID;
};

using H5FileHandle = H5Handle<H5Fclose>;
using H5Dataset = H5Handle<H5Dclose>;
using H5Type = H5Handle<H5Tclose>;
using H5Space = H5Handle<H5Sclose>;
using H5Attribute = H5Handle<H5Aclose>;
using H5Properties = H5Handle<H5Pclose>;

/// Stops HDF5 from printing its error stack on stderr, in this thread; errors become IoError.
void silence_h5_errors();

/// An operation that HDF5 could not do, and why.
class H5Error : public IoError {
 public:
  H5Error(const std::string& path, const char* call, std::string reason)
      : IoError(path, std::string(call) + " failed: " + reason), reason_(std::move(reason)) {}
  [[nodiscard]] const std::string& reason() const { return reason_; }

 private:
  std::string reason_;
};

/// Throws H5Error with the innermost reason on HDF5's error stack.
[[noreturn]] void throw_h5_error(const std::string& path, const char* call);

/// Calls an HDF5 function and throws IoError when it reports failure by a negative result.
template <class Function, class... Arguments>
auto h5_call(const std::string& path, const char* name, Function function, Arguments... arguments) {
  silence_h5_errors();
  const auto result = function(arguments...);
  static_assert(std::is_signed_v<decltype(result)>);
  if (result < 0) throw_h5_error(path, name);
  return result;
}

}  // namespace mimus::results
