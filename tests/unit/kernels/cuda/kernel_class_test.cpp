// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/kernel_class.hpp"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace mimus::kernels::cuda {
namespace {

struct Example {
  const char* name;
  KernelClass kind;
};

void expect(const std::vector<Example>& examples) {
  for (const auto& [text, kind] : examples) {
    EXPECT_STREQ(name(classify_kernel(text)), name(kind)) << text;
  }
}

// Names as printed by profilers in public issues and traces of PyTorch, nanochat, apex, llm.c,
// sglang and Triton programs.

TEST(KernelClassTest, KnowsMatrixProducts) {
  expect({
      {"ampere_bf16_s1688gemm_bf16_128x128_ldg8_f2f_stages_32x1_nn", KernelClass::gemm},
      {"ampere_bf16_s16816gemm_bf16_256x128_ldg8_f2f_stages_32x3_nn", KernelClass::gemm},
      {"ampere_sgemm_128x64_tn", KernelClass::gemm},
      {"volta_cgemm_32x64_tn", KernelClass::gemm},
      {"nvjet_tst_128x24_64x11_2x1_v_bz_TNT", KernelClass::gemm},
      {"nvjet_tst_64x24_64x16_4x1_v_bz_splitK_TNT", KernelClass::gemm},
      {"sm80_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize96x64x32_stage3", KernelClass::gemm},
      {"void fermiCgemm_v3_kernel<true, false, false, false, 5, 5, 3, 8, 8>(int, int, int)",
       KernelClass::gemm},
      {"void gemv2T_kernel_val<int, int, float, float, float, float, 128, 16, 4, 4, false>(x)",
       KernelClass::gemm},
      {"void cublasLt::splitKreduce_kernel<32, 16, int, float, float, float>(x)",
       KernelClass::gemm},
      {"void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_128x128_16x5_nn_align4>(x::Params)",
       KernelClass::gemm},
      {"void cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<cute::tuple<int, int>>>",
       KernelClass::gemm},
      {"void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128, 128>>(p)",
       KernelClass::gemm},
      {"cudnn_generated_fort_native_sdpa_sm80_flash_fprop_wmma_f16_knob_32", KernelClass::gemm},
  });
}

TEST(KernelClassTest, KnowsConvolutions) {
  expect({
      {"volta_fp16_s884cudnn_fp16_256x128_ldg8_relu_f2f_exp_small_nhwc2nchw_tn_v1",
       KernelClass::convolution},
      {"ampere_fp16_s16816cudnn_fp16_256x128_ldg8_relu_f2f_exp_small_nhwc_tn_v1",
       KernelClass::convolution},
      {"maxwell_scudnn_128x64_relu_medium_nn", KernelClass::convolution},
      {"sm80_xmma_wgrad_implicit_gemm_indexed_tf32f32_tf32f32_f32_nhwckrsc_nhwc_tilesize128x128x16",
       KernelClass::convolution},
      {"sm86_xmma_fprop_implicit_gemm_f16f16_f16f32_f32_nhwckrsc_nhwc", KernelClass::convolution},
      {"void cutlass__5x_cudnn::Kernel<cutlass_tensorop_f16_s16816dgrad_optimized_f16_128x64_32x6>"
       "(cutlass_tensorop_f16_s16816dgrad_optimized_f16_128x64_32x6::Params)",
       KernelClass::convolution},
      {"void cudnn::winograd_nonfused::winogradForwardData4x4<float, float>(x)",
       KernelClass::convolution},
      {"void implicit_convolve_sgemm<float, float, 1024, 5, 5, 3, 3, 3, 1, true, false, true>(x)",
       KernelClass::convolution},
      {"cask_cudnn::computeOffsetsKernel(cask_cudnn::ComputeOffsetsParams)",
       KernelClass::convolution},
      {"void at::native::(anonymous namespace)::conv_depthwise2d_forward_kernel<1, float, int>(x)",
       KernelClass::convolution},
  });
}

TEST(KernelClassTest, KnowsNormalisation) {
  expect({
      {"void cudnn::detail::bn_bw_1C11_kernel_new<float, float, float2, 512, true, 1>(float)",
       KernelClass::normalisation},
      {"void cudnn::detail::bn_fw_tr_1C11_singleread<float, 512, true, 1, 2, 0>(x)",
       KernelClass::normalisation},
      {"void cudnn::detail::bn_fw_inf_1C11_kernel_NCHW<float, float, true, 1>(float)",
       KernelClass::normalisation},
      {"void at::native::batch_norm_collect_statistics_kernel<at::native::InvStd, float>(x)",
       KernelClass::normalisation},
      {"void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<float, float>(int)",
       KernelClass::normalisation},
      {"void at::native::(anonymous namespace)::GammaBetaBackwardCUDAKernel<float, float>(x)",
       KernelClass::normalisation},
      {"void flashinfer::norm::RMSNormKernel<8u, __nv_bfloat16>(x)", KernelClass::normalisation},
      {"layernorm_forward_kernel3", KernelClass::normalisation},
      {"triton_red_fused_native_layer_norm_0", KernelClass::normalisation},
  });
}

TEST(KernelClassTest, KnowsElementwiseKernelsWhateverTheirFunctor) {
  expect({
      {"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, "
       "std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<float>, x)",
       KernelClass::elementwise},
      {"void at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl_nocast<at::native::"
       "direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}::operator()() const>>(int)",
       KernelClass::elementwise},
      {"void at::native::unrolled_elementwise_kernel<at::native::MulScalarFunctor<float, float>>",
       KernelClass::elementwise},
      {"void kernelPointwiseApply2<ThresholdUpdateOutput<at::Half>, at::Half, at::Half>(x)",
       KernelClass::elementwise},
      {"void LSTM_elementWise_fp<float, float, float>(int, int)", KernelClass::elementwise},
      {"triton_poi_fused_add_relu_3", KernelClass::elementwise},
      {"void at::native::vectorized_elementwise_kernel<4, softmax_warp_like<float>>(int)",
       KernelClass::elementwise},
  });
}

TEST(KernelClassTest, KnowsReductionsAndSoftmax) {
  expect({
      {"void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::MeanOps<"
       "float, float, float, float>, unsigned int, float, 4>>(x)",
       KernelClass::reduction},
      {"void at::native::(anonymous namespace)::cunn_SoftMaxForward<8, float, float, float>(x)",
       KernelClass::reduction},
      {"void (anonymous namespace)::softmax_warp_backward<float, float, float, 7, true>(x)",
       KernelClass::reduction},
      {"void at_cuda_detail::cub::DeviceReduceSingleTileKernel<x, float*>(x)",
       KernelClass::reduction},
      {"void at::native::(anonymous namespace)::avg_pool2d_out_cuda_frame<float, float>(int)",
       KernelClass::reduction},
      {"void at::native::(anonymous namespace)::nll_loss_forward_reduce_cuda_kernel_2d<float>(x)",
       KernelClass::reduction},
  });
}

TEST(KernelClassTest, KnowsTheRest) {
  expect({
      {"void at::native::(anonymous namespace)::indexSelectLargeIndex<float, long, unsigned int>",
       KernelClass::embedding},
      {"void at::native::(anonymous namespace)::embedding_backward_feature_kernel<float>(x)",
       KernelClass::embedding},
      {"void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::TensorList"
       "Metadata<4>, at::native::FusedAdamMathFunctor<float, 4>>(x)",
       KernelClass::optimiser},
      {"multi_tensor_apply_kernel", KernelClass::optimiser},
      {"void at::native::(anonymous namespace)::CatArrayBatchedCopy<float, unsigned int, 2>(x)",
       KernelClass::copy},
      {"void cudnn::ops::nchwToNhwcKernel<__half, __half, float, false, true, 2>(x)",
       KernelClass::copy},
      {"void cudnn::ops::convertTensor_kernel<float, float, __half, "
       "(cudnnKernelDataType_t)2>(float)",
       KernelClass::copy},
      {"Memcpy DtoD (Device -> Device)", KernelClass::copy},
      {"Memcpy HtoD (Pinned -> Device)", KernelClass::copy},
      {"Memset (Device)", KernelClass::memset},
      {"ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
       KernelClass::collective},
      {"ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)", KernelClass::collective},
      {"void cub::DeviceSelectSweepKernel<cub::DispatchSelectIf<cub::CountingInputIterator<long>>>",
       KernelClass::other},
      {"convert_indices_from_coo_to_csr_kernel", KernelClass::other},
      {"chunk_local_cumsum_scalar_kernel", KernelClass::other},
      {"", KernelClass::other},
  });
}

TEST(KernelClassTest, TakesMimusAtItsWord) {
  expect({
      {"mimus_gemm_fill", KernelClass::gemm},
      {"void mimus::kernels::cuda::elementwise_map<float, 2>(float*, long)",
       KernelClass::elementwise},
      {"mimus::kernels::cuda::(anonymous namespace)::elementwise_dropout(float const*)",
       KernelClass::elementwise},
      {"void mimus::kernels::cuda::convolution_gemm_patch<float>(x)", KernelClass::convolution},
      {"mimus_normalisation_reduce_rows", KernelClass::normalisation},
      {"mimus_softmax_rows", KernelClass::reduction},
      {"mimus_reduction_sum", KernelClass::reduction},
      {"mimus_embedding_gather", KernelClass::embedding},
      {"mimus_adam_update", KernelClass::optimiser},
      {"mimus_optimiser_sgd", KernelClass::optimiser},
      {"mimus_copy_bytes", KernelClass::copy},
      {"mimus_memset_zero", KernelClass::memset},
      {"mimus_collective_sum", KernelClass::collective},
      {"mimus_spin_softmax", KernelClass::other},
  });
}

TEST(KernelClassTest, ReadsMangledNames) {
  // void mimus::kernels::cuda::elementwise_map<float>(float*)
  EXPECT_EQ(classify_kernel("_ZN5mimus7kernels4cuda15elementwise_mapIfEEvPT_"),
            KernelClass::elementwise);
}

TEST(KernelClassTest, NamesEveryClassDifferently) {
  std::set<std::string> names;
  for (int i = 0; i < kKernelClasses; ++i) names.insert(name(static_cast<KernelClass>(i)));

  EXPECT_EQ(names.size(), static_cast<std::size_t>(kKernelClasses));
  EXPECT_STREQ(name(KernelClass::other), name(static_cast<KernelClass>(kKernelClasses - 1)));
}

}  // namespace
}  // namespace mimus::kernels::cuda
