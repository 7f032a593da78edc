// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/machine/machine_type.hpp"

#include <algorithm>
#include <cctype>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/yaml_reader.hpp"
#include "emulator/campaign/campaign.hpp"
#include "emulator/campaign/machine/machine_type_text.hpp"
#include "emulator/sharing/profile_models.hpp"
#include "results/file/reader.hpp"
#include "results/profile_file.hpp"
#include "workloads/traces/input/input_file.hpp"

namespace mimus::emulator {
namespace {

/// As in the profile's cluster, including links within a node that its campaign states.
kernels::GpuSpec base_of(const MachineTypeRequest& request, const results::Reader& file) {
  if (!request.like.empty()) return kernels::gpu_spec(request.like);
  return read_cluster(parse_yaml(file.resolved_config(), request.profile + ": its cluster")).gpu;
}

/// For a comment, which a line break would end.
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return std::iscntrl(c) != 0; }, ' ');
  return text;
}

std::string where_measured(const results::Reader& file) {
  const bool emulated = file.attribute("calibration.device") == "cpu";
  return file.attribute("calibration.host") +
         (emulated ? ", which emulated " + file.attribute("calibration.gpu") : "");
}

std::string provenance_of(const MachineTypeRequest& request, const results::Reader& file) {
  const auto written = std::filesystem::last_write_time(request.profile);
  const auto time = std::chrono::system_clock::to_time_t(
      std::chrono::time_point_cast<std::chrono::system_clock::duration>(
          std::chrono::file_clock::to_sys(written)));
  return fmt::format("Measured {:%Y-%m-%d} on {} by\n# {}\n# into {} ({:016x})", fmt::gmtime(time),
                     where_measured(file), one_line(file.command_line()),
                     one_line(std::filesystem::path(request.profile).filename().string()),
                     workloads::file_content_hash(request.profile));
}

std::vector<MachineType::ModelFit> fits_of(const results::ProfileContent& profile,
                                           const workloads::ModelCatalogue& models,
                                           const kernels::GpuSpec& base,
                                           std::vector<std::string>& notes) {
  std::map<std::string, std::vector<SoloStep>> steps;
  for (const auto& row : profile.rows) {
    const workloads::Model* model = models.find(row.model);
    const bool whole = row.replicas == 1 && row.accumulation == 1;
    if (!whole) continue;
    const std::string what = fmt::format("{} batch {}", row.model, row.per_gpu_batch);
    if (model == nullptr) {
      notes.push_back(what + ", a model that is not known; name its file with --models");
    } else if (row.precision != name(model->precision)) {
      notes.push_back(fmt::format("{} in {}: the model trains in {}", what, row.precision,
                                  name(model->precision)));
    } else {
      steps[row.model].push_back({.batch = row.per_gpu_batch, .seconds = row.step_mean});
    }
  }
  std::vector<MachineType::ModelFit> fits;
  for (auto& [model, measured] : steps) {
    HostFit fit = fit_host(models.at(model), base, measured);
    fits.push_back({model, std::move(measured), fit});
  }
  return fits;
}

/// Only links of GPUs: on device cpu, the host's MPI was measured.
std::vector<EffectiveLink> links_of(const results::ProfileContent& profile,
                                    std::vector<std::string>& notes) {
  std::vector<EffectiveLink> taken;
  for (EffectiveLink& link : effective_links(profile.links)) {
    const bool of_gpus =
        std::any_of(profile.links.begin(), profile.links.end(),
                    [&](const auto& row) { return row.link == link.link && row.device == "cuda"; });
    const bool is_link = link.link == "island" || link.link == "node" || link.link == "network";
    if (of_gpus && is_link) {
      taken.push_back(std::move(link));
    } else {
      notes.push_back(fmt::format("{:.4g} GB/s of the link \"{}\" ({}), which is not between GPUs",
                                  link.rate.value / 1e9, link.link, link.via));
    }
  }
  return taken;
}

/// A link is at least as fast as the traffic that was measured on it. Switches that add up partial
/// sums, and NICs that a usual node does not have, exceed the datasheet.
void set_effective(kernels::LinkRate& link, BytesPerSecond rate) {
  link.rate = std::max(link.rate, rate);
  link.effective = rate;
  link.effective_two_nodes.reset();  // that of the base belongs to other machines
}

void set_links(kernels::GpuSpec& gpu, const std::vector<EffectiveLink>& links) {
  for (const EffectiveLink& link : links) {
    if (link.link == "island") set_effective(gpu.island_link, link.rate);
    if (link.link == "node") set_effective(gpu.node_link, link.rate);
    if (link.link == "network") set_effective(gpu.network, link.rate);
  }
}

}  // namespace

MachineType machine_type_of(const MachineTypeRequest& request,
                            const workloads::ModelCatalogue& models) {
  const auto profile = results::read_profile_file(request.profile);
  check_fingerprints(request.profile, profile, models);
  const results::Reader file(request.profile);
  const kernels::GpuSpec base = base_of(request, file);
  MachineType machine;
  machine.base = base.name;
  machine.name = request.name.empty() ? base.name + "-measured" : request.name;
  machine.provenance = provenance_of(request, file);
  machine.fits = fits_of(profile, models, base, machine.notes);
  machine.links = links_of(profile, machine.notes);
  for (std::string& note : machine.notes) note = one_line(std::move(note));
  if (machine.fits.empty() && machine.links.empty()) {
    throw UsageError(
        fmt::format("{} has no step on one GPU and no link of GPUs to use{}{}", request.profile,
                    machine.notes.empty() ? "" : "; left out: ", fmt::join(machine.notes, "; ")));
  }
  kernels::GpuSpec gpu = base;
  gpu.name = machine.name;
  gpu.source = fmt::format("{}; host times of {} models and {} links measured on {}", base.source,
                           machine.fits.size(), machine.links.size(), where_measured(file));
  set_links(gpu, machine.links);
  machine.yaml = machine_type_text(machine, gpu, base, models);
  return machine;
}

void write_machine_type(const MachineType& machine, const std::string& path) {
  if (std::filesystem::exists(path)) {
    throw IoError(path, "exists already; remove it or write another file (-o)");
  }
  std::ofstream file(path);
  file << machine.yaml;
  file.close();
  if (!file) throw IoError(path, "could not be written; check the folder and the free space");
  const ConfigNode document = load_yaml_file(path);
  (void)kernels::read_gpu(document.find("gpus")->items.at(0), "gpus[0]");
}

}  // namespace mimus::emulator
