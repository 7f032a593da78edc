// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/check/sharing_check.hpp"

#include <fmt/format.h>

#include "emulator/sharing/sharing_law.hpp"

namespace mimus::emulator {
namespace {

constexpr const char* kKey = "engine.interference";

[[noreturn]] void refuse(const Cell& cell, const std::string& why) {
  const ConfigNode* node = find_path(cell.config, kKey);
  throw ConfigError(node != nullptr ? node->where : cell.config.where, kKey, why);
}

bool has_parameters(const ConfigNode& choice) {
  return choice.kind == ConfigNode::Kind::mapping && choice.members.size() > 1;
}

std::string mode_named(const EngineConfig& engine) {
  const ConfigNode& choice = engine.interference;
  const ConfigNode* name = choice.find("name");
  return name != nullptr ? name->scalar : choice.scalar;
}

/// The default, slices, means whatever the device does.
void check_by_device(const Cell& cell, const EngineConfig& engine, const std::string& done,
                     const std::string& who) {
  const std::string mode = mode_named(engine);
  if ((mode == done || mode == "slices") && !has_parameters(engine.interference)) return;
  refuse(cell, fmt::format("\"{}\" is not possible: {}, so the mode is \"{}\" without parameters; "
                           "leave {} out, or use engine.device: cpu with engine.pace: datasheet",
                           mode, who, done, kKey));
}

}  // namespace

void check_live_sharing(const Cell& cell, const CellConfig& config,
                        const workloads::ModelCatalogue& models) {
  const EngineConfig& engine = config.engine;
  if (engine.on_cuda()) {
    const bool mps = engine.cuda.sharing == CudaConfig::Sharing::mps;
    return check_by_device(
        cell, engine, mps ? "mps" : "slices",
        fmt::format("a CUDA device shares itself as engine.cuda.sharing says, {}",
                    mps ? "mps" : "time_slice"));
  }
  if (engine.pace == EngineConfig::Pace::none) {
    return check_by_device(cell, engine, "slices",
                           "with engine.pace: none the cores are the devices, and the operating "
                           "system divides them");
  }
  try {
    (void)make_sharing_law(engine.interference,
                           {.models = &models, .gpu_type = config.cluster.shape.gpu_type});
  } catch (const IoError& unreadable) {
    refuse(cell, unreadable.what());
  }
}

}  // namespace mimus::emulator
