// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/nccl/nccl_error.hpp"

#include <gtest/gtest.h>

namespace mimus::kernels {
namespace {

TEST(NcclError, TakesProgressForNoError) {
  EXPECT_NO_THROW(check_nccl(ncclSuccess, "ncclAllReduce"));
  EXPECT_NO_THROW(check_nccl(ncclInProgress, "ncclAllReduce"));
  EXPECT_NO_THROW(check_nccl_async(ncclInProgress, "all-reduce", nullptr));
}

TEST(NcclError, LosesThePeerOnARemoteError) {
  EXPECT_THROW(check_nccl(ncclRemoteError, "ncclAllReduce"), PeerLostError);
  EXPECT_THROW(check_nccl_async(ncclRemoteError, "all-reduce", nullptr), PeerLostError);
}

TEST(NcclError, TakesAFailedSystemCallForALostPeerOnlyWhileRunning) {
  EXPECT_THROW(check_nccl(ncclSystemError, "ncclCommInitRankConfig"), LibraryError);
  EXPECT_THROW(check_nccl_async(ncclSystemError, "all-reduce", nullptr), PeerLostError);
}

TEST(NcclError, PassesAnyOtherCodeOn) {
  EXPECT_THROW(check_nccl(ncclInvalidUsage, "ncclAllReduce"), LibraryError);
  EXPECT_THROW(check_nccl_async(ncclInternalError, "all-reduce", nullptr), LibraryError);
}

}  // namespace
}  // namespace mimus::kernels
