// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/shared_library.hpp"

namespace mimus {

/// Facts about a part of the program that is loaded on demand.
struct ModuleFacts {
  std::string title;         ///< name in messages, e.g. "CUDA module"
  std::string file;          ///< beside the program
  std::string variable;      ///< environment variable with another place of the file
  std::string advice;        ///< what to do if its libraries are not found
  std::string stamp_symbol;  ///< exported `const char* f()` that returns its build
  SharedLibrary::Symbols symbols = SharedLibrary::Symbols::local;
};

/// A part of the program that is loaded when it is first needed. Loading its libraries takes longer
/// than many a virtual run, and machines without these libraries can run everything else. It shares
/// C++ types with the program, so both must come from one build.
class ProgramModule {
 public:
  /// Whether this build has the file at all; loads nothing.
  [[nodiscard]] static bool exists(const ModuleFacts& facts);
  /// Throws EnvironmentError that names the missing library, or says that the builds differ.
  explicit ProgramModule(ModuleFacts facts);

  /// Returns an exported function. Throws EnvironmentError if the module lacks it.
  template <class Function>
  [[nodiscard]] Function function(const char* name) const {
    return reinterpret_cast<Function>(symbol(name));
  }

 private:
  [[nodiscard]] void* symbol(const char* name) const;

  ModuleFacts facts_;
  SharedLibrary library_;
};

/// The build that this code belongs to.
[[nodiscard]] const char* build_stamp();

}  // namespace mimus
