// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/cuda_config.hpp"

namespace mimus::emulator {
namespace {

Fields<kernels::LaunchOptions> launch_fields() {
  using L = kernels::LaunchOptions;
  using kernels::Arithmetic;
  using kernels::Attention;
  using kernels::OptimiserLaunches;
  return {
      words_field("precision", &L::arithmetic,
                  {{"model", std::nullopt},
                   {"fp32", Arithmetic::fp32},
                   {"tf32", Arithmetic::tf32},
                   {"fp16", Arithmetic::fp16},
                   {"bf16", Arithmetic::bf16}},
                  "arithmetic of all models"),
      field("attention", &L::attention, {{"eager", Attention::eager}, {"sdpa", Attention::sdpa}},
            "score matrices in memory, or one fused kernel"),
      field("optimiser", &L::optimiser,
            {{"foreach", OptimiserLaunches::foreach},
             {"fused", OptimiserLaunches::fused},
             {"per_tensor", OptimiserLaunches::per_tensor}},
            "how the update is launched")};
}

}  // namespace

Fields<CudaConfig> cuda_fields() {
  using C = CudaConfig;
  Fields<C> fields = within(&C::launches, launch_fields());
  const Fields<C> more{
      words_field("launches", &C::graphs, {{"eager", false}, {"graph", true}},
                  "one by one, or a captured step replayed"),
      words_field("convolutions", &C::measures_convolutions,
                  {{"heuristic", false}, {"measured", true}},
                  "how their algorithms are chosen: by cuDNN's heuristics, or by trying all, as "
                  "with torch.backends.cudnn.benchmark"),
      field("launch_gap", &C::launch_gap, between(0, 1e-3),
            "minimum host time per eager launch; by default that of cluster.gpu"),
      field("gpus_per_device", &C::gpus_per_device, between(1, 64),
            "GPUs of the cluster that one device may represent; by default as many as needed. "
            "Above 1, times are not those of a cluster"),
      field("sharing", &C::sharing,
            {{"time_slice", C::Sharing::time_slice}, {"mps", C::Sharing::mps}},
            "how tenants share a device"),
      field("mps_threads", &C::mps_threads, between(1, 100),
            "mps: percent of a device that a tenant may use"),
      field("mps_memory", &C::mps_memory, kPositive, "mps: maximum device memory of a tenant"),
      field("nccl_ctas", &C::nccl_ctas, between(0, 64),
            "maximum number of thread blocks of a collective; 0: NCCL's choice"),
      field("nccl_estimates", &C::nccl_estimates,
            "records NCCL's own estimate for each collective; needs a second communicator"),
      field("kernel_trace", &C::kernel_trace, kNotNegative,
            "wall time at the start of an attempt, and after each change of its batch, in which "
            "every kernel is traced")};
  fields.insert(fields.end(), more.begin(), more.end());
  return fields;
}

}  // namespace mimus::emulator
