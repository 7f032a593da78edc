// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/trees/regression_tree.hpp"

#include <algorithm>
#include <numeric>

namespace mimus::scheduler {

Examples::Examples(std::vector<std::vector<double>> columns) : columns_(std::move(columns)) {
  for (const std::vector<double>& column : columns_) {
    std::vector<Index>& order = orders_.emplace_back(column.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return column[a] < column[b]; });
  }
}

class RegressionTree::Grower {
 public:
  Grower(RegressionTree& tree, const Examples& examples, const std::vector<double>& targets,
         TreeRules rules)
      : tree_(tree),
        examples_(examples),
        targets_(targets),
        rules_(rules),
        orders_(examples.orders()),
        goes_left_(targets.size()) {}

  /// Grows the subtree for the examples at [begin, end) of every order. Returns its root.
  std::int32_t grow(std::size_t begin, std::size_t end, int depth) {
    const auto node = static_cast<std::int32_t>(tree_.nodes_.size());
    tree_.nodes_.emplace_back();
    const Split split = depth < rules_.max_depth ? best_split(begin, end) : Split{};
    if (split.left == 0) {
      make_leaf(tree_.nodes_.back(), begin, end);
      return node;
    }
    part(split, begin, end);
    const std::int32_t left = grow(begin, begin + split.left, depth + 1);
    const std::int32_t right = grow(begin + split.left, end, depth + 1);
    tree_.nodes_[static_cast<std::size_t>(node)] = {split.threshold, split.feature, left, right};
    return node;
  }

 private:
  struct Split {
    std::size_t feature = 0;
    std::size_t left = 0;  ///< examples below the threshold; 0 means that no split is worth it
    double threshold = 0.0;
    double gain = 0.0;  ///< reduction of the sum of squared errors
  };

  /// Sums are taken of differences from `mean` to reduce cancellation.
  [[nodiscard]] double mean_of(std::size_t begin, std::size_t end) const {
    double sum = 0.0;
    for (std::size_t i = begin; i < end; ++i) sum += targets_[orders_[0][i]];
    return sum / static_cast<double>(end - begin);
  }

  void make_leaf(Node& leaf, std::size_t begin, std::size_t end) {
    leaf.value = mean_of(begin, end);
    for (std::size_t i = begin; i < end; ++i) {
      const double error = targets_[orders_[0][i]] - leaf.value;
      tree_.squared_error_ += error * error;
    }
  }

  [[nodiscard]] Split best_split(std::size_t begin, std::size_t end) const {
    Split best;
    const auto least = static_cast<std::size_t>(rules_.min_leaf);
    if (end - begin < 2 * least) return best;
    const double mean = mean_of(begin, end);
    double squares = 0.0;
    for (std::size_t i = begin; i < end; ++i) {
      const double difference = targets_[orders_[0][i]] - mean;
      squares += difference * difference;
    }
    best.gain = 1e-12 * squares;  // smaller gains are rounding errors
    for (std::size_t f = 0; f < examples_.features(); ++f) {
      look_at(f, begin, end, mean, best);
    }
    return best;
  }

  void look_at(std::size_t feature, std::size_t begin, std::size_t end, double mean,
               Split& best) const {
    const std::vector<Examples::Index>& order = orders_[feature];
    const auto least = static_cast<std::size_t>(rules_.min_leaf);
    double sum = 0.0;  // the sum over all examples is 0
    for (std::size_t i = begin; i + least < end; ++i) {
      sum += targets_[order[i]] - mean;
      const std::size_t left = i + 1 - begin;
      const double here = examples_.value(feature, order[i]);
      const double next = examples_.value(feature, order[i + 1]);
      if (left < least || here == next) continue;
      const double gain = sum * sum / static_cast<double>(left) +
                          sum * sum / static_cast<double>(end - begin - left);
      if (gain > best.gain) best = {feature, left, here + (next - here) / 2.0, gain};
    }
  }

  /// Moves the examples of the left part to the front of every order. Both parts stay sorted.
  void part(const Split& split, std::size_t begin, std::size_t end) {
    const std::vector<Examples::Index>& by = orders_[split.feature];
    for (std::size_t i = begin; i < end; ++i) goes_left_[by[i]] = i < begin + split.left;
    for (std::vector<Examples::Index>& order : orders_) {
      std::stable_partition(order.begin() + static_cast<std::ptrdiff_t>(begin),
                            order.begin() + static_cast<std::ptrdiff_t>(end),
                            [&](Examples::Index i) { return goes_left_[i]; });
    }
  }

  RegressionTree& tree_;
  const Examples& examples_;
  const std::vector<double>& targets_;
  TreeRules rules_;
  std::vector<std::vector<Examples::Index>> orders_;
  std::vector<bool> goes_left_;
};

RegressionTree::RegressionTree(const Examples& examples, const std::vector<double>& targets,
                               TreeRules rules) {
  Grower(*this, examples, targets, rules).grow(0, targets.size(), 0);
}

double RegressionTree::predict(std::span<const double> features) const {
  const Node* node = nodes_.data();
  while (node->left >= 0) {
    const bool left = features[node->feature] < node->value;
    node = &nodes_[static_cast<std::size_t>(left ? node->left : node->right)];
  }
  return node->value;
}

BoostedTrees::BoostedTrees(const Examples& examples, std::vector<double> targets,
                           BoostingRules rules)
    : rate_(rules.rate) {
  std::vector<std::vector<double>> rows(targets.size());
  for (std::size_t i = 0; i < targets.size(); ++i) {
    mean_ += targets[i] / static_cast<double>(targets.size());
    for (std::size_t f = 0; f < examples.features(); ++f) {
      rows[i].push_back(examples.value(f, static_cast<Examples::Index>(i)));
    }
  }
  for (double& target : targets) target -= mean_;
  for (int i = 0; i < rules.trees; ++i) {
    const RegressionTree& tree = trees_.emplace_back(examples, targets, rules.tree);
    for (std::size_t k = 0; k < rows.size(); ++k) targets[k] -= rate_ * tree.predict(rows[k]);
  }
}

double BoostedTrees::predict(std::span<const double> features) const {
  double sum = mean_;
  for (const RegressionTree& tree : trees_) sum += rate_ * tree.predict(features);
  return sum;
}

}  // namespace mimus::scheduler
