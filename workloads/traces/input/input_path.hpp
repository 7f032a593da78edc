// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "base/value_domain.hpp"
#include "workloads/traces/input/input_file.hpp"

namespace mimus::workloads {

/// A file or folder that a configuration names, for expanded_path().
struct InputPath {
  std::string named;
};

}  // namespace mimus::workloads

namespace mimus {

template <>
struct Domain<workloads::InputPath> {
  std::string what;

  /// `all`: what it is the path of, e.g. "a folder".
  Domain(std::string all) : what(std::move(all)) {}  // NOLINT(google-explicit-constructor)
  Domain(const char* all) : what(all) {}             // NOLINT(google-explicit-constructor)
  [[nodiscard]] workloads::InputPath read(const ConfigNode& node, const std::string& path) const {
    return {workloads::named_path(node, path)};
  }
  [[nodiscard]] std::string text(const workloads::InputPath& value) const { return value.named; }
  [[nodiscard]] ValueSpec spec() const {
    return {.type = ValueSpec::Type::path, .beyond = what + "; may begin with ${MIMUS_SHARED}"};
  }
};

}  // namespace mimus
