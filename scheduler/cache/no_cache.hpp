// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/cache/cache.hpp"

namespace mimus::scheduler {

/// No data is kept: every job reads from storage.
class NoCache final : public Cache {
 public:
  [[nodiscard]] double admit(const JobView& job) override;
  void leave(const JobView& job) override;
};

}  // namespace mimus::scheduler
