// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace mimus {

/// A shared library opened at run time, and closed with its last owner. NVIDIA's libraries are
/// loaded this way so that a program built with them also starts on hosts without them.
class SharedLibrary {
 public:
  /// Opens the first of `candidates` (names or paths) that the loader accepts. If it accepts none,
  /// the library is not open and `reason()` has the loader's message for each. `symbols` says
  /// whether libraries that are opened later may use its symbols.
  enum class Symbols { local, global };
  [[nodiscard]] static SharedLibrary open_first(const std::vector<std::string>& candidates,
                                                Symbols symbols = Symbols::local);

  SharedLibrary() = default;
  SharedLibrary(SharedLibrary&& other) noexcept;
  SharedLibrary& operator=(SharedLibrary&& other) noexcept;
  SharedLibrary(const SharedLibrary&) = delete;
  SharedLibrary& operator=(const SharedLibrary&) = delete;
  ~SharedLibrary();

  [[nodiscard]] bool is_open() const { return handle_ != nullptr; }
  [[nodiscard]] const std::string& name() const { return name_; }      ///< as it was opened
  [[nodiscard]] const std::string& reason() const { return reason_; }  ///< why it is not open
  /// The address of an exported symbol; null if the library lacks it.
  [[nodiscard]] void* symbol(const char* name) const;

 private:
  void* handle_ = nullptr;
  std::string name_;
  std::string reason_;
};

}  // namespace mimus
