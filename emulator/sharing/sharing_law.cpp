// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/sharing/sharing_law.hpp"

#include "base/fields.hpp"
#include "emulator/sharing/kernels_law.hpp"
#include "emulator/sharing/mps_law.hpp"
#include "emulator/sharing/pairs_law.hpp"
#include "emulator/sharing/phases_law.hpp"
#include "emulator/sharing/slices_law.hpp"

namespace mimus::emulator {
namespace {

/// Tenants of one GPU do not slow each other.
class NoSharingLaw final : public SharingLaw {
 public:
  [[nodiscard]] std::string name() const override { return "none"; }
  [[nodiscard]] bool active() const override { return false; }
  [[nodiscard]] double slowdown(const GpuTenant&, std::span<const GpuTenant>) const override {
    return 1.0;
  }
};

/// Rejects the names that these modes had before.
void refuse_old_name(const ConfigNode& node) {
  const ConfigNode* name = node.kind == ConfigNode::Kind::mapping ? node.find("name") : &node;
  if (name == nullptr || name->scalar != "utilisation") return;
  throw ConfigError(name->where, "engine.interference",
                    "\"utilisation\" was replaced by two modes: write slices for law: fair "
                    "(tenants in turns), or mps for law: sum (tenants side by side)");
}

}  // namespace

Registry<SharingLaw> sharing_laws(const SharingInputs& inputs) {
  return {"interference",
          {choice<SharingLaw, NoSharingLaw>("none", "tenants of one GPU do not slow each other"),
           slices_choice(), mps_choice(inputs), kernels_choice(inputs), pairs_choice(inputs),
           phases_choice()}};
}

std::unique_ptr<SharingLaw> make_sharing_law(const ConfigNode& node, const SharingInputs& inputs) {
  refuse_old_name(node);
  return sharing_laws(inputs).make(node, "engine.interference");
}

}  // namespace mimus::emulator
