// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace mimus::kernels::cuda {

/// A kernel's name as written in source code. Names that are not mangled are returned unchanged.
[[nodiscard]] std::string demangled_kernel_name(const std::string& name);

/// The qualified function of a demangled name: no return type, template arguments or parameters.
/// `void at::native::reduce_kernel<512, 1, ...>(...)` is `at::native::reduce_kernel`.
[[nodiscard]] std::string kernel_function(std::string_view demangled);

/// CUTLASS launches everything through a few templates (`cutlass::Kernel<Op>`), so only the
/// template arguments say what the kernel does.
[[nodiscard]] bool is_generic_wrapper(std::string_view function);

/// A name short enough for a table: the function without its namespaces, or for a generic wrapper
/// its first template argument.
[[nodiscard]] std::string short_kernel_name(std::string_view demangled);

}  // namespace mimus::kernels::cuda
