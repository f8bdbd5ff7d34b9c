// Findings of `vitrail doctor`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "sail/core/loop/loop.h"
#include "sail/core/socket/udp.h"
#include "sail/core/text/limits.h"
#include "sail/core/wire/stats.h"
#include "tests/support/environment_variable.h"
#include "tests/support/temp_folder.h"
#include "ui/doctor/checks.h"

namespace ui {
namespace {

using sail::Json;
using testing::AllOf;
using testing::HasSubstr;
using Severity = Finding::Severity;

class DoctorTest : public testing::Test {
 protected:
  // Creates a file of the checked host.
  void has(const std::string& name, const std::string& text) {
    const auto file = root_.path() / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << '\n';
  }
  void has_link(const std::string& name, const std::string& speed, const std::string& duplex) {
    has("sys/class/net/" + name + "/operstate", "up");
    has("sys/class/net/" + name + "/speed", speed);
    has("sys/class/net/" + name + "/duplex", duplex);
    has("sys/class/net/" + name + "/mtu", "1500");
  }
  // The only finding.
  const Finding& finding() {
    EXPECT_EQ(findings_.size(), 1U);
    return findings_.front();
  }
  const sail::TempFolder root_;
  Findings findings_;
};

TEST_F(DoctorTest, SmallSocketBuffersAreMendedBySysctl) {
  has("proc/sys/net/core/rmem_max", "212992");
  has("proc/sys/net/core/wmem_max", "16777216");
  check_socket_buffers(root_.path(), findings_);
  ASSERT_EQ(findings_.size(), 2U);
  EXPECT_EQ(findings_[0].severity, Severity::kNote);
  EXPECT_THAT(findings_[0].what, HasSubstr("208 KiB"));
  EXPECT_THAT(findings_[0].advice, HasSubstr("sysctl -w net.core.rmem_max=8388608"));
  EXPECT_EQ(findings_[1].severity, Severity::kGood);
  EXPECT_EQ(findings_[1].advice, "");
}

TEST_F(DoctorTest, LinksThatAreSlowOrHalfDuplex) {
  has_link("eth0", "10000", "full");
  has_link("eth1", "100", "full");
  has_link("eth2", "1000", "half");
  has_link("lo", "-1", "unknown");
  has_link("veth", "-1", "unknown");
  check_links(root_.path(), findings_);
  ASSERT_EQ(findings_.size(), 4U);
  EXPECT_EQ(findings_[0].severity, Severity::kGood);
  EXPECT_THAT(findings_[0].what, HasSubstr("10000 Mbit/s, full duplex, MTU 1500"));
  EXPECT_EQ(findings_[1].severity, Severity::kNote);
  EXPECT_EQ(findings_[2].severity, Severity::kBad);
  EXPECT_EQ(findings_[3].what, "MTU 1500");
}

TEST_F(DoctorTest, AHostWithoutLinksIsAlone) {
  check_links(root_.path(), findings_);
  EXPECT_EQ(finding().severity, Severity::kNote);
}

TEST_F(DoctorTest, WhoSetsTheClockAndHowWell) {
  has("proc/17/comm", "chronyd");
  check_clock(root_.path(), {.max_error_ns = 1'500'000, .synchronised = true}, true, {}, findings_);
  EXPECT_EQ(finding().severity, Severity::kGood);
  EXPECT_THAT(finding().what, AllOf(HasSubstr("chronyd"), HasSubstr("1.500 ms")));
}

// Answers in the formats of chrony 4.3 and linuxptp 3.1.
constexpr const char* kChronyFollows =
    "C0A80001,192.168.0.1,3,1764450000.123456789,0.000012000,0.000003000,0.000021000,"
    "-4.561,0.001,0.034,0.000400000,0.000300000,64.2,Normal\n";
constexpr const char* kChronyAlone =
    "7F7F0101,,0,0.000000000,0.000000000,0.000000000,0.000000000,0.000,0.000,0.000,1.000000000,"
    "1.000000000,0.0,Not synchronised\n";
std::string ptp_in(const std::string& state) {
  return "sending: GET PORT_DATA_SET\n\t5254fa.fffe.c0ffee-1 seq 0 RESPONSE MANAGEMENT "
         "PORT_DATA_SET\n\t\tportIdentity            5254fa.fffe.c0ffee-1\n\t\tportState         "
         "      " +
         state + "\n\t\tlogMinDelayReqInterval  0\n";
}
constexpr sail::SystemClockReading kKernelKnows{.max_error_ns = 1'500'000, .synchronised = true};

TEST_F(DoctorTest, ChronyThatFollowsItsSourcesMustTellTheKernel) {
  has("proc/17/comm", "chronyd");
  check_clock(root_.path(), {}, true, {.chrony = kChronyFollows}, findings_);
  EXPECT_EQ(finding().severity, Severity::kBad);
  EXPECT_THAT(finding().what, HasSubstr("within 0.512 ms"));
  EXPECT_THAT(finding().advice, HasSubstr("rtcsync"));
  findings_.clear();
  check_clock(root_.path(), kKernelKnows, true, {.chrony = kChronyFollows}, findings_);
  EXPECT_EQ(finding().severity, Severity::kGood);
}

TEST_F(DoctorTest, ChronyWithoutASourceIsNotTrustedWhateverTheKernelSays) {
  has("proc/17/comm", "chronyd");
  check_clock(root_.path(), kKernelKnows, true, {.chrony = kChronyAlone}, findings_);
  EXPECT_EQ(finding().severity, Severity::kBad);
  EXPECT_THAT(finding().what, HasSubstr("no time source"));
}

TEST_F(DoctorTest, PtpWithoutAMasterIsNotTrustedWhateverTheKernelSays) {
  has("proc/17/comm", "ptp4l");
  for (const char* state : {"LISTENING", "UNCALIBRATED", "FAULTY"}) {
    findings_.clear();
    check_clock(root_.path(), kKernelKnows, true, {.ptp = ptp_in(state)}, findings_);
    EXPECT_EQ(finding().severity, Severity::kBad);
    EXPECT_THAT(finding().what, HasSubstr(state));
  }
  for (const char* state : {"SLAVE", "MASTER"}) {
    findings_.clear();
    check_clock(root_.path(), kKernelKnows, true, {.ptp = ptp_in(state)}, findings_);
    EXPECT_EQ(finding().severity, Severity::kGood) << state;
  }
}

// The programs are not installed, or answer something else.
TEST_F(DoctorTest, WithoutAnswersTheKernelsReportCounts) {
  has("proc/17/comm", "ptp4l");
  for (const char* answer : {"", "506 Cannot talk to daemon\n", "a,b,c\n"}) {
    findings_.clear();
    check_clock(root_.path(), kKernelKnows, true, {.chrony = answer, .ptp = answer}, findings_);
    EXPECT_EQ(finding().severity, Severity::kGood) << answer;
  }
}

TEST_F(DoctorTest, ChronysAnswerWithoutNumbersCannotBeRead) {
  has("proc/17/comm", "chronyd");
  for (const char* number : {"nan", "-nan", "inf"}) {
    findings_.clear();
    std::string answer = kChronyFollows;
    answer.replace(answer.find("0.000012000"), std::string("0.000012000").size(), number);
    check_clock(root_.path(), {}, true, {.chrony = answer}, findings_);
    EXPECT_THAT(finding().what, HasSubstr("the kernel reports")) << number;
  }
}

TEST_F(DoctorTest, TimeDaemonsAreAskedByTheirPrograms) {
  const auto add_program = [this](const std::string& name, const std::string& script) {
    has(name, "#!/bin/sh\n" + script);
    std::filesystem::permissions(root_.path() / name, std::filesystem::perms::owner_all);
  };
  add_program("chronyc", "printf '%s\\n' \"$*\"");
  add_program("pmc", "echo portState LISTENING; exit 1");
  const test::EnvironmentVariable path("PATH", root_.path().string() + ":/usr/bin:/bin");
  const TimeDaemonAnswers answers = ask_time_daemons();
  EXPECT_EQ(answers.chrony, "-n -c tracking\n");
  EXPECT_EQ(answers.ptp, "") << "it failed";
}

TEST_F(DoctorTest, ChronyThatDoesNotTellTheKernelNeedsALine) {
  has("proc/17/comm", "chronyd");
  check_clock(root_.path(), {}, true, {}, findings_);
  EXPECT_EQ(finding().severity, Severity::kBad);
  EXPECT_THAT(finding().what, HasSubstr("chronyd"));
  EXPECT_THAT(finding().advice, HasSubstr("rtcsync"));
}

TEST_F(DoctorTest, MachinesOfTheWallThatAreOverloaded) {
  const sail::HostLoad busy{
      .cores = 2, .wanting = 15, .waits_pct = 95, .busy = {"ffmpeg", "cc1plus"}};
  check_hosts({{"hosts",
                {to_json(sail::HostStats{.host = "node1", .load = {.cores = 8}}),
                 to_json(sail::HostStats{.host = "node2", .load = busy})}}},
              findings_);
  ASSERT_EQ(findings_.size(), 2U);
  EXPECT_EQ(findings_[0].severity, Severity::kGood);
  EXPECT_EQ(findings_[1].severity, Severity::kBad);
  EXPECT_EQ(findings_[1].about, "load of node2");
  EXPECT_THAT(findings_[1].what, HasSubstr("ffmpeg, cc1plus"));
}

TEST_F(DoctorTest, AClockThatNobodySetsMattersWhereTheWallFollowsIt) {
  check_clock(root_.path(), {}, true, {}, findings_);
  check_clock(root_.path(), {}, false, {}, findings_);
  EXPECT_EQ(findings_[0].severity, Severity::kBad);
  EXPECT_EQ(findings_[1].severity, Severity::kNote);
}

TEST_F(DoctorTest, HowWellReceiversKnowTheWallsTime) {
  const auto peer = [](const char* name, const char* role, double error_us) {
    Json json = to_json(
        sail::ClockStats{.offset_us = -2500, .drift_ppm = 0.5, .error_us = error_us, .age_s = 1});
    json["name"] = name;
    json["role"] = role;
    return json;
  };
  const Json clocks = {{"peers",
                        {peer("left", "receiver", 80), peer("right", "receiver", 5000),
                         peer("film", "application", 9), Json{{"role", "receiver"}}}}};
  check_wall_time(clocks, "", findings_);
  ASSERT_EQ(findings_.size(), 2U);
  EXPECT_EQ(findings_[0].severity, Severity::kGood);
  EXPECT_THAT(findings_[0].what,
              AllOf(HasSubstr("-2.500 ms"), HasSubstr("0.080 ms"), HasSubstr("+0.5 ppm")));
  EXPECT_EQ(findings_[1].severity, Severity::kNote);
  EXPECT_THAT(findings_[1].advice, HasSubstr("--clock system"));
  findings_.clear();
  check_wall_time(clocks, "left", findings_);
  EXPECT_EQ(finding().about, "wall time at left");
  check_wall_time(Json::object(), "", findings_);
  EXPECT_EQ(findings_.size(), 1U);
}

TEST_F(DoctorTest, ADiskIsMeasuredAndLeftAsItWas) {
  check_disk(root_.path(), findings_);
  EXPECT_THAT(finding().what, HasSubstr("MB/s written"));
  EXPECT_TRUE(std::filesystem::is_empty(root_.path()));
  findings_.clear();
  check_disk(root_.path() / "nowhere", findings_);
  EXPECT_EQ(finding().severity, Severity::kBad);
}

const Json kWall = {
    {"receivers", {{{"name", "left"}}, {{"name", "memory"}, {"display", "null"}}}},
    {"audio", {{{"receiver", "left"}}}},
    {"tiles", {{{"name", "l"}, {"receiver", "left"}, {"resolution", {1920, 1080}}}}}};

// The worst finding on this subject.
Severity worst(const Json& abilities, const std::string& receiver, const std::string& about) {
  Findings findings;
  check_abilities(abilities, kWall, receiver, findings);
  Severity severity = Severity::kGood;
  for (const Finding& finding : findings) {
    if (finding.about == about) severity = std::max(severity, finding.severity);
  }
  return severity;
}

TEST_F(DoctorTest, OutputsAreHeldAgainstTheWallFile) {
  const Json wall = {
      {"tiles",
       {{{"name", "a"}, {"receiver", "n"}, {"resolution", {8, 8}}, {"output", "HDMI-A-1"}},
        {{"name", "b"}, {"receiver", "n"}, {"resolution", {8, 8}}, {"output", "HDMI-A-2"}}}}};
  const auto abilities = [](const char* second) {
    return Json{{"kernels", "avx2"},
                {"displays",
                 {{{"output", "HDMI-A-1"}, {"rect", {0, 0, 8, 8}}},
                  {{"output", second}, {"rect", {8, 0, 8, 8}}}}}};
  };
  const auto troubles = [&](const Json& found) {
    std::string all;
    Findings findings;
    check_abilities(found, wall, "n", findings);
    for (const Finding& finding : findings) {
      if (finding.about == "displays" && finding.severity == Severity::kBad) all += finding.what;
    }
    return all;
  };
  EXPECT_EQ(troubles(abilities("HDMI-A-2")), "");
  EXPECT_EQ(troubles(abilities("DP-1")),
            "n has no output HDMI-A-2 for tile 'b'; it has HDMI-A-1, DP-1");
}

TEST_F(DoctorTest, DisplaysAreHeldAgainstTheWallFile) {
  const auto displays = [](const Json& rect) {
    return Json::array({{{"output", "HDMI-A-1"}, {"rect", rect}}});
  };
  const Json good = {
      {"kernels", "avx2"}, {"displays", displays({0, 0, 1920, 1080})}, {"sound", {"card"}}};
  EXPECT_EQ(worst(good, "left", "displays"), Severity::kGood);
  const Json small = {{"kernels", "avx2"}, {"displays", displays({0, 0, 1280, 720})}};
  EXPECT_EQ(worst(small, "left", "displays"), Severity::kBad);
  EXPECT_EQ(worst(small, "", "displays"), Severity::kGood) << "it is no node";
  const Json none = {{"kernels", "reference"}, {"display_error", "no display"}};
  EXPECT_EQ(worst(none, "left", "displays"), Severity::kBad);
  EXPECT_EQ(worst(none, "memory", "displays"), Severity::kNote) << "it wants none";
  Findings findings;
  check_abilities(none, kWall, "left", findings);
  const auto found = std::ranges::find(findings, "displays", &Finding::about);
  ASSERT_NE(found, findings.end());
  EXPECT_THAT(found->advice, AllOf(HasSubstr("/dev/dri"), HasSubstr("DISPLAY")))
      << "without a desktop, and with one";
  EXPECT_EQ(worst(none, "left", "CPU"), Severity::kBad);
  EXPECT_EQ(worst(none, "left", "sound"), Severity::kBad);
  EXPECT_EQ(worst(none, "memory", "sound"), Severity::kGood);
}

TEST_F(DoctorTest, ANodeWhosePicturesWaitForOtherPrograms) {
  EXPECT_EQ(worst({{"realtime", true}}, "left", "priority"), Severity::kGood);
  EXPECT_EQ(worst({{"realtime", false}}, "left", "priority"), Severity::kNote);
  EXPECT_EQ(worst({{"realtime", false}}, "", "priority"), Severity::kGood) << "it is no node";
}

TEST_F(DoctorTest, ANodeWithoutADecoderOfFilms) {
  const Json lacking = {{"codecs_error", "vitrail-decoder is not installed"}};
  EXPECT_EQ(worst(lacking, "left", "films"), Severity::kNote);
  EXPECT_EQ(worst(Json::object(), "left", "films"), Severity::kGood);
}

TEST_F(DoctorTest, ANodeNeedsAReceiver) {
  check_abilities(std::nullopt, kWall, "left", findings_);
  EXPECT_EQ(finding().severity, Severity::kBad);
}

TEST_F(DoctorTest, ReceiversThatAreAwayAndPortsThatAreClosed) {
  const Json state = {
      {"receivers",
       {{{"name", "left"}, {"connected", true}, {"host", "127.0.0.1"}, {"port", 1}},
        {{"name", "right"}, {"connected", false}, {"run", {{"why", "ended with status 255"}}}}}}};
  check_receivers(state, findings_);
  EXPECT_THAT(finding().what, HasSubstr("status 255"));
  findings_.clear();
  const auto reached = connected_receivers(state, "127.0.0.1");
  ASSERT_EQ(reached.size(), 1U);
  check_ports(reached, findings_);
  EXPECT_EQ(finding().severity, Severity::kBad);
  EXPECT_THAT(finding().what, HasSubstr("127.0.0.1:1:"));
}

// Of three receivers one gets the datagrams, the second none, and the third is too old to report.
TEST_F(DoctorTest, DatagramsThatComeToReceiversAreToldOfByThem) {
  const int port = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  ASSERT_EQ(bind(port, reinterpret_cast<const sockaddr*>(&at), size), 0);
  ASSERT_EQ(getsockname(port, reinterpret_cast<sockaddr*>(&at), &size), 0);
  int refused = 7;
  const auto state = [&] {
    for (char byte = 0; recv(port, &byte, 1, 0) > 0;) ++refused;
    return Json{{"receivers",
                 {{{"name", "left"}, {"stats", {{"packets_refused", refused}}}},
                  {{"name", "right"}, {"stats", {{"packets_refused", 3}}}},
                  {{"name", "old"}, {"stats", {{"frames_shown", 3}}}}}}};
  };
  const uint16_t number = ntohs(at.sin_port);
  check_packets({{"left", "127.0.0.1", number}, {"old", "127.0.0.1", 1}}, state, findings_);
  EXPECT_EQ(finding().about, "packets to left");
  EXPECT_EQ(finding().severity, Severity::kGood) << finding().what;
  EXPECT_THAT(finding().what, AllOf(HasSubstr("20 of 20 "), HasSubstr("127.0.0.1:")));
  findings_.clear();
  check_packets({{"right", "127.0.0.1", 1}}, state, findings_);
  EXPECT_EQ(finding().severity, Severity::kBad);
  EXPECT_THAT(finding().what, HasSubstr("0 of 20"));
  EXPECT_THAT(finding().advice, HasSubstr("--transport tcp"));
  close(port);
}

// Two receivers are members of the group for tests; the third one is not.
TEST_F(DoctorTest, ReceiversToWhichMulticastDoesNotComeAreNamed) {
  const Json wall{{"multicast", "239.77.5.0/24"}};
  class Counter : public sail::UdpReader {
   public:
    void on_datagrams(std::span<const sail::Datagram> datagrams) override {
      count += static_cast<int>(datagrams.size());
    }
    int count = 0;
  } counter;
  sail::Loop loop;
  auto member = sail::UdpSocket::join_from_all(loop, {"239.77.5.255", sail::kMulticastPort}, true);
  ASSERT_TRUE(member) << member.error().message;
  (*member)->start_reading(counter);
  const auto state = [&] {
    loop.post([&] { loop.stop(); });
    loop.run();
    return Json{{"receivers",
                 {{{"name", "left"}, {"stats", {{"packets_refused", counter.count}}}},
                  {{"name", "right"}, {"stats", {{"packets_refused", 3}}}}}}};
  };
  check_multicast(wall, {{"left", "127.0.0.1", 1}}, state, findings_);
  EXPECT_EQ(finding().about, "multicast to left");
  EXPECT_EQ(finding().severity, Severity::kGood) << finding().what;
  EXPECT_THAT(finding().what, HasSubstr("20 of 20 datagrams to the group 239.77.5.255"));
  findings_.clear();
  check_multicast(wall, {{"right", "127.0.0.1", 1}}, state, findings_);
  EXPECT_EQ(finding().severity, Severity::kBad);
  EXPECT_THAT(finding().advice, HasSubstr("querier"));
  findings_.clear();
  check_multicast({{"multicast", "ff18::4:0/112"}}, {{"left", "127.0.0.1", 1}}, state, findings_);
  EXPECT_EQ(finding().severity, Severity::kBad);
  EXPECT_THAT(finding().what, HasSubstr("version of IP"));
  findings_.clear();
  check_multicast({{"multicast", "239.77.5.1/32"}}, {{"left", "127.0.0.1", 1}}, state, findings_);
  EXPECT_EQ(finding().severity, Severity::kNote);
  findings_.clear();
  check_multicast(Json::object(), {{"left", "127.0.0.1", 1}}, state, findings_);
  EXPECT_TRUE(findings_.empty()) << "the wall has no multicast";
}

TEST_F(DoctorTest, AStandbyThatFollowsOrIsAway) {
  check_standby({{"standby", nullptr}}, findings_);
  EXPECT_TRUE(findings_.empty()) << "the wall names none";
  check_standby({{"standby", {{"connected", true}, {"address", "head2:7440"}}}}, findings_);
  EXPECT_EQ(finding().severity, Severity::kGood);
  EXPECT_THAT(finding().what, HasSubstr("head2:7440"));
  findings_.clear();
  check_standby({{"standby", {{"connected", false}, {"run", {{"why", "ended with status 255"}}}}}},
                findings_);
  EXPECT_EQ(finding().severity, Severity::kBad);
  EXPECT_THAT(finding().what, HasSubstr("status 255"));
  EXPECT_NE(finding().advice, "");
}

// If this user may not send echo packets, the finding says that the result is unknown.
TEST_F(DoctorTest, TheWayToAnotherHost) {
  check_path("here", "127.0.0.1", 1500, findings_);
  EXPECT_NE(finding().severity, Severity::kBad) << finding().what;
}

TEST_F(DoctorTest, FindingsOfAnotherHostAreRead) {
  const Findings reported = {{Severity::kBad, "disk", "slow", "a faster one"},
                             {Severity::kGood, "CPU", "x", ""}};
  EXPECT_TRUE(any_bad(reported));
  const Findings read = findings_from(findings_json(reported));
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].severity, Severity::kBad);
  EXPECT_EQ(read[0].advice, "a faster one");
  EXPECT_FALSE(any_bad({read[1]}));
  EXPECT_TRUE(findings_from({{"what", 7}}).empty());
  EXPECT_TRUE(findings_from(Json::array({7, {{"about", "x"}}})).empty());
  EXPECT_THAT(findings_text(findings_from(Json::array({{{"what", "a\x1b[2Jb"}}}))),
              HasSubstr("a?[2Jb"));
}

}  // namespace
}  // namespace ui
