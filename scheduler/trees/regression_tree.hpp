// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mimus::scheduler {

/// What is known of examples, by feature, and the order of the examples in each.
class Examples {
 public:
  /// `columns[f][i]` is feature f of example i.
  explicit Examples(std::vector<std::vector<double>> columns);

  using Index = std::uint32_t;
  [[nodiscard]] std::size_t features() const { return columns_.size(); }
  [[nodiscard]] double value(std::size_t feature, Index i) const { return columns_[feature][i]; }
  [[nodiscard]] const std::vector<std::vector<Index>>& orders() const { return orders_; }

 private:
  std::vector<std::vector<double>> columns_;
  std::vector<std::vector<Index>> orders_;  ///< by feature, ascending values, ties by example
};

struct TreeRules {
  int max_depth = 10;
  int min_leaf = 5;  ///< examples
};

/// A regression tree, CART (Breiman et al. 1984 §8.4): every split is the one on one feature that
/// lowers the sum of squared errors most, and a leaf predicts the mean of its examples. Of equal
/// splits the first feature's, at the lowest value, is taken. A value goes left when it is below
/// the middle of the two values that were parted.
class RegressionTree {
 public:
  /// At least one example, as many targets.
  RegressionTree(const Examples& examples, const std::vector<double>& targets, TreeRules rules);

  [[nodiscard]] double predict(std::span<const double> features) const;
  /// Sum over the examples of what the tree was grown from.
  [[nodiscard]] double squared_error() const { return squared_error_; }
  [[nodiscard]] std::size_t leaves() const { return (nodes_.size() + 1) / 2; }

 private:
  struct Node {
    double value = 0.0;  ///< predicted, or where it is parted
    std::size_t feature = 0;
    std::int32_t left = -1, right = -1;  ///< none for a leaf
  };
  class Grower;

  std::vector<Node> nodes_;  ///< the root first
  double squared_error_ = 0.0;
};

struct BoostingRules {
  int trees = 50;
  double rate = 0.1;  ///< by which each tree's part is shrunk
  TreeRules tree{.max_depth = 6, .min_leaf = 20};
};

/// Gradient boosting of regression trees for squared errors: each tree is fitted to what those
/// before it leave (Friedman 2001, algorithm 2, LS_Boost).
class BoostedTrees {
 public:
  BoostedTrees(const Examples& examples, std::vector<double> targets, BoostingRules rules);
  [[nodiscard]] double predict(std::span<const double> features) const;

 private:
  double mean_ = 0.0;
  double rate_;
  std::vector<RegressionTree> trees_;
};

}  // namespace mimus::scheduler
