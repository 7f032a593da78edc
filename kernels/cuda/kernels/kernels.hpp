// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// All launches that are not a library's: one `enqueue` per kind of launch.
#include "kernels/cuda/kernels/attention/attention_kernels.hpp"
#include "kernels/cuda/kernels/bucket_kernels.hpp"
#include "kernels/cuda/kernels/elementwise/elementwise_kernels.hpp"
#include "kernels/cuda/kernels/embedding_kernels.hpp"
#include "kernels/cuda/kernels/gru_kernels.hpp"
#include "kernels/cuda/kernels/optimiser_kernels.hpp"
#include "kernels/cuda/kernels/pooling_kernels.hpp"
#include "kernels/cuda/kernels/reduction_kernels.hpp"
