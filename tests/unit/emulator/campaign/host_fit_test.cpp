// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/machine/host_fit.hpp"

#include <gtest/gtest.h>

#include "workloads/models/model_catalogue.hpp"

namespace mimus::emulator {
namespace {

using workloads::HostWork;

class HostFitTest : public testing::Test {
 protected:
  /// The steps that a machine with this host would measure for the model.
  std::vector<SoloStep> steps(const HostWork& host, const std::vector<std::int64_t>& batches) {
    kernels::GpuSpec machine = base_;
    machine.models[model_.name].host = host;
    std::vector<SoloStep> out;
    for (const std::int64_t batch : batches) {
      out.push_back({batch, modelled_solo_step(model_, machine, batch)});
    }
    return out;
  }
  [[nodiscard]] HostWork base_host() const { return kernels::host_work(model_, base_); }

  const workloads::ModelCatalogue models_ = workloads::ModelCatalogue::built_in();
  const workloads::Model& model_ = models_.at("bert-base");
  const kernels::GpuSpec base_ = kernels::gpu_spec("T4");
};

TEST_F(HostFitTest, FindsTheHostBehindSteps) {
  const HostWork host{.per_step = std::chrono::milliseconds{300},
                      .per_sample = std::chrono::milliseconds{90},
                      .contention = 0.5};

  const HostFit fit = fit_host(model_, base_, steps(host, {2, 4, 8, 16}));

  EXPECT_EQ(fit.kind, HostFit::Kind::fitted);
  EXPECT_NEAR(to_seconds(fit.host.per_step), 0.300, 3e-3);
  EXPECT_NEAR(to_seconds(fit.host.per_sample), 0.090, 1e-3);
  EXPECT_EQ(fit.host.contention, base_host().contention);
  EXPECT_LT(fit.worst, 1e-3);
  EXPECT_GT(fit.base_error, 0.1);
}

TEST_F(HostFitTest, KeepsAHostThatExplainsTheSteps) {
  auto measured = steps(base_host(), {2, 4, 8});
  measured[1].seconds *= 1.0004;  // noise

  const HostFit fit = fit_host(model_, base_, measured);

  EXPECT_EQ(fit.kind, HostFit::Kind::kept);
  EXPECT_EQ(fit.host.per_step, base_host().per_step);
  EXPECT_EQ(fit.host.per_sample, base_host().per_sample);
}

// One batch cannot separate a time per step from one per sample. Their ratio is that of the base.
TEST_F(HostFitTest, ScalesBothTimesToOneBatch) {
  const HostWork base = base_host();
  const HostWork host{.per_step = 2 * base.per_step, .per_sample = 2 * base.per_sample};

  const HostFit fit = fit_host(model_, base_, steps(host, {8}));

  EXPECT_EQ(fit.kind, HostFit::Kind::scaled);
  EXPECT_NEAR(to_seconds(fit.host.per_step) / to_seconds(host.per_step), 1.0, 1e-3);
  EXPECT_NEAR(to_seconds(fit.host.per_sample) / to_seconds(host.per_sample), 1.0, 1e-3);
}

// Steps half as long as the kernels of the base alone: no host explains them, which is reported.
TEST_F(HostFitTest, AdmitsThatKernelsAreTooSlow) {
  auto measured = steps({}, {4, 8, 16});
  for (SoloStep& step : measured) step.seconds /= 2.0;

  const HostFit fit = fit_host(model_, base_, measured);

  EXPECT_EQ(fit.host.per_step, Duration{});
  EXPECT_NEAR(fit.error, 1.0, 0.01);  // twice as long as measured
}

}  // namespace
}  // namespace mimus::emulator
