// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/cuda_config.hpp"

#include <string>

namespace mimus::emulator {
namespace {

/// One of `allowed`, the first where the key is left out.
std::string first_or_choice(YamlReader& reader, const char* key,
                            const std::vector<std::string>& allowed) {
  return reader.choice_or(key, allowed, allowed.front());
}

std::optional<kernels::Arithmetic> read_arithmetic(YamlReader& reader) {
  using kernels::Arithmetic;
  const auto name = first_or_choice(reader, "precision", {"model", "fp32", "tf32", "fp16", "bf16"});
  for (const auto arithmetic :
       {Arithmetic::fp32, Arithmetic::tf32, Arithmetic::fp16, Arithmetic::bf16}) {
    if (name == kernels::name(arithmetic)) return arithmetic;
  }
  return std::nullopt;
}

kernels::LaunchOptions read_launches(YamlReader& reader) {
  using kernels::OptimiserLaunches;
  kernels::LaunchOptions options;
  options.arithmetic = read_arithmetic(reader);
  if (first_or_choice(reader, "attention", {"eager", "sdpa"}) == "sdpa") {
    options.attention = kernels::Attention::sdpa;
  }
  const auto optimiser = first_or_choice(reader, "optimiser", {"foreach", "fused", "per_tensor"});
  if (optimiser == "fused") options.optimiser = OptimiserLaunches::fused;
  if (optimiser == "per_tensor") options.optimiser = OptimiserLaunches::per_tensor;
  return options;
}

}  // namespace

CudaConfig read_cuda(YamlReader& engine) {
  CudaConfig cuda;
  if (!engine.has("cuda")) return cuda;
  YamlReader reader = engine.map("cuda");
  cuda.launches = read_launches(reader);
  cuda.graphs = first_or_choice(reader, "launches", {"eager", "graph"}) == "graph";
  cuda.measures_convolutions =
      first_or_choice(reader, "convolutions", {"heuristic", "measured"}) == "measured";
  cuda.launch_gap = reader.get_if<Duration>("launch_gap", {.min = 0.0, .max = 1e-3});
  if (reader.has("gpus_per_device")) {
    cuda.gpus_per_device =
        static_cast<int>(reader.get<std::int64_t>("gpus_per_device", {.min = 1, .max = 64}));
  }
  if (first_or_choice(reader, "sharing", {"time_slice", "mps"}) == "mps") {
    cuda.sharing = CudaConfig::Sharing::mps;
  }
  cuda.mps_threads =
      static_cast<int>(reader.get_or<std::int64_t>("mps_threads", 100, {.min = 1, .max = 100}));
  cuda.mps_memory = reader.get_if<Bytes>("mps_memory", kPositive);
  cuda.nccl_ctas =
      static_cast<int>(reader.get_or<std::int64_t>("nccl_ctas", 0, {.min = 0, .max = 64}));
  cuda.nccl_estimates = reader.get_or("nccl_estimates", false);
  cuda.kernel_trace = reader.get_or<Duration>("kernel_trace", Duration{}, kNotNegative);
  reader.finish();
  return cuda;
}

std::vector<ParameterInfo> cuda_parameters() {
  return {
      {"precision", "text", "model", "model, fp32, tf32, fp16, bf16", "arithmetic of all models"},
      {"attention", "text", "eager", "eager, sdpa",
       "score matrices in memory, or one fused kernel"},
      {"optimiser", "text", "foreach", "foreach, fused, per_tensor", "launches of the update"},
      {"launches", "text", "eager", "eager, graph", "one by one, or a captured step replayed"},
      {"convolutions", "text", "heuristic", "heuristic, measured",
       "how their algorithms are chosen: by cuDNN's heuristics, or by trying all, as with "
       "torch.backends.cudnn.benchmark"},
      {"launch_gap", "duration", "-", "0 s to 1 ms",
       "least host time per eager launch; by default that of cluster.gpu"},
      {"gpus_per_device", "integer", "-", "1 to 64",
       "GPUs of the cluster that one device may stand for; by default as many as it takes. Above 1 "
       "times are not those of a cluster"},
      {"sharing", "text", "time_slice", "time_slice, mps", "how tenants share a device"},
      {"mps_threads", "integer", "100", "1 to 100",
       "mps: percent of a device that a tenant may use"},
      {"mps_memory", "memory", "-", "> 0", "mps: most device memory of a tenant"},
      {"nccl_ctas", "integer", "0", "0 to 64",
       "most thread blocks of a collective; 0: NCCL's choice"},
      {"nccl_estimates", "boolean", "false", "true, false",
       "records what NCCL expects of each collective; takes a second communicator"},
      {"kernel_trace", "duration", "0 s", ">= 0 s",
       "wall time at the start of an attempt, and after each change of its batch, in which every "
       "kernel is traced"}};
}

}  // namespace mimus::emulator
