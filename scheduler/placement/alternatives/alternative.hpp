// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/time.hpp"

namespace mimus::scheduler {

/// One way to place a gang, and for how long it is all that a waiting job asks for.
struct Alternative {
  enum class Within { anywhere, island };
  std::vector<std::string> types;       ///< of GPUs, by name; empty: any
  Within within = Within::anywhere;     ///< where all of the gang must be
  bool alone = false;                   ///< on whole GPUs, which no other job joins
  double idle_above = 0.0;              ///< while more than this share of the type's GPUs is idle
  Duration patience = Duration::max();  ///< before the next one is tried, too
};

/// Which alternatives jobs have.
struct AlternativeLists {
  enum class Types { strict, relaxed };
  std::vector<Alternative> high;  ///< of jobs that need high-end GPUs
  std::vector<Alternative> low;   ///< of the others
  double speedup = 2.0;           ///< of the first of these over the first of those, from which on
                                  ///< a job needs high-end GPUs
  int gang = 2;                   ///< GPUs from which on it does
  Types types = Types::strict;    ///< what the types are that a job names
};

}  // namespace mimus::scheduler
