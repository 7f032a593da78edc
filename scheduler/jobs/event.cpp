// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/jobs/event.hpp"

namespace mimus::scheduler {

const char* name(EndReason reason) {
  switch (reason) {
    case EndReason::finished:
      return "finished";
    case EndReason::preempted:
      return "preempted";
    case EndReason::failed:
      return "failed";
    case EndReason::out_of_memory:
      return "out_of_memory";
    case EndReason::node_down:
      return "node_down";
    case EndReason::resized:
      return "resized";
    case EndReason::worker_lost:
      return "worker_lost";
    case EndReason::moved:
      return "moved";
  }
  return "unknown";
}

}  // namespace mimus::scheduler
