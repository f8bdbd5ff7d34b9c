// Starting receivers on this and other hosts, and their logs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <optional>

#include "manager/files/node_logs.h"
#include "manager/programs/node_checkups.h"
#include "manager/programs/node_command.h"
#include "sail/core/process/process.h"
#include "tests/support/loop_test.h"
#include "tests/support/temp_folder.h"

namespace manager {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

const sail::ReceiverPlace kNear{.name = "near", .host = ""};

ReceiverStart start_from(const std::string& listen) {
  return {.program = "/bin/receiver",
          .node = {.manager = {"127.0.0.1", 7440},
                   .listen = {listen, 7440},
                   .key = {.name = "", .secret = "to'ken"},
                   .ssh = {"ssh", "-v"}}};
}

sail::Result<NodeCommand> command_of(const sail::ReceiverPlace& place, const ReceiverStart& start) {
  return node_command(receiver_program(place, start), start.node);
}

// Runs the ssh script locally. Returns the environment and arguments of the program.
std::string run_there(const NodeCommand& command, const std::string& connection) {
  const sail::TempFolder folder;
  const std::string program = folder.write(
      "program", "#!/bin/sh\nprintf '%s|' \"$VITRAIL_KEY\" \"$A\" \"$VITRAIL_MANAGER\" \"$@\"\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const std::string input = folder.write("input", command.input);
  std::string script = command.arguments.back();
  script.replace(script.find("PROGRAM"), 7, program);
  // The input must stay open until the program has run: end of input would kill it.
  const std::string output_file = folder.file("output");
  const std::string line = "{ cat " + input + "; until test -s " + output_file +
                           "; do sleep 0.01; done; } | SSH_CONNECTION='" + connection +
                           "' sh -c \"$SCRIPT\" > " + output_file;
  setenv("SCRIPT", script.c_str(), 1);
  EXPECT_EQ(std::system(line.c_str()), 0);
  unsetenv("SCRIPT");
  std::ifstream output(output_file);
  return {std::istreambuf_iterator<char>(output), {}};
}

TEST(NodeCommand, HereIsTheProgramItself) {
  sail::ReceiverPlace place = kNear;
  place.arguments = {"--memory", "9"};
  place.environment = {{"DISPLAY", ":1"}};
  const auto command = command_of(place, start_from("0.0.0.0"));
  ASSERT_TRUE(command);
  EXPECT_THAT(command->arguments,
              ElementsAre("/bin/receiver", "--name", "near", "--display", "auto", "--memory", "9"));
  EXPECT_THAT(command->environment,
              ElementsAre("VITRAIL_MANAGER=127.0.0.1:7440", "VITRAIL_KEY=to'ken", "DISPLAY=:1",
                          "VITRAIL_LAUNCHED=1"));
  EXPECT_EQ(command->input, "");
}

TEST(NodeCommand, AReceiverGetsTheControlsOfItsDisplays) {
  const auto program =
      receiver_program(kNear, start_from("head"), {.node = sail::PowerControl{.pjlink = "tv"}});
  EXPECT_THAT(program.words, ElementsAre("/bin/receiver", "--name", "near", "--display", "auto",
                                         "--power", R"({"node":{"pjlink":"tv","port":4352}})"));
}

TEST(NodeCommand, ThereItIsStartedBySsh) {
  sail::ReceiverPlace place{.name = "it's far; reboot", .host = "far", .user = "wall"};
  place.port = 22;
  place.program = "PROGRAM";
  place.display = "gl";
  place.environment = {{"A", "$(b) 'c'"}};
  const auto command = command_of(place, start_from("0.0.0.0"));
  ASSERT_TRUE(command);
  EXPECT_THAT(command->arguments,
              testing::IsSupersetOf({"-oBatchMode=yes", "-l", "wall", "-p", "22", "--", "far"}));
  EXPECT_EQ(command->arguments[1], "-v");
  EXPECT_EQ(command->input, "to'ken\n");
  EXPECT_THAT(command->arguments, Not(Contains(HasSubstr("to'ken")))) << "everybody sees them";

  EXPECT_EQ(run_there(*command, "10.1.2.3 5555 10.1.2.4 22"),
            "to'ken|$(b) 'c'|10.1.2.3:7440|--name|it's far; reboot|"
            "--display|gl|");
  EXPECT_THAT(run_there(*command, "2001:db8::1 5555 2001:db8::2 22"),
              HasSubstr("|[2001:db8::1]:7440|"));
  const auto at = command_of(place, start_from("head"));
  EXPECT_THAT(run_there(*at, "10.1.2.3 5555 10.1.2.4 22"), HasSubstr("|head:7440|"));
}

TEST(NodeCommand, NobodyElseReachesALoopback) {
  const sail::ReceiverPlace place{.name = "far", .host = "10.0.0.7"};
  const auto command = command_of(place, start_from("127.0.0.1"));
  ASSERT_FALSE(command);
  EXPECT_EQ(command.error().code, sail::ErrorCode::kUnavailable);
  EXPECT_THAT(command.error().message, HasSubstr("10.0.0.7"));
  EXPECT_TRUE(command_of(kNear, start_from("127.0.0.1")));
}

sail::ReceiverPlace launched_place() {
  return {.name = "far",
          .host = "node 1",
          .launch = "run -w {host} -J {node} {command}",
          .program = "PROGRAM",
          .display = "gl",
          .environment = {{"A", "$(b) 'c'"}}};
}

TEST(NodeCommand, ALauncherGetsAllWordsUnchanged) {
  const auto command = command_of(launched_place(), start_from("head"));
  ASSERT_TRUE(command) << command.error().message;
  EXPECT_THAT(command->arguments,
              ElementsAre("run", "-w", "node 1", "-J", "far", "sh", "-c", testing::_));
  EXPECT_THAT(command->environment, ElementsAre("VITRAIL_KEY")) << "the launcher has no key";
  EXPECT_EQ(command->input, "to'ken\n");
  EXPECT_THAT(command->arguments, Not(Contains(HasSubstr("to'ken")))) << "everybody sees them";
  EXPECT_EQ(run_there(*command, ""), "to'ken|$(b) 'c'|head:7440|--name|far|--display|gl|");
}

TEST(NodeCommand, ALauncherNeedsAnAddressOfTheManager) {
  sail::ReceiverPlace place = launched_place();
  const auto all = command_of(place, start_from("0.0.0.0"));
  ASSERT_FALSE(all);
  EXPECT_EQ(all.error().code, sail::ErrorCode::kUnavailable);
  EXPECT_THAT(all.error().message, testing::AllOf(HasSubstr("'far'"), HasSubstr("--listen")));
  EXPECT_FALSE(command_of(place, start_from("::")));
  const auto loopback = command_of(place, start_from("127.0.0.1"));
  ASSERT_FALSE(loopback);
  EXPECT_THAT(loopback.error().message, HasSubstr("node 1 cannot reach the manager"));

  place.host = "";
  place.launch = "run {command}";
  const auto here = command_of(place, start_from("0.0.0.0"));
  ASSERT_TRUE(here);
  EXPECT_THAT(run_there(*here, ""), HasSubstr("|127.0.0.1:7440|"));
}

TEST(NodeCommand, AppsAreLaunchedOnTheirSecondHostToo) {
  const sail::AppPlace app{
      .name = "model", .host = "r1", .second_host = "r2", .launch = "run {node} {host} {command}"};
  for (const bool second : {false, true}) {
    const auto command =
        node_command(app_program(app, second, {"viewer"}), start_from("head").node);
    ASSERT_TRUE(command);
    EXPECT_THAT(command->arguments,
                ElementsAre("run", "model", second ? "r2" : "r1", "sh", "-c", HasSubstr("viewer")));
  }
  sail::Wall wall;
  wall.receivers = {launched_place()};
  EXPECT_EQ(render_nodes(wall).front().launch, wall.receivers[0].launch);
}

TEST(NodeCommand, AProgramEndsWithItsScript) {
  const sail::TempFolder folder;
  sail::ReceiverPlace place = launched_place();
  place.program = folder.write("program",
                               "#!/bin/sh\ntrap 'echo > \"$0.ended\"; exit 3' TERM\n"
                               "echo > \"$0.runs\"\nwhile :; do sleep 0.01; done\n");
  std::filesystem::permissions(place.program, std::filesystem::perms::owner_all);
  const auto command = command_of(place, start_from("head"));
  ASSERT_TRUE(command);
  sail::Loop loop;
  std::optional<int64_t> ended;
  // The input of this child never ends.
  auto child = sail::Process::spawn(loop, {"sh", "-c", command->arguments.back()}, {},
                                    [&](int64_t exit_status, int) { ended = exit_status; },
                                    {.input = command->input});
  ASSERT_TRUE(child) << child.error().message;
  const auto has_written = [&](const char* what) {
    return std::filesystem::exists(place.program + what);
  };
  ASSERT_TRUE(sail::run_until(loop, [&] { return has_written(".runs"); }));
  (*child)->signal(SIGTERM);
  EXPECT_TRUE(sail::run_until(loop, [&] { return has_written(".ended") && ended.has_value(); }));
  // The program's code if the script did not wait for the program yet when the signal came.
  EXPECT_THAT(ended, testing::AnyOf(128 + SIGTERM, 3));
}

StandbyStart standby_from(const std::string& listen) {
  return {.program = "/bin/manager",
          .options = {"--launch"},
          .page = sail::Address{listen, 7480},
          .certificate = {},
          .node = start_from(listen).node};
}

TEST(StandbyCommand, HereIsTheProgramItself) {
  sail::StandbyPlace place;
  place.environment = {{"A", "b"}};
  place.arguments = {"--media", "/films"};
  StandbyStart start = standby_from("127.0.0.1");
  const auto command = standby_command(place, start);
  ASSERT_TRUE(command);
  EXPECT_THAT(command->arguments, ElementsAre("/bin/manager", "--standby-of", "127.0.0.1:7440",
                                              "--listen", "127.0.0.1:0", "--page", "127.0.0.1:7480",
                                              "--launch", "--media", "/films"));
  EXPECT_THAT(command->environment, ElementsAre("VITRAIL_KEY=to'ken", "VITRAIL_LAUNCHED=1", "A=b"));
  place.listen = "127.0.0.1:9";
  place.arguments = {"--page=off"};
  EXPECT_THAT(standby_command(place, start)->arguments,
              ElementsAre("/bin/manager", "--standby-of", "127.0.0.1:7440", "--listen",
                          "127.0.0.1:9", "--launch", "--page=off"));
}

TEST(StandbyCommand, ThereItListensWhereSshCame) {
  sail::StandbyPlace place{.host = "far", .program = "PROGRAM"};
  place.environment = {{"A", "$(b)"}};
  const auto run = [&](const StandbyStart& start) {
    const auto command = standby_command(place, start);
    EXPECT_TRUE(command);
    EXPECT_THAT(command->arguments, Not(Contains(HasSubstr("to'ken")))) << "everybody sees them";
    return run_there(*command, "10.1.2.3 5555 10.1.2.4 22");
  };
  EXPECT_EQ(run(standby_from("0.0.0.0")),
            "to'ken|$(b)||--standby-of|10.1.2.3:7440|--listen|0.0.0.0:7440|--page|0.0.0.0:7480|"
            "--launch|");
  EXPECT_EQ(run(standby_from("10.1.2.3")),
            "to'ken|$(b)||--standby-of|10.1.2.3:7440|--listen|10.1.2.4:7440|--page|10.1.2.4:7480|"
            "--launch|");
  StandbyStart start = standby_from("0.0.0.0");
  start.page = sail::Address{"127.0.0.1", 7480};
  EXPECT_THAT(run(start), Not(HasSubstr("--page"))) << "its own choice";
  start.page = sail::Address{"0.0.0.0", 7480};
  start.certificate = sail::CertificateFiles{"/page.crt", "/page.key"};
  EXPECT_THAT(run(start), HasSubstr("--page|off|")) << "it has no certificate there";
  place.environment["VITRAIL_PAGE_CERTIFICATE"] = "/there.crt";
  EXPECT_THAT(run(start), HasSubstr("--page|0.0.0.0:7480|"));
  start.page.reset();
  EXPECT_THAT(run(start), HasSubstr("--page|off|"));
  EXPECT_FALSE(standby_command(place, standby_from("127.0.0.1"))) << "nobody reaches that";
}

class NodeLogsTest : public testing::Test {
 protected:
  void say(const std::string& text) {
    const int file = logs_.begin("no/de");
    ASSERT_GE(file, 0);
    ASSERT_EQ(write(file, text.data(), text.size()), std::ssize(text));
    close(file);
  }
  const sail::TempFolder folder_;
  sail::Loop loop_;
  NodeLogs logs_{loop_, folder_.path() / "logs"};
};

TEST_F(NodeLogsTest, LinesComeWholeAndOnce) {
  say("one\ntwo\nthr");
  const auto first = logs_.read("no/de", 0);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->text, "one\ntwo\n");
  say("ee\x1b[2J\n");
  const auto next = logs_.read("no/de", first->next);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->text, "three?[2J\n") << "what it says orders no terminal about";
  EXPECT_EQ(logs_.read("no/de", next->next)->text, "");
  EXPECT_EQ(logs_.read("no/de", 1 << 30)->next, next->next);
  EXPECT_EQ(logs_.read_end("no/de", 12)->text, "three?[2J\n");
  EXPECT_EQ(logs_.read_end("no/de", 1000)->text, "one\ntwo\nthree?[2J\n");
}

TEST_F(NodeLogsTest, TheEndOfARunIsItsOwn) {
  say("error of the first\n");
  EXPECT_EQ(logs_.end_of_run("no/de"), "error of the first\n");
  close(logs_.begin("no/de"));
  EXPECT_EQ(logs_.end_of_run("no/de"), "");
  EXPECT_EQ(logs_.end_of_run("another"), "");
}

TEST_F(NodeLogsTest, OneThatSaysTooMuchIsCut) {
  const std::string line(99, 'x');
  std::string much;
  while (much.size() < 10'000'000) much += line + '\n';
  say(much);
  const auto first = logs_.read("no/de", 0);
  EXPECT_LE(first->text.size(), NodeLogs::kMostReplyBytes);
  logs_.cut();
  say("the end\n");
  const auto file = folder_.path() / "logs" / "no%2Fde.log";
  EXPECT_LE(std::filesystem::file_size(file), NodeLogs::kKeptBytes + 8);
  uint64_t from = first->next;
  std::string text;
  for (int i = 0; i < 100 && !text.ends_with("the end\n"); ++i) {
    const auto part = logs_.read("no/de", from);
    ASSERT_TRUE(part);
    text += part->text;
    from = part->next;
  }
  EXPECT_THAT(text, EndsWith("x\nthe end\n"));
  EXPECT_EQ(from, much.size() + 8);
  logs_.cut();
  EXPECT_EQ(logs_.end_of_run("no/de"), "the end\n");
}

TEST_F(NodeLogsTest, TheNextManagerCutsWhatRunsOn) {
  say("a\n" + std::string(NodeLogs::kMostBytes, 'x') + "\nthe end\n");
  NodeLogs next(loop_, folder_.path() / "logs");
  next.cut();
  const auto file = folder_.path() / "logs" / "no%2Fde.log";
  EXPECT_EQ(std::filesystem::file_size(file), NodeLogs::kKeptBytes);
  const auto part = next.read_end("no/de", 100);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->text, "the end\n");
  EXPECT_EQ(part->next, NodeLogs::kMostBytes + 11);
}

TEST_F(NodeLogsTest, NothingIsKeptOfStrangers) {
  EXPECT_EQ(logs_.read("stranger", 0).error().code, sail::ErrorCode::kNotFound);
  say("before\n");
  const NodeLogs next(loop_, folder_.path() / "logs");
  EXPECT_EQ(next.read("no/de", 0)->text, "before\n") << "what a former manager started runs on";
  NodeLogs nowhere(loop_, "");
  EXPECT_EQ(nowhere.begin("node"), -1);
}

TEST(NodeCheckups, ADoctorThatTakesTooLongIsEndedAndLeavesTheReceiversLogAlone) {
  const sail::TempFolder folder;
  const std::string program = folder.write("vitrail", "#!/bin/sh\necho looks >&2\nexec sleep 60\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  sail::Wall wall;
  wall.receivers = {kNear};
  sail::Loop loop;
  NodeLogs logs(loop, folder.file("logs"));
  const int log = logs.begin("near");
  ASSERT_EQ(write(log, "no display\n", 11), 11);
  close(log);
  NodeCheckups checkups(loop, logs, wall, start_from("127.0.0.1").node, program, 500);
  std::optional<sail::Result<sail::Json>> found;
  checkups.run("near", [&](const sail::Result<sail::Json>& answer) { found = answer; });
  ASSERT_TRUE(sail::run_until(loop, [&] { return found.has_value(); }));
  ASSERT_FALSE(*found);
  EXPECT_THAT(found->error().message, HasSubstr("took longer than 0.5 s"));
  EXPECT_EQ(logs.end_of_run("near"), "no display\n");
}

}  // namespace
}  // namespace manager
