// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/status/campaign_status.hpp"

#include <algorithm>
#include <filesystem>

namespace mimus::emulator {
namespace {

/// Compares the wall time of completed cells with their expected work, in seconds per unit of work.
class Pace {
 public:
  explicit Pace(std::optional<double> unmeasured) : unmeasured_(unmeasured) {}

  void learn(double work, Duration took) {
    work_ += work;
    seconds_ += to_seconds(took);
  }
  [[nodiscard]] std::optional<double> seconds_per_unit() const {
    return work_ > 0 ? std::optional(seconds_ / work_) : unmeasured_;
  }

 private:
  std::optional<double> unmeasured_;
  double work_ = 0;
  double seconds_ = 0;
};

bool is_live(const CellFacts& facts) {
  return facts.kind == EngineConfig::Kind::live;
}

/// The estimate of a live cell in seconds, or the number of jobs of a virtual cell.
double work_of(const CellFacts& facts) {
  return is_live(facts) ? to_seconds(facts.wall_estimate)
                        : static_cast<double>(std::max<std::int64_t>(1, facts.jobs.value_or(1)));
}

bool is_unfinished(CellState state) {
  return state != CellState::done && state != CellState::failed;
}

}  // namespace

std::optional<Duration> work_left(const Campaign& campaign, const std::vector<CellStatus>& cells) {
  Pace live(1.0);
  Pace without_clock(std::nullopt);
  const auto pace_of = [&](const CellFacts& facts) -> Pace& {
    return is_live(facts) ? live : without_clock;
  };
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const CellFacts& facts = campaign.facts[i];
    const bool measured = cells[i].state == CellState::done && cells[i].wall.has_value();
    if (measured) pace_of(facts).learn(work_of(facts), *cells[i].wall);
  }
  double left = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (!is_unfinished(cells[i].state)) continue;
    const auto pace = pace_of(campaign.facts[i]).seconds_per_unit();
    if (!pace) return std::nullopt;
    const bool runs = cells[i].state == CellState::running;
    const double spent = runs ? to_seconds(cells[i].wall.value_or(Duration{})) : 0.0;
    left += std::max(0.0, *pace * work_of(campaign.facts[i]) - spent);
  }
  return from_seconds(left);
}

CampaignStatus read_status(const Campaign& campaign, const std::string& folder) {
  CampaignStatus out;
  out.folder = folder;
  const std::set<std::string> names = result_files_in(folder);
  int own_files = 0;
  for (const Cell& cell : campaign.cells) {
    CellStatus status = cell_progress(folder, cell);
    if (!status.file.empty()) ++own_files;
    const std::string old = status.file.empty() ? stale_file(names, cell) : "";
    if (!old.empty()) {
      status.state = CellState::stale;
      status.file = folder + "/" + old;
      status.detail = "a result of another configuration";
    }
    ++out.counts[status.state];
    out.cells.push_back(std::move(status));
  }
  out.other_files = std::max(0, static_cast<int>(names.size()) - own_files);
  out.time_left = work_left(campaign, out.cells);
  const auto running = out.counts.find(CellState::running);
  const int at_a_time = running == out.counts.end() ? 1 : running->second;
  if (out.time_left) out.time_left = *out.time_left / at_a_time;
  return out;
}

}  // namespace mimus::emulator
