// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/admission/accept_all.hpp"

namespace mimus::scheduler {

/// A job that does not start in the decision on its arrival is rejected, as in a loss system. FGD's
/// evaluation does so with pods that fit nowhere (Weng et al., ATC'23, §6.1).
class AtOnce final : public AcceptAll {
 public:
  [[nodiscard]] bool turns_away() const override { return true; }
};

}  // namespace mimus::scheduler
