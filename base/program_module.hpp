// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/shared_library.hpp"

namespace mimus {

/// What has to be known of a part of the program that is loaded on demand.
struct ModuleFacts {
  std::string title;         ///< as messages name it, e.g. "CUDA module"
  std::string file;          ///< beside the program
  std::string variable;      ///< of the environment: another place of the file
  std::string advice;        ///< what to do where its libraries are not found
  std::string stamp_symbol;  ///< exported `const char* f()`: the build that it comes from
  SharedLibrary::Symbols symbols = SharedLibrary::Symbols::local;
};

/// A part of the program that is loaded when it is first asked for, because loading the libraries
/// behind it takes longer than many a virtual run, and machines without them run everything else.
/// It shares C++ types with the program, so both have to be of one build.
class ProgramModule {
 public:
  /// Whether this build has the file at all; loads nothing.
  [[nodiscard]] static bool exists(const ModuleFacts& facts);
  /// EnvironmentError that names the library that is missing, or says that the builds differ.
  explicit ProgramModule(ModuleFacts facts);

  /// An exported function. EnvironmentError where the module lacks it.
  template <class Function>
  [[nodiscard]] Function function(const char* name) const {
    return reinterpret_cast<Function>(symbol(name));
  }

 private:
  [[nodiscard]] void* symbol(const char* name) const;

  ModuleFacts facts_;
  SharedLibrary library_;
};

/// The build that this code comes from.
[[nodiscard]] const char* build_stamp();

}  // namespace mimus
