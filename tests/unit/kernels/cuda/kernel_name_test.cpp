// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/kernel_name.hpp"

#include <gtest/gtest.h>

namespace mimus::kernels::cuda {
namespace {

TEST(KernelName, IsDemangled) {
  EXPECT_EQ(demangled_kernel_name("_ZN5mimus7kernels4cuda3fooIfEEvPT_"),
            "void mimus::kernels::cuda::foo<float>(float*)");
  EXPECT_EQ(demangled_kernel_name("ampere_sgemm_128x64_tn"), "ampere_sgemm_128x64_tn");
  EXPECT_EQ(demangled_kernel_name("_Znonsense"), "_Znonsense");
}

TEST(KernelName, FunctionHasNoTypesAroundIt) {
  EXPECT_EQ(kernel_function("void at::native::reduce_kernel<512, 1, A<B<float>, 4> >(A<float>)"),
            "at::native::reduce_kernel");
  EXPECT_EQ(kernel_function("at::native::plain(int, float*)"), "at::native::plain");
  EXPECT_EQ(kernel_function("void f<decltype(a->b)>(int)"), "f");
  EXPECT_EQ(kernel_function("plain_c_name"), "plain_c_name");
  EXPECT_EQ(kernel_function(""), "");
}

TEST(KernelName, FunctionKeepsItsPlaceInAnonymousNamespaces) {
  EXPECT_EQ(kernel_function("void at::(anonymous namespace)::softmax<8>(int)"), "at::{}::softmax");
}

TEST(KernelName, ShortFormIsWhatFitsIntoATable) {
  EXPECT_EQ(short_kernel_name("void at::native::(anonymous namespace)::f<8, A<int>>(A<int>)"), "f");
  EXPECT_EQ(short_kernel_name("ncclDevKernel_AllReduce_Sum_f32_RING_LL(Storage<4096ul>)"),
            "ncclDevKernel_AllReduce_Sum_f32_RING_LL");
  EXPECT_EQ(short_kernel_name("void cutlass::Kernel<cutlass_80_s1688gemm_nn>(x::Params)"),
            "cutlass_80_s1688gemm_nn");
  EXPECT_EQ(short_kernel_name("void cutlass::device_kernel<ns::GemmUniversal<int, long>>(p)"),
            "ns::GemmUniversal");
}

}  // namespace
}  // namespace mimus::kernels::cuda
