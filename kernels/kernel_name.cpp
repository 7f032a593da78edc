// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/kernel_name.hpp"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace mimus::kernels::cuda {
namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)";

/// The rest of `text` after the last `separator`.
std::string_view after_last(std::string_view text, std::string_view separator) {
  const auto place = text.rfind(separator);
  return place == std::string_view::npos ? text : text.substr(place + separator.size());
}

/// `text` up to the first of `ends`, with surrounding spaces removed.
std::string_view up_to(std::string_view text, std::string_view ends) {
  text = text.substr(0, text.find_first_of(ends));
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace

std::string demangled_kernel_name(const std::string& name) {
  if (!name.starts_with("_Z")) return name;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text{
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free};
  return status == 0 && text ? std::string{text.get()} : name;
}

std::string kernel_function(std::string_view demangled) {
  std::string function;
  int depth = 0;
  for (std::size_t i = 0; i < demangled.size(); ++i) {
    const char c = demangled[i];
    if (depth == 0 && demangled.substr(i).starts_with(kAnonymous)) {
      function += "{}";  // without the space, which would look like the end of the return type
      i += kAnonymous.size() - 1;
    } else if (c == '<') {
      ++depth;
    } else if (c == '>' && depth > 0 && demangled[i - 1] != '-') {
      --depth;
    } else if (depth == 0 && c == '(') {
      break;
    } else if (depth == 0) {
      function += c;
    }
  }
  return std::string{after_last(up_to(function, ""), " ")};
}

bool is_generic_wrapper(std::string_view function) {
  if (function.find("cutlass") == std::string_view::npos) return false;
  const std::string_view last = after_last(function, "::");
  return last == "Kernel" || last == "Kernel2" || last == "device_kernel";
}

std::string short_kernel_name(std::string_view demangled) {
  const std::string function = kernel_function(demangled);
  const auto arguments = demangled.find('<');
  if (!is_generic_wrapper(function) || arguments == std::string_view::npos) {
    return std::string{after_last(function, "::")};
  }
  return std::string{up_to(demangled.substr(arguments + 1), "<,>")};
}

}  // namespace mimus::kernels::cuda
