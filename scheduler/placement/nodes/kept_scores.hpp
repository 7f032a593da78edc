// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>
#include <vector>

#include "scheduler/jobs/placement_request.hpp"
#include "scheduler/placement/nodes/node_history.hpp"
#include "scheduler/placement/nodes/place_scores.hpp"

namespace mimus::scheduler {

/// The scores of a cluster's nodes for every recently used request. A repeated question costs the
/// nodes that have changed since.
class KeptScores {
 public:
  /// `place_of` gives each node its place among the scores. Both must outlive this object.
  KeptScores(const NodeHistory& history, const std::vector<int>& place_of)
      : history_(history), place_of_(place_of) {}

  /// Up to date; `score_of(node)` says what a node's score is now. Valid until the next question.
  template <class ScoreOf>
  [[nodiscard]] const PlaceScores& of(const PlacementRequest& request, ScoreOf&& score_of);

 private:
  struct Asked {
    PlacementRequest request;  ///< without its draw
    bool operator==(const Asked& other) const;
  };
  struct AskedHash {
    [[nodiscard]] std::size_t operator()(const Asked& asked) const noexcept;
  };
  struct Scores {
    explicit Scores(std::size_t places) : by_place(places) {}
    PlaceScores by_place;
    std::uint64_t seen = 0;  ///< changes of the nodes
  };
  /// Requests whose scores are kept; beyond that all are forgotten.
  static constexpr std::size_t kMostAsked = 4096;

  [[nodiscard]] std::size_t place(NodeId node) const {
    return static_cast<std::size_t>(place_of_[node.index()]);
  }
  const NodeHistory& history_;
  const std::vector<int>& place_of_;
  std::unordered_map<Asked, Scores, AskedHash> scores_;
};

template <class ScoreOf>
const PlaceScores& KeptScores::of(const PlacementRequest& request, ScoreOf&& score_of) {
  if (scores_.size() >= kMostAsked) scores_.clear();
  const auto [found, is_new] = scores_.try_emplace(Asked{request}, place_of_.size());
  Scores& scores = found->second;
  const auto score = [&](NodeId node) { scores.by_place.set(place(node), score_of(node)); };
  if (is_new) {
    for (std::size_t n = 0; n < place_of_.size(); ++n) score(NodeId{static_cast<std::int64_t>(n)});
  } else {
    history_.each_since(scores.seen, score);
  }
  scores.seen = history_.changes();
  return scores.by_place;
}

}  // namespace mimus::scheduler
