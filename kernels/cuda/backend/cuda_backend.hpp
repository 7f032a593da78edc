// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "base/units.hpp"
#include "kernels/all_reduce_timing.hpp"
#include "kernels/collective.hpp"
#include "kernels/cuda/backend/host_reduce.hpp"
#include "kernels/device.hpp"
#include "kernels/pacing/ledger.hpp"

namespace mimus::kernels {

/// Versions compiled against and found at run time, as "13.0"; empty if a library was left out or
/// is absent.
struct CudaVersions {
  std::string toolkit;  ///< headers of the CUDA runtime
  std::string runtime;
  std::string driver;  ///< newest CUDA that the driver serves
  std::string cublas;
  std::string cudnn;
  std::string nccl_header;
  std::string nccl;
  int nccl_number = 0;        ///< the same as NCCL counts: 22809 for 2.28.9
  std::string convolutions;   ///< what computes them: "cuDNN" or "cuBLASLt products"
  std::string architectures;  ///< compiled for, e.g. "75;80;86;89;90"
};

/// A CUDA device as this process sees it.
struct CudaDeviceInfo {
  int ordinal = 0;
  std::string name;
  std::string pci_bus_id;
  int compute_major = 0;
  int compute_minor = 0;
  int multiprocessors = 0;
  Bytes memory{};
  Bytes l2_cache{};
};

/// How a replica uses a CUDA device.
struct CudaDeviceOptions {
  int ordinal = 0;
  int gpu = 0;            ///< index in the ledger
  bool graphs = false;    ///< a step is captured once and replayed, instead of launched eagerly
  Duration launch_gap{};  ///< least host time per eager launch; frameworks take microseconds
  bool measures_convolutions = false;  ///< algorithms are tried, instead of chosen by heuristics
  Duration kernel_trace{};  ///< kernels are traced for this much wall time; zero for none
};

/// The id by which the members of a gang find each other.
using NcclId = std::array<std::byte, 128>;

struct NcclOptions {
  int rank = 0;
  int size = 1;
  NcclId id{};
  int device = 0;
  Duration deadline{};  ///< for set-up and for every operation; PeerLostError after it
  int most_ctas = 0;    ///< thread blocks of one operation; 0 for NCCL's own choice
  /// Asks NCCL for its estimate of each operation, through a second communicator.
  bool estimates = false;
  /// Its other members existed before and grow their communicator; see GangResize.
  bool joins = false;
};

/// The new form of a gang, for its members that stay.
struct GangResize {
  std::vector<int> leaving;  ///< present ranks that leave; they do not take part
  int size = 0;              ///< members afterwards
  int rank = 0;              ///< of this member afterwards: present ranks keep their order, new
                             ///< members come behind them
  NcclId id{};               ///< from nccl_resize_id() of the first rank that stays
  bool after_error = false;  ///< operations may hang: end them first
};

/// Replaces NCCL on a machine with one GPU: the ring's copies and sums on the device, paced to a
/// link. The load of the device is real, that of links is emulated.
struct RingOptions {
  int rank = 0;
  int size = 1;
  int device = 0;
  GangLink link;
  int ctas = 0;  ///< thread blocks that a ring step occupies; 0 for 2
};

/// Gradients that pass through host memory, for GPUs without NCCL.
struct StagedOptions {
  int rank = 0;
  int size = 1;
  int device = 0;
  Duration deadline{};  ///< PeerLostError after it
};

/// Everything that needs CUDA's libraries, behind one interface. It is in a module that is loaded
/// when a CUDA device is first asked for, because loading cuBLAS and NCCL takes longer than many a
/// virtual run, and machines without them can run everything else.
class CudaBackend {
 public:
  CudaBackend() = default;
  CudaBackend(const CudaBackend&) = delete;
  CudaBackend& operator=(const CudaBackend&) = delete;
  virtual ~CudaBackend() = default;

  [[nodiscard]] virtual CudaVersions versions() const = 0;
  /// Throws EnvironmentError with the driver's own reason if there is none.
  [[nodiscard]] virtual std::vector<CudaDeviceInfo> devices() const = 0;
  /// Ends what this process has on its current device, because an MPS daemon waits for that when it
  /// stops. No device or collective may be left.
  virtual void leave_device() const noexcept = 0;
  /// A replica's device. `ledger` outlives it.
  [[nodiscard]] virtual std::unique_ptr<Device> make_device(
      Ledger& ledger, const CudaDeviceOptions& options) const = 0;

  /// NotCompiledError in a build without NCCL.
  [[nodiscard]] virtual NcclId make_nccl_id() const = 0;
  [[nodiscard]] virtual std::unique_ptr<Collective> make_nccl_collective(
      const NcclOptions& options) const = 0;
  /// For the first rank that stays, before a resize of a collective of make_nccl_collective().
  [[nodiscard]] virtual NcclId nccl_resize_id(Collective& collective,
                                              const GangResize& resize) const = 0;
  /// For all members that stay, with nothing under way. New members make theirs with
  /// NcclOptions::joins.
  virtual void resize_nccl_collective(Collective& collective, const GangResize& resize) const = 0;
  [[nodiscard]] virtual std::unique_ptr<Collective> make_ring_collective(
      const RingOptions& options) const = 0;
  /// `host` moves the data that has arrived there between the members.
  [[nodiscard]] virtual std::unique_ptr<Collective> make_staged_collective(
      const StagedOptions& options, std::unique_ptr<HostReduce> host) const = 0;
  /// time_all_reduces() of one of the above, in fp32 on `device`, as the device times them; and a
  /// description of the collective for people. PeerLostError when a member is gone or the deadline
  /// passes.
  [[nodiscard]] virtual std::vector<Duration> time_all_reduces(
      Collective& collective, int device, const AllReduceSeries& series) const = 0;
  [[nodiscard]] virtual std::string description(const Collective& collective) const = 0;
};

/// The backend of this build, loaded on first use. Throws NotCompiledError in a build without CUDA,
/// and EnvironmentError naming what is missing when its libraries cannot be loaded.
[[nodiscard]] const CudaBackend& cuda_backend();
/// Whether this build has the module at all; loads nothing.
[[nodiscard]] bool has_cuda_backend();

}  // namespace mimus::kernels
