// Runs manager/COMMANDS.md: sends each request of the document to a real manager, in order, and
// compares the answers.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "manager/peers/peers.h"
#include "manager/wall/cause.h"
#include "manager/web.h"
#include "tests/support/rpc_document.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/manager/peers/manager_test.h"

namespace manager {
namespace {

using sail::Json;

class DocumentTest : public ManagerTest {
 protected:
  DocumentTest() {
    options.player_program = FAKE_PROGRAM;
    options.state_folder = folder_.path();
  }

  // Programs report once a second, however long the examples take.
  class Reports {
   public:
    explicit Reports(std::map<std::string, test::LinePeer>& peers) : peers_(peers) {}
    void note(const test::Line& line) {
      const std::string method = line.message.value("method", "");
      if (method != "stream_stats" && method != "receiver_stats") return;
      last_[{line.peer, method, line.message["params"].value("stream", 0)}] = line.message;
    }
    void send_again() {
      constexpr int kId = 999'999;
      for (const auto& [of, report] : last_) {
        test::LinePeer& peer = peers_.at(std::get<0>(of));
        peer.send(report);
        peer.send({{"id", kId}, {"method", "clock"}});
        peer.next({{"id", kId}});  // the report has been taken
      }
    }

   private:
    std::map<std::string, test::LinePeer>& peers_;
    std::map<std::tuple<std::string, std::string, int>, Json> last_;  // by peer, method, stream
  };

  const sail::TempFolder folder_;
};

TEST_F(DocumentTest, ExamplesAreWhatTheManagerDoes) {
  start();
  const test::Document document = test::read_document(COMMANDS_FILE);
  ASSERT_GT(document.lines.size(), 40U);
  std::map<std::string, test::LinePeer> peers;
  Reports reports(peers);
  for (const test::Line& line : document.lines) {
    SCOPED_TRACE(fmt::format("COMMANDS.md:{}", line.number));
    test::LinePeer& peer = peers.try_emplace(line.peer, loop, fs_manager->address()).first->second;
    if (line.sent) {
      if (line.message.value("method", "") == "why") reports.send_again();
      reports.note(line);
      peer.send(line.message);
      continue;
    }
    const Json came = peer.next(line.message);
    EXPECT_TRUE(test::matches(line.message, came))
        << "documented: " << line.message << "\ncame: " << came;
    if (HasFailure()) return;
  }
  wait([&] { return ended; });
}

TEST_F(DocumentTest, EveryVerbIsDocumentedAndNoOther) {
  start();
  const test::Document document = test::read_document(COMMANDS_FILE);
  std::set<std::string> exemplified;
  for (const test::Line& line : document.lines) {
    if (line.sent) exemplified.insert(line.message.value("method", ""));
  }
  const std::vector<sail::RpcVerb>& verbs = fs_manager->peers().service().verbs();
  for (const sail::RpcVerb& command : verbs) {
    EXPECT_TRUE(document.headings.contains(command.name)) << command.name << " has no heading";
    EXPECT_TRUE(exemplified.contains(command.name)) << command.name << " has no example";
  }
  // Lower-case headings are verbs.
  for (const std::string& heading : document.headings) {
    if (heading.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") != std::string::npos) continue;
    const bool is_verb = heading == "hello" || std::ranges::any_of(verbs, [&](const auto& verb) {
                           return verb.name == heading;
                         });
    EXPECT_TRUE(is_verb) << heading << " is documented, but no verb";
  }
}

TEST_F(DocumentTest, CausesAreAllThere) {
  std::ifstream in(COMMANDS_FILE);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const size_t begin = text.find("\n### why\n");
  ASSERT_NE(begin, std::string::npos);
  const std::string_view section =
      std::string_view(text).substr(begin, text.find("```", begin) - begin);
  for (const Cause cause : all_causes()) {
    EXPECT_TRUE(section.find(fmt::format("`{}`", cause_code(cause))) != std::string_view::npos)
        << cause_code(cause);
  }
}

// Collects the targets of all references.
void collect_references(const Json& value, std::set<std::string>& found) {
  if (value.is_object() && value.contains("$ref")) found.insert(value["$ref"].get<std::string>());
  if (!value.is_structured()) return;
  for (const Json& inner : value) collect_references(inner, found);
}

TEST_F(DocumentTest, TheOpenApiDocumentHasTheVerbsOfHttpAndNoOther) {
  start();
  const sail::WebAsset* asset = nullptr;
  for (const sail::WebAsset& one : page_assets()) {
    if (one.path == "/api") asset = &one;
  }
  ASSERT_NE(asset, nullptr);
  const Json api = Json::parse(asset->plain, nullptr, false);
  ASSERT_TRUE(api.is_object());
  EXPECT_EQ(api.value("openapi", ""), "3.1.0");
  std::map<std::string, std::string> rights = {{"/api/events", "viewer"}};
  for (const sail::RpcVerb& verb : fs_manager->peers().service().verbs()) {
    if (!verb.ui || verb.lasting) continue;
    rights[fmt::format("/api/{}", verb.name)] = right_name(*verb.ui);
  }
  std::map<std::string, std::string> described;
  std::set<std::string> operations;
  for (const auto& [path, item] : api["paths"].items()) {
    const Json& operation = *item.begin();
    described[path] = operation.value("x-right", "");
    operations.insert(operation.value("operationId", ""));
    EXPECT_TRUE(operation.contains("responses")) << path;
  }
  EXPECT_EQ(described, rights);
  EXPECT_EQ(operations.size(), rights.size()) << "operation ids are unique";
  std::set<std::string> references;
  collect_references(api, references);
  for (const std::string& reference : references) {
    EXPECT_TRUE(api.contains(Json::json_pointer(reference.substr(1)))) << reference;
  }
}

TEST_F(DocumentTest, VerbsAreInAlphabeticalOrder) {
  start();
  EXPECT_TRUE(std::ranges::is_sorted(
      fs_manager->peers().service().verbs(), {},
      [](const sail::RpcVerb& verb) { return std::string_view(verb.name); }));
}

}  // namespace
}  // namespace manager
