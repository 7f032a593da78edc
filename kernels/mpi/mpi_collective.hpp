// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include <mpi.h>

#include "kernels/host_ordered_collective.hpp"
#include "kernels/pacing/link_pacer.hpp"

namespace mimus::kernels {

struct MpiCollectiveOptions {
  double work_scale = 1.0;  ///< moved bytes = footprint ÷ this, at least one float per rank
  Duration clock_offset{};  ///< added to this host's clock to get the world's
};

/// Gang communication over MPI. Data really move, by non-blocking collectives that are polled, so
/// every wait can be abandoned. Each operation is also paced to the gang's links: it begins when
/// its last member is ready and the previous operation has ended.
class MpiCollective : public HostOrderedCollective {
 public:
  /// `communicator` must return errors and must outlive this object. Without `pacer` operations are
  /// as fast as MPI goes.
  MpiCollective(MPI_Comm communicator, MpiCollectiveOptions options,
                std::unique_ptr<LinkPacer> pacer);
  /// Pending operations are abandoned: their requests and buffers are leaked on purpose, because
  /// MPI may still write to them and their peers may never come.
  ~MpiCollective() override;

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  void set_wall_per_emulated(double factor) override { wall_per_emulated_ = factor; }
  std::int64_t enqueue(CollectiveOp op, Bytes bytes, WallInstant ready) override;
  void progress(WallInstant now) override;
  [[nodiscard]] std::int64_t completed() const override { return completed_; }
  [[nodiscard]] WallInstant last_completion() const override { return end_; }
  [[nodiscard]] WallInstant wake() const override;
  [[nodiscard]] WallInstant due() const override;
  [[nodiscard]] WallInstant no_earlier(WallInstant now) const override;
  [[nodiscard]] bool awaits_members() const override;
  [[nodiscard]] bool shares_links() const override { return pacer_ && pacer_->is_shared(); }
  void quiet_until(WallInstant at) override;
  void busy_from(WallInstant at) override;

 private:
  struct Operation {
    CollectiveOp op{};
    Bytes bytes{};
    std::array<MPI_Request, 3> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    std::int64_t ready_ns = 0;      ///< own, on the world's clock
    std::int64_t all_ready_ns = 0;  ///< latest of all members; only if it is paced
    std::vector<float> send;
    std::vector<float> receive;
    std::vector<int> counts;  ///< of reduce-scatter
    bool arrived = false;     ///< the data have arrived
    bool begun = false;       ///< this member's part in its pacing
  };

  void post(Operation& operation);
  void post_data(Operation& operation, std::size_t floats);
  [[nodiscard]] bool moved(Operation& operation);
  [[nodiscard]] bool ended(Operation& operation, WallInstant now);
  void begin_pacing(Operation& operation);
  [[nodiscard]] WallInstant next_look(const Operation& operation, WallInstant now);
  void complete(WallInstant end);

  MPI_Comm communicator_;
  MpiCollectiveOptions options_;
  std::unique_ptr<LinkPacer> pacer_;
  int rank_ = 0;
  int size_ = 1;
  double wall_per_emulated_ = 1.0;
  std::deque<std::unique_ptr<Operation>> pending_;
  std::vector<std::unique_ptr<Operation>> spare_;  ///< buffers of completed operations
  std::int64_t enqueued_ = 0;
  std::int64_t completed_ = 0;
  WallInstant end_{};
  WallInstant next_poll_{};
  Duration poll_interval_{};
};

}  // namespace mimus::kernels
