// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mimus::kernels {

/// What a GPU and its server draw [W]. A GPU draws idle + utilisation × (busy − idle).
struct PowerDraw {
  double idle = 0.0;    ///< a GPU on which nothing runs
  double busy = 0.0;    ///< a GPU that trains without a pause, in the mean over models
  double host = 0.0;    ///< the rest of a usual server, while it is on or boots
  double asleep = 0.0;  ///< a whole server that is switched off
};

}  // namespace mimus::kernels
