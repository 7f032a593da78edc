// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/interference_model.hpp"

#include "emulator/virtual/no_interference.hpp"
#include "emulator/virtual/pair_interference.hpp"
#include "emulator/virtual/utilisation_interference.hpp"

namespace mimus::emulator {

Registry<InterferenceModel> interference_choices(const StepTimeInputs& inputs,
                                                 const StepTimeModel& steps) {
  return {"interference",
          {{"none",
            "tenants of one GPU do not feel each other",
            {},
            [](YamlReader&) { return std::make_unique<NoInterference>(); }},
           utilisation_choice(steps),
           pairs_choice(inputs, steps)}};
}

}  // namespace mimus::emulator
