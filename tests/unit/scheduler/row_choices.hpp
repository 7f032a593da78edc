// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

namespace mimus::scheduler::test {

// Choices with parameters, of which random rows are made.
inline constexpr const char* kInPlace = "{name: greedy, round: 9 s, resize: in_place}";
inline constexpr const char* kRankedBySize =
    "{name: ranked, round: 9 s, order: {name: sjf, skip: false}}";
inline constexpr const char* kRankedByService =
    "{name: ranked, round: 7 s, order: {name: las, limits: [50 s], quantum: 7 s, within: entry}}";
/// Thousands of plans are made. With the search's own number of genomes this would take minutes.
inline constexpr const char* kSmallSearch = "{name: search, population: 4, generations: 2}";
/// Jobs are measured every 7 s at most.
inline constexpr const char* kSoonPacked =
    "{name: lucid, limit: 15 s, interval: 5 s, light_load: 0, full_load: 0}";
inline constexpr const char* kSoonJoined =
    "{name: antman, idle: 10 s, interval: 3 s, opportunistic: 2, busy: 1.0, full: 1.0}";
inline constexpr const char* kManyLanes = "{name: salus, within: pack, residents: 3}";
inline constexpr const char* kShortestInLane = "{name: salus, within: srtf}";
inline constexpr const char* kSoonReclaimed =
    "{name: philly, rack_after: 5 s, any_after: 20 s, backoff: 7 s, reclaim_above: 0.5, "
    "defragment: 3 s, rest: 20 s}";
inline constexpr const char* kShortLeases =
    "{name: gavel, round: 9 s, renew: 5 s, objective: ftf, fill: least}";
inline constexpr const char* kShortMakespan =
    "{name: gavel, round: 7 s, renew: 0 s, objective: makespan, rates: none}";
inline constexpr const char* kOftenConfigured =
    "{name: sia, round: 9 s, p: 0.5, restart: 2 s, restart_of: {resnet50: 5 s}, most_gpus: 6}";
inline constexpr const char* kShortWindows =
    "{name: shockwave, round: 9 s, window: 3, renew: 2, late: 0.8}";
inline constexpr const char* kProbing = "{name: philly, probe_nodes: 1, probe_limit: 9 s}";
inline constexpr const char* kBorrowing =
    "{name: quota, gpus: {red: 3, blue: 5}, others: 6, borrow: true}";
inline constexpr const char* kByModel = "{name: affinity, by: model}";
inline constexpr const char* kSameGang = "{name: tenants, prefer: shared, same_gang: true}";
inline constexpr const char* kPairs =
    "{name: scores, utilisation: {resnet18: 0.4, resnet50: 0.55}}";
inline constexpr const char* kSoonReserved =
    "{name: fair_queues, queues: 2, batch: 2, look_ahead: 2, reserve_after: 40 s}";
inline constexpr const char* kSoonAsleep =
    "{name: ces, step: 20 s, boot: 5 s, history: 1, future: 1, drop: 0.1, future_drop: 0, least: "
    "1, "
    "buffer: 0, keep: 1, warm_up: 1, forecast: flat}";
/// Rounds are a minute long.
inline constexpr const char* kSoonSized =
    "{name: utility_band, low: 0.5, high: 0.7, window: 1, least_nodes: 1, boot: 5 s}";
inline constexpr const char* kSoonOut =
    "{name: retry, retries: 9, quarantine: {after: 1, for: 40 s}}";
inline constexpr const char* kSoonDrawn =
    "{name: robus, epoch: 9 s, objective: utilitarian, weights: {red: 2}}";
inline constexpr const char* kQuicklyRelaxed = "{name: relaxed, rack_after: 10 s, any_after: 30 s}";
inline constexpr const char* kSoonElsewhere =
    "{name: alternatives, high: [{types: [V100], within: island, alone: true, for: 5 s}, "
    "{types: [V100], for: 20 s}, {types: [T4]}], low: [{types: [T4], for: 10 s}, "
    "{types: [V100], idle_above: 0.3}], gang: 3}";

/// By the seam's name.
using Seams = std::map<std::string, std::vector<std::string>>;

/// All choices with their defaults, and those above.
[[nodiscard]] Seams all_choices();

}  // namespace mimus::scheduler::test
