// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Included before sources that need names of CUPTI and cuDNN: what is not in the headers of
// CUDA 12.0 and cuDNN 9.1 must not be used.
#pragma once

#include <cuda.h>
#include <cupti.h>
#if __has_include(<cudnn.h>)
#include <cudnn.h>
#endif

#pragma GCC poison CUpti_ActivityKernel10 CUpti_ActivityKernel11 CUpti_ActivityKernel12
#pragma GCC poison CUpti_ActivityMemcpy6 CUpti_ActivityMemset5
#pragma GCC poison CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED
