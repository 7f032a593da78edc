// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/cli/watch/cell_progress.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "base/config_tree.hpp"
#include "base/quantity_text.hpp"

namespace mimus::emulator::cli {
namespace {

std::int64_t integer_at(const ConfigNode& config, std::string_view path) {
  const ConfigNode* node = find_path(config, path);
  return node == nullptr ? 1 : parse_integer(node->scalar).value_or(1);
}

/// Nodes that are alike.
void add_nodes(WatchedCell& cell, const ConfigNode& group) {
  const ConfigNode* gpu = group.find("gpu");
  const std::string type = gpu == nullptr ? "" : gpu->scalar;
  const std::int64_t nodes = integer_at(group, "nodes");
  const std::int64_t per_node = integer_at(group, "gpus_per_node");
  for (std::int64_t i = 0; i < nodes; ++i) cell.first_gpus.push_back(cell.gpus() + per_node);
  cell.gpu_types.resize(static_cast<std::size_t>(cell.nodes()), type);
  cell.gpus_by_type[type] += nodes * per_node;
  cell.most_per_node = std::max(cell.most_per_node, per_node);
  cell.hardware +=
      fmt::format("{}{} x {} {}", cell.hardware.empty() ? "" : " + ", nodes, per_node, type);
}

void add_hardware(WatchedCell& cell, const ConfigNode& config) {
  const ConfigNode* groups = find_path(config, "cluster.groups");
  if (groups == nullptr) {
    const ConfigNode* cluster = config.find("cluster");
    if (cluster != nullptr) add_nodes(cell, *cluster);
    return;
  }
  for (const ConfigNode& group : groups->items) add_nodes(cell, group);
}

WatchedCell read_cell_facts(const results::Reader& reader) {
  const ConfigNode config = parse_yaml(reader.resolved_config(), "provenance/config_yaml");
  WatchedCell cell;
  cell.campaign = reader.attribute("campaign");
  cell.cell = reader.attribute("cell");
  cell.label = reader.attribute("label");
  cell.policy = reader.attribute("policy");
  cell.engine = reader.attribute("engine");
  add_hardware(cell, config);
  cell.jobs = parse_integer(reader.attribute("jobs"));
  return cell;
}

/// Parses a text such as "gang 2, resnet50".
WaitingJob read_request(const results::EventRow& event) {
  WaitingJob job;
  job.since = event.time;
  std::istringstream text(event.detail);
  std::string word;
  text >> word >> job.gang;
  text.ignore(2, ' ');
  std::getline(text >> std::ws, job.model);
  return job;
}

/// Parses a list such as "GPUs 0-3 8". A final "+" means that the column was too short for the
/// rest.
std::vector<std::int64_t> read_gpus(const std::string& detail) {
  std::vector<std::int64_t> gpus;
  std::istringstream text(detail);
  std::string word;
  text >> word;
  while (text >> word) {
    const std::size_t dash = word.find('-');
    const auto first = parse_integer(word.substr(0, dash));
    const auto last = dash == std::string::npos ? first : parse_integer(word.substr(dash + 1));
    if (!first || !last) break;
    for (std::int64_t gpu = *first; gpu <= *last; ++gpu) gpus.push_back(gpu);
  }
  return gpus;
}

/// Parses a text such as "node 3".
std::optional<std::int64_t> read_node(const std::string& detail) {
  constexpr std::string_view kBefore = "node ";
  if (!detail.starts_with(kBefore)) return std::nullopt;
  return parse_integer(detail.substr(kBefore.size()));
}

}  // namespace

const std::string& WatchedCell::type_of(std::int64_t gpu) const {
  const auto behind = std::upper_bound(first_gpus.begin() + 1, first_gpus.end() - 1, gpu);
  return gpu_types.at(static_cast<std::size_t>(behind - first_gpus.begin() - 1));
}

CellProgress::CellProgress(const results::Reader& reader, bool grows)
    : cell_(read_cell_facts(reader)) {
  update(reader, grows);
}

void CellProgress::update(const results::Reader& reader, bool grows) {
  status_ = reader.attribute("status");
  status_reason_ = reader.attribute("status_reason");
  knows_jobs_ = reader.recorded("events");
  read_events(reader);
  read_steps(reader);
  read_jobs(reader);
  read_decisions(reader);
  if (status_ == "running" && !grows) {
    status_ = "interrupted";
    status_reason_ = "its writer has ended; mimus run resumes the campaign";
  }
  if (status_ != "running") stop();
}

/// In a cell that has stopped, no job runs or waits any more.
void CellProgress::stop() {
  cut_off_.merge(waiting_);
  for (const auto& [id, attempt] : running_) cut_off_[attempt.job] = requests_[attempt.job];
  waiting_.clear();
  running_.clear();
  marked_nodes_.clear();
}

void CellProgress::read_events(const results::Reader& reader) {
  const auto rows = reader.rows<results::EventRow>(events_);
  for (const results::EventRow& event : rows) take(event);
  events_ += rows.size();
}

void CellProgress::take(const results::EventRow& event) {
  see(event.time);
  if (event.kind == "job_arrived") {
    waiting_[event.job] = read_request(event);
  } else if (event.kind == "attempt_granted") {
    const WaitingJob request = waiting_[event.job];
    requests_[event.job] = request;
    waiting_.erase(event.job);
    WatchedAttempt& attempt = running_[event.attempt];
    attempt.job = event.job;
    attempt.model = request.model;
    attempt.gpus = read_gpus(event.detail);
    std::erase_if(attempt.gpus,
                  [this](std::int64_t gpu) { return gpu < 0 || gpu >= cell_.gpus(); });
    attempt.gang = std::max<std::int64_t>(1, static_cast<std::int64_t>(attempt.gpus.size()));
    if (event.detail.ends_with('+')) attempt.gang = std::max(attempt.gang, request.gang);
    std::erase_if(attempt.gpus,
                  [this](std::int64_t gpu) { return gpu < 0 || gpu >= cell_.gpus(); });
    attempt.begin = event.time;
  } else if (event.kind == "attempt_ended") {
    end_attempt(event);
  } else if (event.kind == "attempt_suspended" || event.kind == "attempt_resumed") {
    const auto found = running_.find(event.attempt);
    if (found == running_.end()) return;
    found->second.is_suspended = event.kind == "attempt_suspended";
  } else if (event.kind == "job_given_up") {
    waiting_.erase(event.job);
  } else if (event.kind.starts_with("node_")) {
    take_of_node(event);
  }
}

void CellProgress::take_of_node(const results::EventRow& event) {
  const auto node = read_node(event.detail);
  if (!node) return;
  std::set<NodeMark>& marks = marked_nodes_[*node];
  if (event.kind == "node_down") marks.insert(NodeMark::down);
  if (event.kind == "node_up") marks.erase(NodeMark::down);
  if (event.kind == "node_quarantined") marks.insert(NodeMark::quarantined);
  if (event.kind == "node_released") marks.erase(NodeMark::quarantined);
  if (event.kind == "node_on" || event.kind == "node_booting") marks.erase(NodeMark::asleep);
  if (event.kind == "node_on" || event.kind == "node_asleep") marks.erase(NodeMark::booting);
  if (event.kind == "node_asleep") marks.insert(NodeMark::asleep);
  if (event.kind == "node_booting") marks.insert(NodeMark::booting);
  if (marks.empty()) marked_nodes_.erase(*node);
}

/// A job whose attempt ended without finishing waits again, unless it is given up right afterwards.
void CellProgress::end_attempt(const results::EventRow& event) {
  running_.erase(event.attempt);
  const auto request = requests_.find(event.job);
  if (request == requests_.end()) return;
  if (event.detail != "finished") {
    waiting_[event.job] = request->second;
    waiting_[event.job].since = event.time;
  }
  requests_.erase(request);
}

void CellProgress::read_steps(const results::Reader& reader) {
  const auto rows = reader.rows<results::StepRow>(steps_);
  steps_ += rows.size();
  for (const results::StepRow& row : rows) {
    see(row.end);
    const auto found = running_.find(row.attempt);
    if (found == running_.end() || row.end <= row.begin) continue;
    WatchedAttempt& attempt = found->second;
    attempt.total_batch = row.total_batch;
    attempt.samples_per_second = row.progress_samples / (row.end - row.begin);
    if (row.samples > 0 && row.step_modelled > 0) {
      const double useful =
          static_cast<double>(row.steps) * row.step_modelled * row.progress_samples / row.samples;
      attempt.normalised = useful / (row.end - row.begin);
    }
  }
}

void CellProgress::read_jobs(const results::Reader& reader) {
  const auto rows = reader.rows<results::JobRow>(jobs_);
  jobs_ += rows.size();
  for (const results::JobRow& row : rows) {
    ++outcomes_[row.outcome];
    see(row.end);
    if (row.jct < 0) continue;
    jct_sum_ += row.jct;
    ++finished_;
  }
}

void CellProgress::read_decisions(const results::Reader& reader) {
  const auto decisions = reader.rows<results::DecisionRow>(decided_);
  decided_ += decisions.size();
  for (const results::DecisionRow& row : decisions) {
    see(row.time);
    if (row.actions == 0) continue;
    decisions_.push_back(row);
    if (decisions_.size() > kDecisions) decisions_.pop_front();
  }
  const auto intervals = reader.rows<results::UtilisationRow>(intervals_);
  intervals_ += intervals.size();
  if (!intervals.empty()) see(intervals.back().end);
}

GpusByType CellProgress::gpus_held() const {
  std::set<std::int64_t> named;  // a set, as tenants may share a GPU
  GpusByType held;
  for (const auto& [id, attempt] : running_) {
    named.insert(attempt.gpus.begin(), attempt.gpus.end());
    // GPUs beyond what the file could hold: gangs of several types are rare.
    const auto others = attempt.gang - static_cast<std::int64_t>(attempt.gpus.size());
    if (others > 0 && !attempt.gpus.empty()) held[cell_.type_of(attempt.gpus.front())] += others;
  }
  for (const std::int64_t gpu : named) ++held[cell_.type_of(gpu)];
  for (auto& [type, count] : held) count = std::min(count, cell_.gpus_by_type.at(type));
  return held;
}

std::optional<double> CellProgress::goodput() const {
  double useful = 0.0;
  bool known = false;
  for (const auto& [id, attempt] : running_) {
    if (!attempt.normalised) continue;
    known = true;
    useful += *attempt.normalised * static_cast<double>(attempt.gang);
  }
  const auto gpus = static_cast<double>(cell_.gpus());
  return known ? std::optional<double>(useful / gpus) : std::nullopt;
}

}  // namespace mimus::emulator::cli
