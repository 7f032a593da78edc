// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/config_tree.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"
#include "base/units.hpp"
#include "kernels/footprint/gpu_spec.hpp"
#include "kernels/launch/launch_options.hpp"
#include "results/totals/measured_window.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace mimus::emulator {

/// One planned outage: the node is down in [down, up).
struct Outage {
  NodeId node;
  Instant down{};
  Instant up{};
};

/// Nodes that fail at random, independently of each other: `cluster.node_failures`.
struct NodeFailures {
  Duration between{};         ///< mean time for which a node is up
  double shape = 1.0;         ///< shape of its Weibull distribution; 1: constant hazard
  Duration repair{};          ///< mean
  double repair_sigma = 0.0;  ///< lognormal spread; 0: all repairs are equally long
  /// Share of the failures in which the node does not go down: until the repair is over, attempts
  /// on it fail again and again.
  double faulty = 0.0;
  Duration between_faults = std::chrono::minutes(10);  ///< mean time between these
};

/// Common properties of the nodes of one GPU type.
struct MachineConfig {
  kernels::GpuSpec gpu;            ///< its links within a node may be those of the group
  kernels::LinkRate network;       ///< one node's uplink
  kernels::LinkRate rack_network;  ///< between racks, per node
};

/// The `cluster.data:` mapping: how jobs read their data sets. If nothing is stated, reading takes
/// no time.
struct DataConfig {
  std::optional<BytesPerSecond> storage;    ///< shared by all nodes
  std::optional<BytesPerSecond> node_link;  ///< from a node to the storage
  std::optional<Bytes> cache;               ///< in the memory of all nodes together
  [[nodiscard]] bool is_stated() const { return storage || node_link || cache; }
};

/// The `cluster:` mapping. Links that it does not state are those of the machine type.
struct ClusterConfig {
  scheduler::ClusterShape shape;  ///< lanes_per_gpu is filled from the policy by the runner
  kernels::GpuSpec gpu;       ///< the machine type; its links within a node may be the mapping's
  kernels::LinkRate network;  ///< one node's uplink
  kernels::LinkRate rack_network;  ///< between racks, per node; equals `network` when not given
  /// By number of the GPU type, if there are several: the three members above are those of the
  /// first.
  std::vector<MachineConfig> machines;
  Duration network_latency{};  ///< one way, node to node
  BytesPerSecond storage{};    ///< checkpoint bandwidth per node
  DataConfig data;
  std::map<std::string, double> price_per_gpu_hour;  ///< by GPU type; empty: not stated
  std::vector<Outage> outages;                       ///< by time, then by node
  std::optional<NodeFailures> node_failures;

  [[nodiscard]] const kernels::GpuSpec& gpu_of_type(int type) const {
    return machines.empty() ? gpu : machines[static_cast<std::size_t>(type)].gpu;
  }
  [[nodiscard]] const kernels::GpuSpec& gpu_of(GpuId id) const {
    return machines.empty() ? gpu : gpu_of_type(shape.type_of(id));
  }
  /// By number of the GPU type.
  [[nodiscard]] std::vector<std::optional<kernels::PowerDraw>> draws() const;
  /// Per GPU hour, likewise; empty where they are not stated.
  [[nodiscard]] std::vector<double> prices() const;
  [[nodiscard]] const kernels::LinkRate& network_of_type(int type) const {
    return machines.empty() ? network : machines[static_cast<std::size_t>(type)].network;
  }
  [[nodiscard]] const kernels::LinkRate& rack_network_of_type(int type) const {
    return machines.empty() ? rack_network : machines[static_cast<std::size_t>(type)].rack_network;
  }
};

/// The rates of its links, for results and for baselines that are kept for later runs.
[[nodiscard]] std::string links_text(const ClusterConfig& cluster);

/// Costs of starting and ending attempts in the virtual engine. Without a value the model's own
/// cost is used: its start-up time, and its state over the node's storage bandwidth.
struct TransitionCosts {
  std::optional<Duration> start;             ///< of every attempt
  std::map<std::string, Duration> start_of;  ///< by model, replaces `start`
  std::optional<Duration> checkpoint;        ///< of ending an attempt that will continue later
  std::optional<Duration> restore;           ///< of one that continues, in addition to `start`
  std::optional<Duration> migrate;           ///< replaces both if it continues on other GPUs
  std::optional<Duration> resize;            ///< replaces both for more or fewer GPUs
  std::optional<Duration> resume;            ///< of one that was suspended
  std::optional<Duration> move;              ///< of one that is moved without a restart
};

/// The `engine.cuda:` mapping: how live cells use CUDA devices.
struct CudaConfig {
  enum class Sharing { time_slice, mps };
  kernels::LaunchOptions launches;
  bool graphs = false;                 ///< a step is captured once and replayed
  bool measures_convolutions = false;  ///< algorithms are tried on the device
  std::optional<Duration> launch_gap;  ///< none: that of the cluster's GPU type
  std::optional<int> gpus_per_device;  ///< of the cluster; none: as many as necessary
  Sharing sharing = Sharing::time_slice;
  int mps_threads = 100;            ///< percent of the multiprocessors that a tenant may use
  std::optional<Bytes> mps_memory;  ///< maximum device memory of a tenant
  int nccl_ctas = 0;                ///< maximum thread blocks of a collective; 0: NCCL's choice
  bool nccl_estimates = false;      ///< NCCL's own times are recorded beside the measured ones
  Duration kernel_trace{};          ///< wall time of each attempt in which kernels are traced

  bool operator==(const CudaConfig&) const = default;
};

/// The `engine:` mapping.
struct EngineConfig {
  enum class Kind { live, virtual_time };
  enum class Pace { datasheet, none };  ///< paced to the stated GPU, or the cores are the device
  Kind kind = Kind::live;
  /// Decisions are made only at multiples of this; zero: at every event.
  Duration round{};
  std::optional<Duration> until;                      ///< the cell ends then
  bool until_last_arrival = false;                    ///< it ends when the last job has arrived
  std::optional<results::MeasuredWindow> until_jobs;  ///< it ends when these jobs have ended
  std::string profile;  ///< of mimus calibrate, for estimates of step times; "": none

  // live
  Pace pace = Pace::datasheet;
  std::string device = "cpu";      ///< cpu | cuda
  std::string collective = "mpi";  ///< mpi | nccl | ring
  CudaConfig cuda;
  double time_scale = 1.0;  ///< emulated seconds per second of the pace clock
  /// Whether the pace clock runs with the wall clock, or as fast as the host allows.
  enum class Clock { wall, unbound };
  Clock clock = Clock::wall;
  Duration min_step_wall{};  ///< shorter steps are run several at a time (see docs/validity.md)
  double host_load = 0.4;    ///< share of the host's cores that paced work may use
  Duration stage_timeout{};  ///< wall time that any wait may take
  enum class OnLostRank {
    as_launched,  ///< continue where the launcher does not end all ranks
    stop,
    go_on
  };
  OnLostRank on_lost_rank = OnLostRank::as_launched;
  [[nodiscard]] bool on_cuda() const { return device == "cuda"; }

  // virtual
  enum class Replay { none, pollux_artifact, gavel, shockwave };
  /// Whether a simulator is replayed whose rounds end when all leases have ended.
  [[nodiscard]] bool replays_leases() const {
    return replay == Replay::gavel || replay == Replay::shockwave;
  }
  Replay replay = Replay::none;               ///< another program's simulator, with its rounding
  Duration replayed_round{};                  ///< length of the simulator's rounds
  std::optional<double> replay_interference;  ///< see PolluxReplayEngine::Settings
  ConfigNode step_time;                       ///< choice of StepTimeModel
  /// Whether input pipelines of jobs on one node slow each other: a key of step_time that live
  /// cells on emulated devices follow as well.
  [[nodiscard]] bool shares_hosts() const {
    const ConfigNode* key = step_time.find("shares_hosts");
    return key == nullptr || key->scalar != "false";
  }
  ConfigNode interference;  ///< choice of SharingLaw
  TransitionCosts costs;
  /// Emulated time between progress reports; zero: one at the end. Without a value it follows from
  /// the policy and the record.
  std::optional<Duration> report_every;
};

}  // namespace mimus::emulator
