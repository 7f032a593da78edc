// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "base/registry.hpp"
#include "scheduler/cluster/cluster.hpp"
#include "scheduler/jobs/job_view.hpp"

namespace mimus::scheduler {

/// A set of GPUs to offer to the placement choice.
enum class Tier {
  idle,      ///< without tenants
  shared,    ///< with tenants that the job may join
  tightest,  ///< shared GPUs with the least share left; one set for each share left
  any,       ///< idle and shared ones
  partner,   ///< all GPUs of a job that is alone on them, on one node, and has as many as are asked
             ///< for: one set for each such job that may be joined, by reluctance
};

/// What one replica needs of its GPU.
struct ReplicaNeed {
  Bytes memory{};
  MilliGpus share = kWholeGpu;
  const JobKind* kind = nullptr;  ///< null if the sharing choice does not distinguish jobs
  bool operator==(const ReplicaNeed&) const = default;
};

/// Decides which jobs may share a GPU.
class Sharing {
 public:
  virtual ~Sharing() = default;
  [[nodiscard]] virtual int max_tenants() const = 0;
  /// True if GPUs are divided: the shares of a GPU's tenants add up to at most one.
  [[nodiscard]] virtual bool divides() const { return false; }
  /// True if a replica gets no more of its GPU's time than its share.
  [[nodiscard]] virtual bool caps() const { return false; }
  /// The traits by which it decides which jobs may share; needs and tenants then contain their
  /// kind.
  [[nodiscard]] virtual KindTraits kind_traits() const { return {}; }
  /// Sets of GPUs that are offered to a gang, one after the other until it fits into one.
  [[nodiscard]] virtual std::span<const Tier> tiers(int gang, MilliGpus share) const = 0;
  /// Whether a replica with this need may join the tenants of this GPU of `capacity` bytes (zero:
  /// not stated). Called only for GPUs with a tenant, a free lane and no replica of the same job.
  [[nodiscard]] virtual bool admits(const GpuState& gpu, const ReplicaNeed& need,
                                    Bytes capacity) const = 0;
  /// The score of a GPU of `capacity` bytes with its tenants, if any, for a replica with this need,
  /// which admits() allows: GPUs of a node with the least of this are taken first, and so are
  /// partners. Random placement draws.
  [[nodiscard]] virtual std::int64_t reluctance(const GpuState& gpu, const ReplicaNeed& need,
                                                Bytes capacity) const;
};

[[nodiscard]] const Registry<Sharing>& sharing_choices();

}  // namespace mimus::scheduler
