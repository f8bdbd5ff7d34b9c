// Runs manager/COMMANDS.md: each request shown there goes to a real manager, in the order of the
// page, and the answers are compared.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "manager/commands.h"
#include "tests/unit/manager/manager_test.h"

namespace manager {
namespace {

using sail::Json;

struct Line {
  int number = 0;  // in the document
  std::string peer;
  bool sent = false;  // by the peer
  Json message;
};

struct Document {
  std::vector<Line> lines;
  std::set<std::string> headings;  // verbs with a heading of their own
};

void add_line(Document& document, int number, const std::string& text) {
  const size_t mark = text.find_first_of("<>");
  ASSERT_NE(mark, std::string::npos) << "line " << number;
  const Json message = Json::parse(text.substr(mark + 1), nullptr, false);
  ASSERT_FALSE(message.is_discarded()) << "line " << number << ": " << text;
  document.lines.push_back({number, text.substr(0, mark), text[mark] == '>', message});
}

Document read_document() {
  Document document;
  std::ifstream file(COMMANDS_FILE);
  EXPECT_TRUE(file) << COMMANDS_FILE;
  std::string line;
  std::string open;  // an example line that may go on in the next
  int open_number = 0;
  bool inside = false;
  for (int number = 1; std::getline(file, line); ++number) {
    const bool goes_on = inside && line.starts_with(' ');
    if (!goes_on && !open.empty()) {
      add_line(document, open_number, open);
      open.clear();
    }
    if (line == "```rpc") {
      inside = true;
    } else if (line == "```") {
      inside = false;
    } else if (goes_on) {
      open += line;
    } else if (inside) {
      open = line;
      open_number = number;
    } else if (line.starts_with("## ") || line.starts_with("### ")) {
      std::stringstream names(line.substr(line.find(' ')));
      for (std::string name; std::getline(names, name, ',');) {
        document.headings.insert(name.substr(name.find_first_not_of(' ')));
      }
    }
  }
  return document;
}

// Whether the value is what the document says; "<number>", "<text>" and "<any>" stand for any such.
bool matches(const Json& expected, const Json& value) {
  if (expected == "<any>") return true;
  if (expected == "<number>") return value.is_number();
  if (expected == "<text>") return value.is_string();
  if (expected.is_object() && value.is_object()) {
    if (expected.size() != value.size()) return false;
    return std::all_of(expected.items().begin(), expected.items().end(), [&](const auto& item) {
      return value.contains(item.key()) && matches(item.value(), value[item.key()]);
    });
  }
  if (expected.is_array() && value.is_array()) {
    return std::equal(expected.begin(), expected.end(), value.begin(), value.end(), matches);
  }
  return expected == value;
}

// A peer that speaks in lines, so that the test sees what a person would.
class LinePeer : private sail::TcpReader {
 public:
  LinePeer(sail::Loop& loop, const sail::Address& manager) : loop_(loop) {
    const auto guard = sail::TcpConnection::connect(
        loop, manager, [this](auto result) { connection_ = std::move(*result); });
    EXPECT_TRUE(sail::run_until(loop, [&] { return connection_ != nullptr; }));
    connection_->start_reading(*this);
  }
  void send(Json message) {
    message["jsonrpc"] = "2.0";
    const std::string line = message.dump() + "\n";
    connection_->write_copy({reinterpret_cast<const uint8_t*>(line.data()), line.size()});
  }
  // The next message with this id or method, which need not be the next of all. Pings are answered
  // and requests of the manager too, as every receiver does.
  Json next(const Json& like) {
    Json found;
    const bool came = sail::run_until(loop_, [&] {
      while (const auto line = framer_.next()) messages_.push_back(Json::parse(*line));
      const char* key = like.contains("method") ? "method" : "id";
      for (auto it = messages_.begin(); it != messages_.end(); ++it) {
        if (!it->contains(key) || (*it)[key] != like[key]) continue;
        found = *it;
        messages_.erase(it);
        return true;
      }
      return false;
    });
    EXPECT_TRUE(came) << "nothing like " << like;
    if (found.contains("method") && found.contains("id")) {
      send({{"id", found["id"]}, {"result", Json::object()}});
      found.erase("id");
    }
    found.erase("jsonrpc");
    return found;
  }

 private:
  std::span<uint8_t> read_buffer() override { return buffer_; }
  void on_read(size_t bytes) override {
    framer_.add({reinterpret_cast<const char*>(buffer_.data()), bytes});
  }
  void on_closed(const sail::Error&) override {}

  sail::Loop& loop_;
  std::unique_ptr<sail::TcpConnection> connection_;
  std::array<uint8_t, 65536> buffer_{};
  sail::LineFramer framer_;
  std::deque<Json> messages_;
};

class DocumentTest : public ManagerTest {
 protected:
  DocumentTest() { options.player_program = FAKE_PROGRAM; }
};

TEST_F(DocumentTest, ExamplesAreWhatTheManagerDoes) {
  start();
  const Document document = read_document();
  ASSERT_GT(document.lines.size(), 40U);
  std::map<std::string, LinePeer> peers;
  for (const Line& line : document.lines) {
    SCOPED_TRACE(fmt::format("COMMANDS.md:{}", line.number));
    LinePeer& peer = peers.try_emplace(line.peer, loop, fs_manager->address()).first->second;
    if (line.sent) {
      peer.send(line.message);
      continue;
    }
    const Json came = peer.next(line.message);
    EXPECT_TRUE(matches(line.message, came))
        << "documented: " << line.message << "\ncame: " << came;
    if (HasFailure()) return;
  }
  wait([&] { return ended; });
}

TEST_F(DocumentTest, EveryVerbIsDocumentedAndNoOther) {
  const Document document = read_document();
  std::set<std::string> exemplified;
  for (const Line& line : document.lines) {
    if (line.sent) exemplified.insert(line.message.value("method", ""));
  }
  for (const Command& command : commands()) {
    EXPECT_TRUE(document.headings.contains(command.verb)) << command.verb << " has no heading";
    EXPECT_TRUE(exemplified.contains(command.verb)) << command.verb << " has no example";
  }
  // Headings in small letters are verbs.
  for (const std::string& heading : document.headings) {
    if (heading.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") != std::string::npos) continue;
    const bool is_verb = heading == "hello" || std::any_of(commands().begin(), commands().end(),
                                                           [&](const Command& command) {
                                                             return command.verb == heading;
                                                           });
    EXPECT_TRUE(is_verb) << heading << " is documented, but no verb";
  }
}

TEST(Commands, AreInAlphabeticalOrder) {
  EXPECT_TRUE(std::is_sorted(
      commands().begin(), commands().end(),
      [](const Command& a, const Command& b) { return std::string_view(a.verb) < b.verb; }));
}

}  // namespace
}  // namespace manager
