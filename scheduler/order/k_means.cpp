// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/order/k_means.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace mimus::scheduler {
namespace {

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t d = 0; d < a.size(); ++d) sum += std::abs(a[d] - b[d]);
  return sum;
}

struct Nearest {
  int centre = 0;
  double distance = std::numeric_limits<double>::infinity();
};

Nearest nearest(const std::vector<double>& point, const Points& centres) {
  Nearest best;
  for (std::size_t c = 0; c < centres.size(); ++c) {
    const double d = distance(point, centres[c]);
    if (d < best.distance) best = {static_cast<int>(c), d};
  }
  return best;
}

Points first_centres(const Points& points, int k) {
  Points centres{points.front()};
  while (static_cast<int>(centres.size()) < k) {
    const std::vector<double>* furthest = nullptr;
    double most = 0.0;
    for (const auto& point : points) {
      const double d = nearest(point, centres).distance;
      if (d <= most) continue;
      most = d;
      furthest = &point;
    }
    if (furthest == nullptr) break;
    centres.push_back(*furthest);
  }
  return centres;
}

/// Each centre to the mean of its points; one without points stays.
void move_centres(const Points& points, const std::vector<int>& clusters, Points& centres) {
  Points sums(centres.size(), std::vector<double>(points.front().size(), 0.0));
  std::vector<int> counts(centres.size(), 0);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto c = static_cast<std::size_t>(clusters[i]);
    ++counts[c];
    for (std::size_t d = 0; d < sums[c].size(); ++d) sums[c][d] += points[i][d];
  }
  for (std::size_t c = 0; c < centres.size(); ++c) {
    if (counts[c] == 0) continue;
    for (double& sum : sums[c]) sum /= counts[c];
    centres[c] = std::move(sums[c]);
  }
}

}  // namespace

Points standardised(Points points) {
  if (points.empty()) return points;
  const auto n = static_cast<double>(points.size());
  for (std::size_t d = 0; d < points.front().size(); ++d) {
    double mean = 0.0, squares = 0.0;
    for (const auto& point : points) mean += point[d] / n;
    for (const auto& point : points) squares += (point[d] - mean) * (point[d] - mean) / n;
    const double deviation = std::sqrt(squares);
    for (auto& point : points) point[d] = deviation > 0.0 ? (point[d] - mean) / deviation : 0.0;
  }
  return points;
}

std::vector<int> k_means(const Points& points, int k, int most) {
  std::vector<int> clusters(points.size(), 0);
  if (points.empty()) return clusters;
  Points centres = first_centres(points, k);
  for (int round = 0; round < most; ++round) {
    bool moved = round == 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const int now = nearest(points[i], centres).centre;
      moved |= now != clusters[i];
      clusters[i] = now;
    }
    if (!moved) break;
    move_centres(points, clusters, centres);
  }
  return clusters;
}

}  // namespace mimus::scheduler
