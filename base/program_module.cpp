// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/program_module.hpp"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"

namespace mimus {
namespace {

std::string path_of(const ModuleFacts& facts) {
  const char* given = std::getenv(facts.variable.c_str());
  if (given != nullptr && *given != '\0') return given;
  std::error_code unreadable;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", unreadable);
  return unreadable ? facts.file : (program.parent_path() / facts.file).string();
}

}  // namespace

bool ProgramModule::exists(const ModuleFacts& facts) {
  std::error_code absent;
  return std::filesystem::exists(path_of(facts), absent);
}

ProgramModule::ProgramModule(ModuleFacts facts)
    : facts_(std::move(facts)),
      library_(SharedLibrary::open_first({path_of(facts_)}, facts_.symbols)) {
  if (!library_.is_open()) {
    throw EnvironmentError(fmt::format("the {} cannot be loaded ({}); {}", facts_.title,
                                       library_.reason(), facts_.advice));
  }
  const char* stamp = function<const char* (*)()>(facts_.stamp_symbol.c_str())();
  if (std::strcmp(stamp, build_stamp()) == 0) return;
  throw EnvironmentError(
      fmt::format("{} was built from Mimus {}, this program from {}; rebuild both", library_.name(),
                  stamp, build_stamp()));
}

void* ProgramModule::symbol(const char* name) const {
  void* address = library_.symbol(name);
  if (address != nullptr) return address;
  throw EnvironmentError(fmt::format("{} is not a Mimus {}: it lacks {}; rebuild", library_.name(),
                                     facts_.title, name));
}

}  // namespace mimus
