// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Linked if the build did not find cuDNN.
#include "base/error.hpp"
#include "kernels/cuda/libraries/convolution_decomposition.hpp"
#include "kernels/cuda/libraries/convolutions.hpp"
#include "kernels/cuda/libraries/matrix_product.hpp"

namespace mimus::kernels::cuda {

struct Convolutions::Library {
  MatrixProducts products;
};

Convolutions::Convolutions() : library_(std::make_unique<Library>()) {}
Convolutions::~Convolutions() = default;

void Convolutions::prepare(const Convolution& convolution) {
  for (const Product& product : decompose(convolution)) library_->products.prepare(product);
}

void Convolutions::prepare_measured(const Convolution& /*convolution*/,
                                    const RegionAddresses& /*regions*/, cudaStream_t /*stream*/) {
  throw InternalError(
      "products over shifted images are one algorithm; there is nothing to measure");
}

void Convolutions::enqueue(const Convolution& convolution, const RegionAddresses& regions,
                           cudaStream_t stream) {
  const float scale = convolution_scale(convolution);
  for (const Product& product : decompose(convolution)) {
    library_->products.enqueue(product, scale, regions, stream);
  }
}

std::int64_t Convolutions::most_commands(const Convolution& convolution) {
  return MatrixProducts::kMostCommands * static_cast<std::int64_t>(decompose(convolution).size());
}

void Convolutions::give_back() noexcept {
  library_->products.give_back();
}

std::int64_t Convolutions::workspace_bytes() const {
  return library_->products.workspace_bytes();
}

/// Convolutions need nothing but the workspace of the products.
std::int64_t Convolutions::workspace_bytes(const Convolution& /*convolution*/) const {
  return 0;
}

bool Convolutions::can_measure() {
  return false;
}

const char* Convolutions::name() {
  return "cuBLASLt products";
}

std::string Convolutions::library_version() {
  return {};
}

}  // namespace mimus::kernels::cuda
