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

/// What the run of a cell is made of that depends on the engine.
class CellEngine {
 public:
  virtual ~CellEngine() = default;
  /// The cluster with the lanes that there are.
  [[nodiscard]] virtual const scheduler::ClusterShape& shape() const = 0;
  [[nodiscard]] virtual const workloads::JobStream& jobs() const = 0;
  /// What policies believe of step times where the campaign names no profile.
  [[nodiscard]] virtual std::shared_ptr<const scheduler::ThroughputEstimate> modelled() const = 0;
  [[nodiscard]] virtual std::shared_ptr<const scheduler::Oracle> oracle() const = 0;
  [[nodiscard]] virtual ProvenanceFacts facts() const = 0;
  /// Facts that execute() finds out.
  [[nodiscard]] virtual std::vector<results::LaterAttribute> later_facts() const { return {}; }
  /// Runs the jobs until all have left.
  virtual void execute(scheduler::Scheduler& scheduler, results::Recorder& recorder) = 0;
};

/// Which cell is run, and into which folder.
struct CellToRun {
  const Campaign& campaign;
  const RunOptions& options;
  const std::string& folder;
  const Cell& cell;
};

/// Builds the cell's policy, runs it on the engine and returns the path of its result file.
/// Whatever ends it early, the file keeps what was measured and says why it is not complete.
std::string execute_cell(const CellToRun& run, CellEngine& engine);

}  // namespace mimus::emulator
