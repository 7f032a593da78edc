// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "emulator/campaign/campaign.hpp"
#include "emulator/run/provenance.hpp"
#include "emulator/run/runner.hpp"
#include "results/recorder.hpp"
#include "scheduler/scheduler.hpp"

namespace mimus::emulator {

/// The parts of a cell's run that depend on the engine.
class CellEngine {
 public:
  virtual ~CellEngine() = default;
  /// The cluster with its existing lanes.
  [[nodiscard]] virtual const scheduler::ClusterShape& shape() const = 0;
  [[nodiscard]] virtual const workloads::JobStream& jobs() const = 0;
  /// The beliefs of policies about step times if the campaign names no profile.
  [[nodiscard]] virtual std::shared_ptr<const scheduler::ThroughputEstimate> modelled() const = 0;
  [[nodiscard]] virtual std::shared_ptr<const scheduler::Oracle> oracle() const = 0;
  [[nodiscard]] virtual ProvenanceFacts facts() const = 0;
  /// Facts that are known only after execute().
  [[nodiscard]] virtual std::vector<results::LaterAttribute> later_facts() const { return {}; }
  /// Runs the jobs until all have left.
  virtual void execute(scheduler::Scheduler& scheduler, results::Recorder& recorder) = 0;
};

/// The cell to run, and its folder.
struct CellToRun {
  const Campaign& campaign;
  const RunOptions& options;
  const std::string& folder;
  const Cell& cell;
};

/// Builds the cell's policy, runs it on the engine and returns the path of its result file. If it
/// ends early for any reason, the file keeps what was measured and says why it is not complete.
std::string execute_cell(const CellToRun& run, CellEngine& engine);

}  // namespace mimus::emulator
