// Runs sail/apps/server/README.md: sends each request of the document to a real server with a whole
// wall, in order, and compares the answers.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "tests/support/film_server_thread.h"
#include "tests/support/headless_wall.h"
#include "tests/support/rpc_document.h"
#include "tests/support/temp_folder.h"
#include "tests/support/test_film.h"

namespace server {
namespace {

TEST(ServerDocument, ExamplesAreWhatTheServerDoes) {
  const sail::TempFolder folder;
  std::filesystem::create_directory(folder.file("lobby"));
  test::write_test_film(folder.file("lobby/film.vmov"), {.size = {320, 180}, .frames = 100});
  test::write_test_film(folder.file("short.vmov"),
                        {.size = {64, 64}, .codec = "dxt1+lz4", .frames = 10});
  folder.write("trailer.mp4", "no film at all");
  test::HeadlessWall wall(
      sail::parse_wall(R"({"grid": {"columns": 1, "rows": 1, "resolution": [320, 180]}})").value());
  const test::FilmServerThread films(
      {.library = Library::open(folder.file("")).value(),
       .poster_program = POSTER_PROGRAM,
       .managers = {sail::parse_address(wall.manager_address(), {}).value()},
       .source_mb_per_s = 4});

  const test::Document document = test::read_document(SERVER_README);
  ASSERT_GT(document.lines.size(), 30U);
  sail::Loop loop;
  std::map<std::string, test::LinePeer> peers;
  for (const test::Line& line : document.lines) {
    SCOPED_TRACE(fmt::format("README.md:{}", line.number));
    test::LinePeer& peer = peers.try_emplace(line.peer, loop, films.address()).first->second;
    if (line.sent) {
      peer.send(line.message);
      continue;
    }
    const sail::Json came = peer.next(line.message);
    EXPECT_TRUE(test::matches(line.message, came))
        << "documented: " << line.message << "\ncame: " << came;
    if (HasFailure()) return;
  }
}

TEST(ServerDocument, EveryVerbIsDocumentedAndHasAnExample) {
  const test::Document document = test::read_document(SERVER_README);
  std::set<std::string> exemplified;
  for (const test::Line& line : document.lines) {
    if (line.sent) exemplified.insert(line.message.value("method", ""));
  }
  const sail::TempFolder folder;
  sail::Loop loop;
  const auto films = FilmServer::start(
      loop, {.library = Library::open(folder.file("")).value(), .listen = {"127.0.0.1", 0}},
      sail::Log("test", sail::LogLevel::kOff), [] {});
  for (const sail::RpcVerb& verb : (*films)->service().verbs()) {
    EXPECT_TRUE(document.headings.contains(verb.name)) << verb.name << " has no heading";
    EXPECT_TRUE(exemplified.contains(verb.name)) << verb.name << " has no example";
  }
}

}  // namespace
}  // namespace server
