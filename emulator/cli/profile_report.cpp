// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/cli/profile_report.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "base/quantity_text.hpp"
#include "emulator/campaign/machine/effective_links.hpp"
#include "emulator/cli/text/terminal.hpp"
#include "emulator/cli/text/text_table.hpp"
#include "results/profile_file.hpp"

namespace mimus::emulator::cli {
namespace {

using results::ProfileLinkRow;
using results::ProfilePairRow;
using results::ProfileRow;
using Align = TextTable::Align;

std::string milliseconds(double seconds) {
  return fmt::format("{:.4g}", 1e3 * seconds);
}

std::string half_width(double low, double mean, double high) {
  return fmt::format("{:.2f} %", mean > 0.0 ? 50.0 * (high - low) / mean : 0.0);
}

std::string share(double part, double whole) {
  return fmt::format("{:.1f} %", whole > 0.0 ? 100.0 * part / whole : 0.0);
}

std::string steps_table(const std::vector<ProfileRow>& rows, int width) {
  TextTable table({{"model"},
                   {"precision"},
                   {"shape"},
                   {"batch", Align::right},
                   {"step ms", Align::right},
                   {"+-", Align::right},
                   {"modelled ms", Align::right},
                   {"exposed ms", Align::right},
                   {"busy", Align::right},
                   {"memory", Align::right},
                   {"late", Align::right},
                   {"steps", Align::right},
                   {"tight"}});
  for (const ProfileRow& row : rows) {
    table.add_row({row.model, row.precision, row.shape, std::to_string(row.per_gpu_batch),
                   milliseconds(row.step_mean),
                   half_width(row.step_low, row.step_mean, row.step_high),
                   milliseconds(row.step_modelled), milliseconds(row.exposed_communication),
                   share(row.device_busy, row.step_mean), format_bytes(Bytes{row.memory_peak}),
                   share(row.late, row.step_mean), std::to_string(row.steps),
                   row.converged != 0 ? "yes" : "no"});
  }
  return table.render(width);
}

std::string pairs_table(const std::vector<ProfilePairRow>& rows, int width) {
  TextTable table({{"model"},
                   {"batch", Align::right},
                   {"beside"},
                   {"batch", Align::right},
                   {"alone ms", Align::right},
                   {"shared ms", Align::right},
                   {"slowdown", Align::right},
                   {"95 % interval", Align::right},
                   {"tight"}});
  for (const ProfilePairRow& row : rows) {
    table.add_row({row.model, std::to_string(row.per_gpu_batch), row.co_model,
                   std::to_string(row.co_per_gpu_batch), milliseconds(row.step_solo),
                   milliseconds(row.step_shared), fmt::format("{:.3f}", row.slowdown),
                   fmt::format("{:.3f} to {:.3f}", row.slowdown_low, row.slowdown_high),
                   row.converged != 0 ? "yes" : "no"});
  }
  return table.render(width);
}

std::string gigabytes(double rate) {
  return fmt::format("{:.4g}", rate / 1e9);
}

std::string links_table(const std::vector<ProfileLinkRow>& rows, int width) {
  TextTable table({{"link"},
                   {"via"},
                   {"shape"},
                   {"hosts", Align::right},
                   {"ranks", Align::right},
                   {"size", Align::right},
                   {"least ms", Align::right},
                   {"median ms", Align::right},
                   {"bus GB/s", Align::right},
                   {"timed", Align::right}});
  for (const ProfileLinkRow& row : rows) {
    table.add_row({row.link, row.via, row.shape, std::to_string(row.hosts),
                   std::to_string(row.ranks), format_bytes(Bytes{static_cast<double>(row.bytes)}),
                   milliseconds(row.seconds_min), milliseconds(row.seconds_median),
                   gigabytes(row.bus_bandwidth), std::to_string(row.operations)});
  }
  std::string text = table.render(width);
  for (const EffectiveLink& link : effective_links(rows)) {
    text += fmt::format("effective rate of {}: {} GB/s ({})\n", link.link,
                        gigabytes(link.rate.value), source_text(link));
  }
  return text;
}

nlohmann::ordered_json as_json(const ProfileLinkRow& row) {
  return {{"link", row.link},
          {"device", row.device},
          {"via", row.via},
          {"shape", row.shape},
          {"hosts", row.hosts},
          {"ranks", row.ranks},
          {"bytes", row.bytes},
          {"operations", row.operations},
          {"seconds_min", row.seconds_min},
          {"seconds_median", row.seconds_median},
          {"bus_bandwidth_bytes_per_s", row.bus_bandwidth}};
}

nlohmann::ordered_json as_json(const ProfileRow& row) {
  return {{"model", row.model},
          {"precision", row.precision},
          {"device", row.device},
          {"gpu", row.gpu},
          {"shape", row.shape},
          {"locality", row.locality},
          {"per_gpu_batch", row.per_gpu_batch},
          {"accumulation", row.accumulation},
          {"replicas", row.replicas},
          {"steps", row.steps},
          {"converged", row.converged != 0},
          {"step_mean_s", row.step_mean},
          {"step_low_s", row.step_low},
          {"step_high_s", row.step_high},
          {"step_sd_s", row.step_sd},
          {"step_modelled_s", row.step_modelled},
          {"sync_s", row.sync},
          {"exposed_communication_s", row.exposed_communication},
          {"device_busy_s", row.device_busy},
          {"memory_peak_bytes", row.memory_peak},
          {"kernels", row.kernels},
          {"sm_activity", row.sm_activity},
          {"dram_activity", row.dram_activity},
          {"tensor_activity", row.tensor_activity},
          {"late_s", row.late}};
}

nlohmann::ordered_json as_json(const ProfilePairRow& row) {
  return {{"model", row.model},
          {"per_gpu_batch", row.per_gpu_batch},
          {"co_model", row.co_model},
          {"co_per_gpu_batch", row.co_per_gpu_batch},
          {"sharing", row.sharing},
          {"steps", row.steps},
          {"step_shared_s", row.step_shared},
          {"step_solo_s", row.step_solo},
          {"slowdown", row.slowdown},
          {"slowdown_low", row.slowdown_low},
          {"slowdown_high", row.slowdown_high},
          {"converged", row.converged != 0}};
}

}  // namespace

void print_profile_table(const std::string& path) {
  const auto profile = results::read_profile_file(path);
  const int width = std::max(terminal_width(), 120);
  std::vector<std::string> parts;
  if (!profile.links.empty()) parts.push_back(links_table(profile.links, width));
  if (!profile.rows.empty()) parts.push_back(steps_table(profile.rows, width));
  if (!profile.pairs.empty()) parts.push_back(pairs_table(profile.pairs, width));
  print(fmt::format("{}", fmt::join(parts, "\n")));
  print(fmt::format("\nprofile: {}\n", path));
}

void print_profile_json(const std::string& path) {
  const auto profile = results::read_profile_file(path);
  nlohmann::ordered_json document{{"file", path}};
  document["profile"] = nlohmann::ordered_json::array();
  for (const ProfileRow& row : profile.rows) document["profile"].push_back(as_json(row));
  document["pairs"] = nlohmann::ordered_json::array();
  for (const ProfilePairRow& row : profile.pairs) document["pairs"].push_back(as_json(row));
  document["links"] = nlohmann::ordered_json::array();
  for (const ProfileLinkRow& row : profile.links) document["links"].push_back(as_json(row));
  document["effective_links"] = nlohmann::ordered_json::array();
  for (const EffectiveLink& link : effective_links(profile.links)) {
    document["effective_links"].push_back(
        {{"link", link.link}, {"bytes_per_s", link.rate.value}, {"taken_as", source_text(link)}});
  }
  print(json_text(document, 2) + "\n");
}

}  // namespace mimus::emulator::cli
