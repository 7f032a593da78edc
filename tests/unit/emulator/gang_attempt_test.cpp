// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/gang/gang_attempt.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "emulator/live/gang/checkpoint.hpp"
#include "emulator/transition_costs.hpp"
#include "kernels/cpu/cpu_device.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/emulator/live_worker_fixture.hpp"

namespace mimus::emulator {
namespace {

struct GangAttemptTest : LiveWorkerTest {
  /// Whether a message of this kind came during the attempt. The rank is also rank 0 and gets its
  /// own.
  [[nodiscard]] bool has_set_aside(MessageKind kind) const {
    return std::any_of(inbox.begin(), inbox.end(),
                       [kind](const Envelope& envelope) { return envelope.kind == kind; });
  }
  /// The kind of the attempt's last message.
  std::optional<MessageKind> last_word() {
    std::optional<MessageKind> last;
    while (const auto envelope = mailbox.poll()) last = envelope->kind;
    return last;
  }
};

// Rank 0 sends this when the lead has reported the end. Other members may still be leaving.
TEST_F(GangAttemptTest, EndsInGoodOrderWhenTheRunEndsMeanwhile) {
  if (is_idle_rank()) return;
  mailbox.send(0, Shutdown{0});

  EXPECT_FALSE(GangAttempt(context, {one_replica("resnet18", 32), {}}).run().has_value());

  EXPECT_TRUE(has_set_aside(MessageKind::shutdown));
  EXPECT_EQ(last_word(), MessageKind::attempt_ended);
}

/// The emulated time that a step of the model takes alone on its GPU.
Duration step_of(const workloads::Model& model, const kernels::GpuSpec& gpu, std::int64_t batch) {
  const auto plan = kernels::make_plan(model, gpu, {.per_gpu_batch = batch});
  return kernels::solo_step_time(plan, {}).total;
}

// With slow emulation, a step of known length takes longer than any wait may.
TEST_F(GangAttemptTest, AStepMayTakeLongerThanTheLimitOfAStage) {
  if (is_idle_rank()) return;
  workloads::Model model = models.at("resnet50");
  model.name = "at-once";
  model.startup = Duration{};
  models.add(model);
  const Duration step = step_of(model, context.cell.cluster.gpu, 64);
  context.cell.engine.stage_timeout = std::chrono::seconds{1};
  context.cell.engine.time_scale = to_seconds(step) / 2.5;  // 2.5 s of wall time

  EXPECT_FALSE(GangAttempt(context, {one_replica("at-once", 64), {}}).run().has_value());

  EXPECT_EQ(last_word(), MessageKind::attempt_ended);
  EXPECT_TRUE(has_set_aside(MessageKind::attempt_alive));  // so that rank 0 waits, too
}

kernels::CpuDeviceOptions options(WorkerContext& context) {
  kernels::CpuDeviceOptions options;
  options.work_scale = context.cell.work_scale;
  options.clock = &context.clock;
  return options;
}

/// Another tenant takes what the replica gives back; then the replica is to go on.
class BesideTaker final : public kernels::CpuDevice {
 public:
  BesideTaker(WorkerContext& context, std::int64_t attempt)
      : CpuDevice(*context.ledger, options(context)), context_(context), attempt_(attempt) {}
  void keep(Bytes amount) override {
    CpuDevice::keep(amount);
    kept_ = context_.ledger->used_memory(0);
    context_.ledger->reserve_memory(0, Bytes{16e9} - kept_);
    context_.mailbox.send(0, ResumeMessage{.attempt = attempt_, .number = 2});
  }
  Bytes kept_{};

 private:
  WorkerContext& context_;
  std::int64_t attempt_;
};

TEST_F(GangAttemptTest, EndsIfItsMemoryIsTakenWhileItIsSuspended) {
  if (is_idle_rank()) return;
  StartMessage message = one_replica("resnet18", 128);
  message.work_samples = 1e9;
  auto device = std::make_unique<BesideTaker>(context, message.attempt);
  const BesideTaker& beside = *device;
  context.device = std::move(device);
  mailbox.send(
      0, SuspendMessage{
             .attempt = message.attempt, .number = 1, .keeps = scheduler::SuspendedMemory::state});

  EXPECT_FALSE(GangAttempt(context, {message, {}}).run().has_value());

  EXPECT_NEAR(beside.kept_.value, models.at("resnet18").memory(0).value, 1.0);
  std::optional<EndedMessage> end;
  while (const auto envelope = mailbox.poll()) {
    if (envelope->kind == EndedMessage::kKind) end = decode<EndedMessage>(envelope->bytes);
  }
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(end->reason, scheduler::EndReason::out_of_memory);
}

/// Rank 0 ends the attempt as soon as it waits for that.
class Ended final : public kernels::CpuDevice {
 public:
  Ended(WorkerContext& context, std::int64_t attempt)
      : CpuDevice(*context.ledger, options(context)), context_(context), attempt_(attempt) {}
  void idle_from(WallInstant at) noexcept override {
    CpuDevice::idle_from(at);
    if (std::exchange(is_told_, true)) return;
    context_.mailbox.send(0, AbandonAttempt{.attempt = attempt_, .all_live = true});
  }

 private:
  WorkerContext& context_;
  std::int64_t attempt_;
  bool is_told_ = false;
};

// It would finish later than its node goes down: nobody hears of that, but of its steps before.
TEST_F(GangAttemptTest, GetsNoFurtherThanWhereItIsCutOff) {
  if (is_idle_rank()) return;
  workloads::Model model = models.at("resnet18");
  model.name = "at-once";
  model.startup = Duration{};
  models.add(model);
  const Duration step = context.cell.wall(step_of(model, context.cell.cluster.gpu, 32));
  StartMessage message = one_replica("at-once", 32);
  const WallInstant begin = wall_now();
  const Duration cut = std::max<Duration>(20 * step, std::chrono::milliseconds{300});
  message.at_ns = begin.time_since_epoch().count();
  message.cut_ns = (begin + cut).time_since_epoch().count();
  message.work_samples = 32.0 * (to_seconds(2 * cut) / to_seconds(step));
  context.cell.epoch = begin;
  context.device = std::make_unique<Ended>(context, message.attempt);

  EXPECT_THROW((void)GangAttempt(context, {message, {}}).run(), AbandonedError);

  std::vector<StepWindow> windows;
  while (const auto envelope = mailbox.poll()) {
    EXPECT_NE(envelope->kind, MessageKind::attempt_ended);
    if (envelope->kind != ProgressMessage::kKind) continue;
    const auto told = decode<ProgressMessage>(envelope->bytes);
    EXPECT_LE(told.at_ns, message.cut_ns);
    windows.insert(windows.end(), told.windows.begin(), told.windows.end());
  }
  ASSERT_FALSE(windows.empty());
  EXPECT_LE(windows.back().end, context.cell.emulated(begin + cut));
}

TEST_F(GangAttemptTest, WritesACheckpointBetweenTwoSteps) {
  if (is_idle_rank()) return;
  const TemporaryFolder folder;
  context.cell.checkpoint_dir = folder.path();
  StartMessage message = one_replica("resnet18", 128);
  message.work_samples = 1e9;
  message.fail_at_samples = 2e5;
  mailbox.send(0, SaveMessage{.attempt = message.attempt, .number = 1});

  EXPECT_FALSE(GangAttempt(context, {message, {}}).run().has_value());

  std::optional<SavedMessage> saved;
  std::vector<StepWindow> before;
  std::vector<StepWindow> after;
  const auto hear = [&](const Envelope& envelope) {
    std::vector<StepWindow> windows;
    if (envelope.kind == SavedMessage::kKind) saved = decode<SavedMessage>(envelope.bytes);
    if (envelope.kind == ProgressMessage::kKind) {
      windows = decode<ProgressMessage>(envelope.bytes).windows;
    }
    if (envelope.kind == EndedMessage::kKind)
      windows = decode<EndedMessage>(envelope.bytes).windows;
    auto& all = saved ? after : before;
    all.insert(all.end(), windows.begin(), windows.end());
  };
  for (const Envelope& envelope : inbox) hear(envelope);  // during the attempt
  while (const auto envelope = mailbox.poll()) hear(*envelope);
  ASSERT_TRUE(saved.has_value());
  ASSERT_FALSE(before.empty() || after.empty());
  const Duration writing = checkpoint_bytes(models.at("resnet18")) / context.cell.cluster.storage;
  EXPECT_GE(after.front().begin - before.back().end, writing);
  EXPECT_EQ(before.back().samples_done, saved->samples_done);
  EXPECT_EQ(read_checkpoint(folder.path(), JobId{message.job}).samples_done, saved->samples_done);
}

TEST_F(GangAttemptTest, KeepsItsStatusWhenItFails) {
  if (is_idle_rank()) return;
  StartMessage message = one_replica("resnet18", 32);
  message.from_checkpoint = true;  // that is missing
  context.cell.checkpoint_dir = "no-such-folder";

  EXPECT_THROW((void)GangAttempt(context, {message, {}}).run(), IoError);

  EXPECT_EQ(host.own_status().job.load(), message.job);
  EXPECT_EQ(host.own_status().attempt.load(), message.attempt);
  EXPECT_EQ(host.own_status().stage.load(), Stage::restore);
}

}  // namespace
}  // namespace mimus::emulator
