// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/python/module/arguments.hpp"

#include <charconv>
#include <optional>

namespace py = pybind11;

namespace mimus::scheduler::python {
namespace {

template <class Number>
std::optional<Number> number(const std::string& text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end ? std::optional(value) : std::nullopt;
}

py::object scalar(const ConfigNode& node) {
  if (node.quoted) return py::str(node.scalar);
  if (node.scalar == "true" || node.scalar == "false") return py::bool_(node.scalar == "true");
  if (const auto whole = number<long long>(node.scalar)) return py::int_(*whole);
  if (const auto real = number<double>(node.scalar)) return py::float_(*real);
  return py::str(node.scalar);
}

// NOLINTNEXTLINE(misc-no-recursion): a tree of YAML, as deep as its writer made it
py::object value(const ConfigNode& node) {
  switch (node.kind) {
    case ConfigNode::Kind::null:
      return py::none();
    case ConfigNode::Kind::scalar:
      return scalar(node);
    case ConfigNode::Kind::sequence: {
      py::list items;
      for (const ConfigNode& item : node.items) items.append(value(item));
      return items;
    }
    case ConfigNode::Kind::mapping:
      break;
  }
  return keyword_arguments(node);
}

}  // namespace

// NOLINTNEXTLINE(misc-no-recursion)
py::dict keyword_arguments(const ConfigNode& mapping) {
  py::dict arguments;
  for (const auto& [name, node] : mapping.members) arguments[py::str(name)] = value(node);
  return arguments;
}

}  // namespace mimus::scheduler::python
