// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/virtual/interference_model.hpp"

namespace mimus::emulator {

/// Tenants of one GPU do not feel each other.
class NoInterference final : public InterferenceModel {
 public:
  [[nodiscard]] std::string name() const override { return "none"; }
  [[nodiscard]] bool active() const override { return false; }
  [[nodiscard]] double slowdown(const Attempt&, std::span<const Attempt* const>) const override {
    return 1.0;
  }
};

}  // namespace mimus::emulator
