// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/cuda/monitor/nvml.hpp"

namespace mimus::kernels::cuda {

/// The closest way between two GPUs of a host, as `nvidia-smi topo -m` names it.
enum class GpuLinkKind {
  nvlink,         ///< NV#: that many NVLinks, direct or through NVSwitch
  same_board,     ///< PSB: one board's own PCIe switch
  pcie_switch,    ///< PIX: at most one PCIe bridge
  pcie_switches,  ///< PXB: several PCIe bridges, not the host's
  host_bridge,    ///< PHB: the host's PCIe bridge
  numa_node,      ///< NODE: host bridges of one NUMA node
  system,         ///< SYS: the interconnect between NUMA nodes
};

struct GpuLink {
  std::size_t first = 0;  ///< places in the list that gpu_links() was asked for; first < second
  std::size_t second = 0;
  std::optional<GpuLinkKind> kind;  ///< absent if NVML does not report it
  int nvlinks = 0;                  ///< active NVLinks that lead from one to the other
  std::string reason;               ///< why `kind` is absent

  [[nodiscard]] std::string text() const;  ///< NV18, PIX, PXB, PHB, NODE, SYS; "?" where absent
};

/// The links between all pairs of `devices`, ordered by first and second.
[[nodiscard]] std::vector<GpuLink> gpu_links(const Nvml& nvml,
                                             const std::vector<NvmlDevice>& devices);

}  // namespace mimus::kernels::cuda
