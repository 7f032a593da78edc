// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/monitor/gpu_topology.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace mimus::kernels::cuda {
namespace {

/// Where a device's active NVLinks end: at the other device, or at a switch.
struct NvLinkEnds {
  int direct = 0;
  int switched = 0;
};

enum class LinkEnd { that_device, switch_chip, elsewhere };

bool is_one_of(const std::vector<NvmlDevice>& devices, const std::string& bus_id) {
  return std::any_of(devices.begin(), devices.end(),
                     [&](const auto& device) { return device.pci_bus_id == bus_id; });
}

LinkEnd end_of(const Nvml& nvml, const NvmlDevice& from, unsigned link, const NvmlDevice& to,
               const std::vector<NvmlDevice>& devices) {
  nvml_abi::PciInfo remote{};
  const bool has_address = nvml.functions().nvlink_remote(from.handle, link, &remote).ok();
  const std::string address = has_address ? normal_pci_bus_id(remote.bus_id) : "";
  if (has_address && address == to.pci_bus_id) return LinkEnd::that_device;

  auto peer = nvml_abi::kPeerUnknown;
  const bool has_peer = nvml.functions().nvlink_peer(from.handle, link, &peer).ok();
  if (has_peer && peer != nvml_abi::kPeerUnknown) {
    return peer == nvml_abi::kPeerSwitch ? LinkEnd::switch_chip : LinkEnd::elsewhere;
  }
  // Older drivers do not report the type of a link's end. An end that is no known GPU is then a
  // switch.
  return is_one_of(devices, address) ? LinkEnd::elsewhere : LinkEnd::switch_chip;
}

NvLinkEnds nvlink_ends(const Nvml& nvml, const NvmlDevice& from, const NvmlDevice& to,
                       const std::vector<NvmlDevice>& devices) {
  NvLinkEnds ends;
  for (unsigned link = 0; link < nvml_abi::kMaxNvLinks; ++link) {
    auto state = nvml_abi::kDisabled;
    const NvmlStatus status = nvml.functions().nvlink_state(from.handle, link, &state);
    // Links are numbered without gaps, so the first number that is refused is past the last link.
    if (status.code == nvml_abi::kInvalidArgument) break;
    if (!status.ok() || state != nvml_abi::kEnabled) continue;
    const LinkEnd end = end_of(nvml, from, link, to, devices);
    if (end == LinkEnd::that_device) ++ends.direct;
    if (end == LinkEnd::switch_chip) ++ends.switched;
  }
  return ends;
}

int count_nvlinks(const Nvml& nvml, const NvmlDevice& first, const NvmlDevice& second,
                  const std::vector<NvmlDevice>& devices) {
  const NvLinkEnds ends = nvlink_ends(nvml, first, second, devices);
  if (ends.direct > 0 || ends.switched == 0) return ends.direct;
  // A link into a switch does not show which GPUs share the switch. The peer-to-peer status does.
  nvml_abi::P2pStatus peer{};
  const NvmlStatus status =
      nvml.functions().p2p_status(first.handle, second.handle, nvml_abi::kP2pNvLink, &peer);
  return status.ok() && peer == nvml_abi::kP2pOk ? ends.switched : 0;
}

std::optional<GpuLinkKind> kind_of(nvml_abi::TopologyLevel level) {
  switch (level) {
    case nvml_abi::kInternal:
      return GpuLinkKind::same_board;
    case nvml_abi::kSingle:
      return GpuLinkKind::pcie_switch;
    case nvml_abi::kMultiple:
      return GpuLinkKind::pcie_switches;
    case nvml_abi::kHostBridge:
      return GpuLinkKind::host_bridge;
    case nvml_abi::kNode:
      return GpuLinkKind::numa_node;
    case nvml_abi::kSystem:
      return GpuLinkKind::system;
  }
  return std::nullopt;
}

GpuLink link_between(const Nvml& nvml, const std::vector<NvmlDevice>& devices, std::size_t first,
                     std::size_t second) {
  GpuLink link{first, second, std::nullopt, 0, ""};
  link.nvlinks = count_nvlinks(nvml, devices[first], devices[second], devices);
  if (link.nvlinks > 0) {
    link.kind = GpuLinkKind::nvlink;
    return link;
  }
  auto level = nvml_abi::kSystem;
  const NvmlStatus status =
      nvml.functions().common_ancestor(devices[first].handle, devices[second].handle, &level);
  if (status.ok()) link.kind = kind_of(level);
  if (!status.ok()) {
    link.reason = nvml.explain(status);
  } else if (!link.kind) {
    link.reason = fmt::format("{}: unknown level {}", status.function, static_cast<int>(level));
  }
  return link;
}

}  // namespace

std::string GpuLink::text() const {
  if (!kind) return "?";
  switch (*kind) {
    case GpuLinkKind::nvlink:
      return fmt::format("NV{}", nvlinks);
    case GpuLinkKind::same_board:
      return "PSB";
    case GpuLinkKind::pcie_switch:
      return "PIX";
    case GpuLinkKind::pcie_switches:
      return "PXB";
    case GpuLinkKind::host_bridge:
      return "PHB";
    case GpuLinkKind::numa_node:
      return "NODE";
    case GpuLinkKind::system:
      return "SYS";
  }
  return "?";
}

std::vector<GpuLink> gpu_links(const Nvml& nvml, const std::vector<NvmlDevice>& devices) {
  std::vector<GpuLink> links;
  for (std::size_t first = 0; first < devices.size(); ++first) {
    for (std::size_t second = first + 1; second < devices.size(); ++second) {
      links.push_back(link_between(nvml, devices, first, second));
    }
  }
  return links;
}

}  // namespace mimus::kernels::cuda
