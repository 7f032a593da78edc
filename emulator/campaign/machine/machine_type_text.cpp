// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/machine/machine_type_text.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace mimus::emulator {
namespace {

std::string tera(FlopPerSecond rate) {
  return fmt::format("{:.10g} TFLOP/s", rate.value / 1e12);
}

std::string giga(BytesPerSecond rate) {
  return fmt::format("{:.10g} GB/s", rate.value / 1e9);
}

/// An exact decimal.
std::string exactly(Duration time) {
  const std::int64_t ns = time.count();
  if (ns % 1'000'000 == 0) return fmt::format("{} ms", ns / 1'000'000);
  return ns % 1'000 == 0 ? fmt::format("{} us", ns / 1'000) : fmt::format("{} ns", ns);
}

std::string link_text(const kernels::LinkRate& link) {
  if (!link.effective) return fmt::format("{{rate: {}}}", giga(link.rate));
  const auto two = link.effective_two_nodes;
  return fmt::format("{{rate: {}, effective: {}{}}}", giga(link.rate), giga(*link.effective),
                     two ? ", effective_two_nodes: " + giga(*two) : "");
}

/// A YAML scalar that is read as this text, whatever the text contains.
std::string yaml_quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + "\"";
}

std::string links_comment(const MachineType& machine, const std::string& key) {
  const auto found = std::find_if(machine.links.begin(), machine.links.end(),
                                  [&](const EffectiveLink& link) { return link.link == key; });
  return found == machine.links.end() ? "  # of " + machine.base
                                      : "  # effective: " + source_text(*found);
}

std::string comment_of(const MachineType& machine, const std::string& model) {
  for (const MachineType::ModelFit& entry : machine.fits) {
    if (entry.model != model) continue;
    std::vector<std::int64_t> batches;
    for (const SoloStep& step : entry.steps) batches.push_back(step.batch);
    return fmt::format("{}, batches {}: mean error {:.2f} %, with the host of {} {:.2f} %",
                       name(entry.fit.kind), fmt::join(batches, ", "), 100.0 * entry.fit.error,
                       machine.base, 100.0 * entry.fit.base_error);
  }
  return "not measured, that of " + machine.base;
}

std::string model_text(const MachineType& machine, const workloads::Model& model,
                       const kernels::GpuSpec& base) {
  workloads::HostWork host = kernels::host_work(model, base);
  for (const MachineType::ModelFit& entry : machine.fits) {
    if (entry.model == model.name) host = entry.fit.host;
  }
  const std::string limit =
      host.is_limited() ? fmt::format(", contended_gpus: {}", host.contended_gpus) : "";
  const workloads::Efficiency efficiency = kernels::efficiency(model, base);
  return fmt::format(
      "      {}:  # {}\n"
      "        host: {{per_step: {}, per_sample: {}, contention: {:.10g}{}}}\n"
      "        efficiency: {{compute: {:.10g}, memory: {:.10g}}}\n",
      yaml_quoted(model.name), comment_of(machine, model.name), exactly(host.per_step),
      exactly(host.per_sample), host.contention, limit, efficiency.compute, efficiency.memory);
}

std::string head(const MachineType& machine) {
  std::string out = fmt::format(
      "# A machine type from a profile: name this file under `gpus:` in a campaign, and the type "
      "as\n"
      "# cluster.gpu. {}.\n"
      "# Datasheet, efficiencies and what is marked so are of {}. host: times per step and sample "
      "by\n# least squares of modelled / measured - 1 over the measured steps on one GPU, where "
      "the model\n# overlaps host and kernels as a step does.\n",
      machine.provenance, machine.base);
  for (const std::string& note : machine.notes) out += fmt::format("# Not taken: {}.\n", note);
  return out + "schema: 1\ngpus:\n";
}

std::string rates(const MachineType& machine, const kernels::GpuSpec& gpu) {
  std::string out = fmt::format("  - name: {}\n    source: {}\n    fp32: {}\n",
                                yaml_quoted(gpu.name), yaml_quoted(gpu.source), tera(gpu.fp32));
  if (gpu.tf32.value > 0.0) out += fmt::format("    tf32: {}\n", tera(gpu.tf32));
  out += fmt::format(
      "    fp16: {}\n    memory_bandwidth: {}\n    memory: {:.10g} GB\n    multiprocessors: {}\n",
      tera(gpu.fp16), giga(gpu.memory_bandwidth), gpu.memory.value / 1e9, gpu.multiprocessors);
  out += fmt::format("    island_link: {}{}\n    node_link: {}{}\n    network: {}{}\n",
                     link_text(gpu.island_link), links_comment(machine, "island"),
                     link_text(gpu.node_link), links_comment(machine, "node"),
                     link_text(gpu.network), links_comment(machine, "network"));
  out += fmt::format("    gpus_per_node: {}\n    host_link: {}\n    launch_gap: {}\n",
                     gpu.gpus_per_node, giga(gpu.host_link), exactly(gpu.launch_gap));
  if (!gpu.power) return out;
  return out +
         fmt::format("    power: {{idle: {}, busy: {}, host: {}, asleep: {}}}  # of the base\n",
                     gpu.power->idle, gpu.power->busy, gpu.power->host, gpu.power->asleep);
}

}  // namespace

std::string machine_type_text(const MachineType& machine, const kernels::GpuSpec& gpu,
                              const kernels::GpuSpec& base,
                              const workloads::ModelCatalogue& models) {
  std::string out = head(machine) + rates(machine, gpu) + "    models:\n";
  for (const std::string& model : models.names()) {
    out += model_text(machine, models.at(model), base);
  }
  return out;
}

}  // namespace mimus::emulator
