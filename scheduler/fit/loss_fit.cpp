// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/fit/loss_fit.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <tuple>
#include <utility>

#include "base/error.hpp"

namespace mimus::scheduler {
namespace {

/// Weighted sums over the points, with the values of a basis g of which the loss is drop·g + floor.
struct Sums {
  double weight = 0.0;
  double g = 0.0, gg = 0.0;
  double loss = 0.0, squared = 0.0;
  double g_loss = 0.0;

  void add(const LossPoint& point, double basis) {
    weight += point.weight;
    g += point.weight * basis;
    gg += point.weight * basis * basis;
    loss += point.weight * point.loss;
    squared += point.weight * point.loss * point.loss;
    g_loss += point.weight * basis * point.loss;
  }
  [[nodiscard]] double variance() const { return squared - loss * loss / weight; }
};

struct Linear {
  double drop = 0.0;
  double floor = 0.0;
  double error = 0.0;  ///< weighted sum of squares
};

Linear with_error(const Sums& sums, double drop, double floor) {
  const double error = sums.squared + drop * drop * sums.gg + floor * floor * sums.weight +
                       2.0 * (drop * floor * sums.g - drop * sums.g_loss - floor * sums.loss);
  return {drop, floor, std::max(error, 0.0)};
}

/// The least squares for drop, floor >= 0: inside, or on the better of the two edges.
Linear least_squares(const Sums& sums) {
  const double determinant = sums.weight * sums.gg - sums.g * sums.g;
  if (determinant > 1e-12 * sums.weight * sums.gg) {
    const double drop = (sums.weight * sums.g_loss - sums.g * sums.loss) / determinant;
    const double floor = (sums.loss - drop * sums.g) / sums.weight;
    if (drop >= 0.0 && floor >= 0.0) return with_error(sums, drop, floor);
  }
  const Linear flat = with_error(sums, 0.0, std::max(sums.loss / sums.weight, 0.0));
  if (sums.gg <= 0.0) return flat;
  const Linear to_zero = with_error(sums, std::max(sums.g_loss / sums.gg, 0.0), 0.0);
  return to_zero.error < flat.error ? to_zero : flat;
}

/// The least of f over a grid of `parts` parts of [low, high], refined around its best point to so
/// many bits.
template <class F>
std::pair<double, double> least_of(const F& f, double low, double high, int parts, int bits) {
  const double width = (high - low) / parts;
  double best = low;
  double value = f(low);
  for (int i = 1; i <= parts; ++i) {
    const double here = f(low + i * width);
    if (here < value) std::tie(best, value) = std::pair(low + i * width, here);
  }
  const auto refined = boost::math::tools::brent_find_minima(f, std::max(low, best - width),
                                                             std::min(high, best + width), bits);
  return refined.second < value ? refined : std::pair(best, value);
}

/// Losses over samples in units of the last one, so that the range of rates is the same for all.
class Points {
 public:
  explicit Points(std::span<const LossPoint> points) : points_(points) {
    ensure(!points.empty(), "a loss is fitted to at least one point");
    for (const LossPoint& point : points) unit_ = std::max(unit_, point.samples);
  }
  [[nodiscard]] double unit() const { return unit_; }

  template <class Basis>
  [[nodiscard]] Sums sums(const Basis& basis) const {
    Sums sums;
    for (const LossPoint& point : points_) sums.add(point, basis(point.samples / unit_));
    return sums;
  }
  /// The best rate of a basis g(rate, x), as the exponent of ten, and its error.
  template <class Basis>
  [[nodiscard]] std::pair<double, double> best_rate(const Basis& basis) const {
    constexpr double kSlowest = -3.0;
    constexpr double kFastest = 4.0;
    constexpr int kParts = 14;
    constexpr int kBits = 14;
    const auto error = [&](double exponent) {
      const double rate = std::pow(10.0, exponent);
      return least_squares(sums([&](double x) { return basis(rate, x); })).error;
    };
    return least_of(error, kSlowest, kFastest, kParts, kBits);
  }

 private:
  std::span<const LossPoint> points_;
  double unit_ = 0.0;
};

FittedLoss fitted(LossModel model, const Sums& sums) {
  const Linear linear = least_squares(sums);
  model.drop = linear.drop;
  model.floor = linear.floor;
  const double variance = sums.variance();
  return {model, variance > 0.0 ? std::clamp(1.0 - linear.error / variance, 0.0, 1.0) : 0.0};
}

/// `bent`: the part of the quadratic term in the denominator.
FittedLoss reciprocal(const Points& points, double bent, double rate) {
  const auto basis = [&](double x) { return 1.0 / (1.0 + rate * x * (1.0 - bent + bent * x)); };
  LossModel model;
  model.rate = rate * (1.0 - bent) / points.unit();
  model.square = rate * bent / (points.unit() * points.unit());
  return fitted(model, points.sums(basis));
}

auto reciprocal_of(double bent) {
  return [bent](double rate, double x) { return 1.0 / (1.0 + rate * x * (1.0 - bent + bent * x)); };
}

}  // namespace

FittedLoss fit_reciprocal_loss(std::span<const LossPoint> of) {
  const Points points(of);
  return reciprocal(points, 0.0, std::pow(10.0, points.best_rate(reciprocal_of(0.0)).first));
}

FittedLoss fit_square_loss(std::span<const LossPoint> of) {
  constexpr int kParts = 2;
  constexpr int kBits = 14;
  const Points points(of);
  const auto error = [&](double bent) { return points.best_rate(reciprocal_of(bent)).second; };
  const double bent = least_of(error, 0.0, 1.0, kParts, kBits).first;
  return reciprocal(points, bent, std::pow(10.0, points.best_rate(reciprocal_of(bent)).first));
}

FittedLoss fit_exponential_loss(std::span<const LossPoint> of) {
  const Points points(of);
  const auto basis = [](double rate, double x) { return std::exp(-rate * x); };
  const double rate = std::pow(10.0, points.best_rate(basis).first);
  LossModel model;
  model.form = LossModel::Form::exponential;
  model.rate = rate / points.unit();
  return fitted(model, points.sums([&](double x) { return basis(rate, x); }));
}

FittedLoss fit_loss_line(std::span<const LossPoint> of) {
  const Points points(of);
  // drop·(1 − x) + floor, so that a line that does not rise has both >= 0 up to the last point.
  FittedLoss line = fitted({}, points.sums([](double x) { return 1.0 - x; }));
  line.model.form = LossModel::Form::line;
  line.model.rate = line.model.drop / points.unit();
  line.model.drop += std::exchange(line.model.floor, 0.0);
  return line;
}

}  // namespace mimus::scheduler
