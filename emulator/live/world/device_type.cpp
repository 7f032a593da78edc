// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/world/device_type.hpp"

#include <cctype>

#include <fmt/format.h>

#include "base/error.hpp"
#include "kernels/footprint/gpu_spec.hpp"

namespace mimus::emulator {
namespace {

bool is_in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

/// Without what separates words at its beginning.
std::string_view at_word(std::string_view text) {
  while (!text.empty() && !is_in_word(text.front())) text.remove_prefix(1);
  return text;
}

bool are_alike(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

/// Whether `text` begins with the words of `type`.
bool begins_with(std::string_view text, std::string_view type) {
  type = at_word(type);
  while (!type.empty()) {
    text = at_word(text);
    if (text.empty() || !are_alike(text.front(), type.front())) return false;
    text.remove_prefix(1);
    type = at_word(type.substr(1));
  }
  return text.empty() || !is_in_word(text.front());
}

}  // namespace

bool is_of_type(std::string_view device, std::string_view type) {
  for (std::size_t i = 0; i < device.size(); ++i) {
    const bool begins_word = i == 0 || !is_in_word(device[i - 1]);
    if (begins_word && begins_with(device.substr(i), type)) return true;
  }
  return false;
}

std::string type_of_device(std::string_view device) {
  std::string longest;
  for (const std::string& type : kernels::gpu_names()) {
    if (type.size() > longest.size() && is_of_type(device, type)) longest = type;
  }
  return longest.empty() ? std::string(device) : longest;
}

void check_device_type(std::string_view device, GpuId gpu, std::string_view type, int rank) {
  if (is_of_type(device, type)) return;
  throw EnvironmentError(fmt::format(
      "GPU {} of the cluster is of type {}, but the device of rank {} is \"{}\"; list "
      "cluster.groups in the order of the hosts and their devices, by types that are part of the "
      "names of their devices",
      gpu.value(), type, rank, device));
}

}  // namespace mimus::emulator
