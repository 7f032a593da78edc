// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/mps/mps.hpp"

#include <array>
#include <fcntl.h>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "kernels/cuda/mps/mps_processes.hpp"
#include "tests/unit/kernels/cuda/fake_mps.hpp"

namespace mimus::kernels::cuda {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::chrono::seconds kLong{60};

struct MpsTest : testing::Test {
  FakeMps fake;
  std::string folder = fake.folder().file("mps");
  std::string pipe = folder + "/pipe";

  [[nodiscard]] MpsServer::Options options(Duration start = kLong, Duration stop = kLong) const {
    return {folder, start, stop};
  }
  static void tell(const MpsServer& server, const std::string& file, const std::string& text) {
    std::ofstream(server.pipe_directory() + "/" + file) << text;
  }
  template <class Wrong>
  std::string refusal(const MpsServer::Options& wanted) {
    try {
      MpsServer server{wanted};
    } catch (const Wrong& error) {
      return error.what();
    }
    return "no error";
  }
};

TEST_F(MpsTest, RunsFromItsStartToItsEnd) {
  {
    MpsServer server{options()};
    EXPECT_THAT(mps_processes(pipe), SizeIs(1));
    EXPECT_TRUE(server.activity().daemon_answers);
    EXPECT_THAT(server.environment(),
                ElementsAre(std::pair{"CUDA_MPS_LOG_DIRECTORY", folder + "/log"},
                            std::pair{"CUDA_MPS_PIPE_DIRECTORY", pipe}));
  }
  EXPECT_THAT(mps_processes(pipe), IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(pipe));
  EXPECT_TRUE(std::filesystem::exists(folder + "/log/control.log")) << "kept for its reader";
}

TEST_F(MpsTest, MakesAndRemovesATemporaryFolderOfItsOwn) {
  std::string made;
  {
    MpsServer server{{"", kLong, kLong}};
    made = std::filesystem::path{server.pipe_directory()}.parent_path().string();
    EXPECT_TRUE(std::filesystem::exists(made));
  }
  EXPECT_FALSE(std::filesystem::exists(made));
}

TEST_F(MpsTest, SaysWhenTheDriverHasNoMps) {
  fake.uninstall();

  EXPECT_THAT(refusal<EnvironmentError>(options()), HasSubstr("is not in PATH"));
}

TEST_F(MpsTest, NamesStageOutputAndLogWhenTheStartFails) {
  FakeMps::misbehave("fails");

  EXPECT_THAT(refusal<EnvironmentError>(options()),
              AllOf(HasSubstr("start of the MPS control daemon"), HasSubstr("code 3"),
                    HasSubstr("cannot find a device"), HasSubstr(folder + "/log/control.log")));
  FakeMps::misbehave("");
  EXPECT_NO_THROW(MpsServer{options()}) << "a failed start leaves nothing in the way";
}

TEST_F(MpsTest, GivesUpOnAStartThatHangs) {
  FakeMps::misbehave("hangs_at_start");

  EXPECT_THAT(refusal<TimeoutError>(options(std::chrono::milliseconds{300})),
              AllOf(HasSubstr("0.3 s"), HasSubstr("start of the MPS control daemon"),
                    HasSubstr("did not return"), HasSubstr("control.log")));
}

TEST_F(MpsTest, QuotesTheLogOfADaemonThatDies) {
  FakeMps::misbehave("dies_early");

  EXPECT_THAT(
      refusal<EnvironmentError>(options()),
      AllOf(HasSubstr("died right after its start"), HasSubstr("no permission for the device")));
}

TEST_F(MpsTest, GivesUpOnADaemonThatNeverAnswersAndLeavesNoProcess) {
  FakeMps::misbehave("never_answers");

  EXPECT_THAT(refusal<TimeoutError>(options(std::chrono::seconds{5})),
              AllOf(HasSubstr("first answer"), HasSubstr("5.0 s"), HasSubstr("get_server_list"),
                    HasSubstr("control.log")));
  EXPECT_THAT(mps_processes(pipe), IsEmpty());
}

TEST_F(MpsTest, KillsADaemonThatDoesNotQuitAndNoOther) {
  MpsServer other{{fake.folder().file("other"), kLong, kLong}};
  {
    MpsServer server{options(kLong, std::chrono::seconds{1})};
    FakeMps::misbehave("ignores_quit");
  }
  FakeMps::misbehave("");

  EXPECT_THAT(mps_processes(pipe), IsEmpty());
  EXPECT_TRUE(other.activity().daemon_answers);
}

TEST_F(MpsTest, KillsADaemonThatHangsAtItsEnd) {
  {
    MpsServer server{options(kLong, std::chrono::seconds{1})};
    FakeMps::misbehave("never_answers");
  }
  EXPECT_THAT(mps_processes(pipe), IsEmpty());
}

// As for a rank that is killed: its end of the pipe closes, and no destructor runs.
TEST_F(MpsTest, EndsWithItsOwnerWhereItIsGuarded) {
  std::array<int, 2> lifeline{};
  ASSERT_EQ(::pipe2(lifeline.data(), O_CLOEXEC), 0);
  const pid_t guardian = ::fork();
  if (guardian == 0) {
    ::close(lifeline[1]);
    guard_mps(lifeline[0], pipe);
    ::_exit(0);
  }
  ::close(lifeline[0]);
  const MpsServer server{options()};
  EXPECT_THAT(mps_processes(pipe), SizeIs(1));

  ::close(lifeline[1]);
  ::waitpid(guardian, nullptr, 0);

  EXPECT_THAT(mps_processes(pipe), IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(pipe));
}

TEST_F(MpsTest, LetsItsGuardianGo) {
  const std::string said = fake.folder().file("guarded");
  MpsServer::Options guarded = options();
  guarded.guardian = {"sh", "-c", "echo $0 >" + said + "; exec cat"};
  {
    MpsServer server{guarded};
    std::string line;
    while (line != pipe) std::getline(std::ifstream(said) >> std::ws, line);
  }
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
}

TEST_F(MpsTest, TakesOverNothingThatItDidNotStart) {
  MpsServer running{options()};

  EXPECT_THAT(refusal<EnvironmentError>(options()), HasSubstr("exists already"));
  EXPECT_TRUE(running.activity().daemon_answers);
}

TEST_F(MpsTest, RefusesAPathThatIsTooLongForItsSockets) {
  // "/control_privileged" is 19 bytes; sun_path holds 107 and a zero.
  std::string at_bound = fake.folder().file("m");
  at_bound.resize(88 - 5, 'm');  // and "/pipe"

  EXPECT_THAT(refusal<EnvironmentError>({at_bound + "m", kLong, kLong}),
              AllOf(HasSubstr("has 89 bytes, at most 88"), HasSubstr("108 bytes"),
                    HasSubstr("shorter path")));
  EXPECT_NO_THROW(MpsServer({at_bound, kLong, kLong}));
}

TEST_F(MpsTest, KnowsThatAClientIsConnected) {
  MpsServer server{options()};
  const std::string self = std::to_string(::getpid());
  tell(server, "servers", self + "\n");  // a process of this user
  tell(server, "clients-" + self, "4711\n4712\n");

  const auto connected = server.activity(4712);
  EXPECT_TRUE(connected.is_active());
  EXPECT_THAT(connected.servers, ElementsAre(::getpid()));
  EXPECT_THAT(connected.clients, ElementsAre(4711, 4712));
  EXPECT_EQ(connected.reason, "");

  const auto stranger = server.activity(4713);
  EXPECT_EQ(stranger.client_connected, false);
  EXPECT_FALSE(stranger.is_active());
  EXPECT_THAT(stranger.reason, HasSubstr("process 4713 is not among the 2 clients"));
}

TEST_F(MpsTest, IsNotActiveBeforeACudaProgramConnects) {
  MpsServer server{options()};

  const auto activity = server.activity();

  EXPECT_TRUE(activity.daemon_answers);
  EXPECT_FALSE(activity.is_active());
  EXPECT_THAT(activity.reason, HasSubstr("no server for this user"));
}

TEST_F(MpsTest, IsNotActiveWithoutADaemon) {
  const auto activity = mps_active(4711, fake.folder().file("nowhere"), kLong);

  EXPECT_FALSE(activity.daemon_answers);
  EXPECT_FALSE(activity.is_active());
  EXPECT_EQ(activity.client_connected, false);
  EXPECT_THAT(activity.reason, HasSubstr("Cannot find MPS control daemon"));
}

TEST_F(MpsTest, AsksTheDaemonOfTheEnvironmentByDefault) {
  MpsServer server{options()};
  ASSERT_EQ(::setenv("CUDA_MPS_PIPE_DIRECTORY", pipe.c_str(), 1), 0);
  const bool answers = mps_active().daemon_answers;
  ::unsetenv("CUDA_MPS_PIPE_DIRECTORY");

  EXPECT_TRUE(answers);
}

TEST_F(MpsTest, SaysWhenTheDaemonDoesNotAnswer) {
  MpsServer server{options(kLong, std::chrono::seconds{1})};
  FakeMps::misbehave("never_answers");

  const auto activity = mps_active(std::nullopt, pipe, std::chrono::milliseconds{300});
  FakeMps::misbehave("");

  EXPECT_FALSE(activity.daemon_answers);
  EXPECT_THAT(activity.reason, HasSubstr("did not answer \"get_server_list\" within 0.3 s"));
}

TEST(VisibleDevices, AreNamedByTheirUuids) {
  const std::vector<std::string> uuids{"GPU-a", "GPU-b", ""};
  EXPECT_EQ(visible_by_uuid("1,0", uuids), "GPU-b,GPU-a");
  EXPECT_EQ(visible_by_uuid("GPU-b", uuids), "GPU-b");
  EXPECT_EQ(visible_by_uuid("2", uuids), std::nullopt);  // NVML does not know
  EXPECT_EQ(visible_by_uuid("0,7", uuids), std::nullopt);
}

TEST(MpsEnvironment, LimitsThreadsAndMemory) {
  EXPECT_THAT(mps_environment(25, Bytes{4 * kGi}),
              ElementsAre(std::pair{"CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "25"},
                          std::pair{"CUDA_MPS_PINNED_DEVICE_MEM_LIMIT", "0=4G"}));
  EXPECT_EQ(mps_environment(12.5, std::nullopt).at("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE"), "12.5");
  EXPECT_EQ(
      mps_environment(std::nullopt, Bytes{1.5 * kGi}, 2).at("CUDA_MPS_PINNED_DEVICE_MEM_LIMIT"),
      "2=1536M");
  EXPECT_EQ(mps_environment({}, Bytes{2 * kMi - 1}).at("CUDA_MPS_PINNED_DEVICE_MEM_LIMIT"), "0=1M");
  EXPECT_THAT(mps_environment({}, {}), IsEmpty());
}

TEST(MpsEnvironment, RefusesWhatMpsWouldNotTake) {
  EXPECT_THROW((void)mps_environment(0, {}), UsageError);
  EXPECT_THROW((void)mps_environment(100.5, {}), UsageError);
  EXPECT_THROW((void)mps_environment({}, Bytes{kMi - 1}), UsageError);
  EXPECT_THROW((void)mps_environment({}, Bytes{kGi}, -1), UsageError);
}

}  // namespace
}  // namespace mimus::kernels::cuda
