// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace mimus::scheduler {

/// Jobs that share GPUs of several types by time. Vectors over types are in the order of `gpus`.
/// Source: Gavel (Narayanan et al., OSDI'20 §4).
struct SharedTypes {
  /// A number of equal jobs; the decision is for each of them.
  struct Jobs {
    std::vector<double> rates;  ///< iterations/s on each type; 0: cannot run there
    int gang = 1;
    int count = 1;
    double weight = 1.0;      ///< of its share
    double remaining = 0.0;   ///< iterations
    double age = 0.0;         ///< since its arrival [s]
    double alone = 0.0;       ///< time that it would take on its share of the cluster [s]
    double least_rate = 0.0;  ///< that it has to have on average [iterations/s]
  };
  /// Two jobs with gangs of equal size that are on the same GPUs at the same time. The decision is
  /// for all pairs of one of the first and another one of the second jobs together.
  struct Pair {
    std::array<std::size_t, 2> jobs;
    std::array<std::vector<double>, 2> rates;  ///< of each beside the other
  };
  std::vector<double> gpus;  ///< of each type
  std::vector<Jobs> jobs;
  std::vector<Pair> pairs{};
};

/// Share of the time for which a job or pair is on GPUs of each type; jobs first. 0..1, but for
/// pairs of several jobs their sum.
using TimeFractions = std::vector<std::vector<double>>;

/// Mean iterations/s of job number `job`.
[[nodiscard]] double rate_of(const SharedTypes& shared, const TimeFractions& fractions,
                             std::size_t job);

/// Time that the rest of a job would take on an equal share of every type among `jobs` jobs
/// (Gavel's isolated share) [s].
[[nodiscard]] double time_alone(const SharedTypes& shared, const SharedTypes::Jobs& job, int jobs);

/// Which jobs get the time that an objective leaves over.
enum class Spare {
  any,      ///< any jobs, as the program happens to assign it
  least,    ///< the jobs that have least
  equal,    ///< all, in equal parts of GPUs; no other job has more than the objective needs
  interior  ///< all jobs and pairs, as interior-point methods assign it
};

/// The same time for every job, on types in proportion to their GPUs (Gandiva-Fair, Chaudhary et
/// al., EuroSys'20, without its trading).
[[nodiscard]] TimeFractions same_time(const SharedTypes& shared);

/// Maximises the least normalised rate of all jobs: gang × rate ÷ weight, over the rate that the
/// job would reach on all types for the time that is available on all GPUs. With Spare::least, time
/// that this leaves goes to the job with the next smallest rate, and so on (water filling).
[[nodiscard]] TimeFractions most_equal(const SharedTypes& shared, Spare fill);

/// Minimises the time until the last job has ended. With `precision` this time may be longer by
/// that share, as in the artifact, whose bisection of 100 to 10⁶ s stops at such a share.
/// Only Spare::equal differs from Spare::any.
[[nodiscard]] TimeFractions shortest_makespan(const SharedTypes& shared, Spare fill,
                                              double precision);

/// Minimises the largest finish-time fairness ρ = (age + remaining ÷ rate) ÷ alone. With
/// Spare::least, the least normalised rate is then maximised under this condition.
[[nodiscard]] TimeFractions fairest_finish(const SharedTypes& shared, Spare fill);

/// Maximises the sum of all rates, those on each type divided by its price. Least rates are kept if
/// this is possible; otherwise none is.
[[nodiscard]] TimeFractions most_work(const SharedTypes& shared, const std::vector<double>& prices);

}  // namespace mimus::scheduler
