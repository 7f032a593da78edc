// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace mimus::scheduler {

/// Jobs that are to share GPUs of several types by time. Vectors over types are in the order of
/// `gpus`. Source: Gavel (Narayanan et al., OSDI'20 §4).
struct SharedTypes {
  /// So many jobs that are alike: what is decided is for each of them.
  struct Jobs {
    std::vector<double> rates;  ///< iterations/s on each type; 0: cannot run there
    int gang = 1;
    int count = 1;            ///< more than one only where no job is in a pair
    double weight = 1.0;      ///< of its share
    double remaining = 0.0;   ///< iterations
    double age = 0.0;         ///< since it came [s]
    double alone = 0.0;       ///< time that it would take on its part of the cluster [s]
    double least_rate = 0.0;  ///< that it has to have on average [iterations/s]
  };
  /// Two jobs with gangs of one size that are on the same GPUs at the same time.
  struct Pair {
    std::array<std::size_t, 2> jobs;
    std::array<std::vector<double>, 2> rates;  ///< of each beside the other
  };
  std::vector<double> gpus;  ///< of each type
  std::vector<Jobs> jobs;
  std::vector<Pair> pairs{};
};

/// Share of the time, 0..1, for which a job or pair is on GPUs of each type; jobs first.
using TimeFractions = std::vector<std::vector<double>>;

/// Iterations/s that job number `job` has on average.
[[nodiscard]] double rate_of(const SharedTypes& shared, const TimeFractions& fractions,
                             std::size_t job);

/// Time that a job would take that had its part of every type, in which `jobs` jobs share it, for
/// what remains of it (Gavel's isolated share) [s].
[[nodiscard]] double time_alone(const SharedTypes& shared, const SharedTypes::Jobs& job, int jobs);

/// Who has the time that an objective leaves.
enum class Spare {
  any,    ///< whom the program gives it
  least,  ///< those who have least of it
  equal   ///< all, in equal parts of GPUs; no other job has more than the objective needs
};

/// Every job as much of the time as every other, on types in proportion to their GPUs
/// (Gandiva-Fair, Chaudhary et al., EuroSys'20, without its trading).
[[nodiscard]] TimeFractions same_time(const SharedTypes& shared);

/// The least normalised rate of all jobs as large as can be: gang × rate ÷ weight, over what the
/// job would make on all types for as much of the time as they have of all GPUs. With Spare::least,
/// what this leaves goes to the job with the next smallest rate, and so on (water filling).
[[nodiscard]] TimeFractions most_equal(const SharedTypes& shared, Spare fill);

/// The time until the last job has made what remains of it, as short as can be. With `precision`,
/// it may be longer by that share, as where the artifact's bisection of 100 to 10⁶ s stops.
/// Spare::least is as Spare::any.
[[nodiscard]] TimeFractions shortest_makespan(const SharedTypes& shared, Spare fill,
                                              double precision);

/// The largest finish-time fairness ρ = (age + remaining ÷ rate) ÷ alone as small as can be. With
/// Spare::least, the least normalised rate is then as large as that allows.
[[nodiscard]] TimeFractions fairest_finish(const SharedTypes& shared, Spare fill);

/// The sum of all rates, those on each type divided by its price, as large as can be. Least rates
/// are kept, unless that is impossible: then none is.
[[nodiscard]] TimeFractions most_work(const SharedTypes& shared, const std::vector<double>& prices);

}  // namespace mimus::scheduler
