#include "sail/core/wire/rpc.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sail/core/text/limits.h"

namespace sail {
namespace {

RpcRequest request(std::string_view line) {
  const auto message = parse_rpc(line);
  if (message && std::holds_alternative<RpcRequest>(*message)) {
    return std::get<RpcRequest>(*message);
  }
  ADD_FAILURE() << "no request: " << line;
  return {};
}

RpcResponse response(std::string_view line) {
  const auto message = parse_rpc(line);
  if (message && std::holds_alternative<RpcResponse>(*message)) {
    return std::get<RpcResponse>(*message);
  }
  ADD_FAILURE() << "no response: " << line;
  return {};
}

RpcFault fault(std::string_view line) {
  const auto message = parse_rpc(line);
  if (!message) return message.error();
  ADD_FAILURE() << "no fault: " << line;
  return {};
}

TEST(ParseRpc, ReadsRequestsAndNotifications) {
  const RpcRequest with_id =
      request(R"({"jsonrpc":"2.0","id":-5,"method":"move","params":{"x":1},"more":[]})");
  EXPECT_EQ(with_id.id, -5);
  EXPECT_EQ(with_id.method, "move");
  EXPECT_EQ(with_id.params, Json({{"x", 1}}));

  const RpcRequest notification = request(R"({"method":"ready","jsonrpc":"2.0"})");
  EXPECT_EQ(notification.id, std::nullopt);
  EXPECT_EQ(notification.params, Json::object());
}

TEST(ParseRpc, ReadsResponses) {
  const RpcResponse result = response(R"({"jsonrpc":"2.0","id":9,"result":null})");
  EXPECT_EQ(result.id, 9);
  EXPECT_EQ(*result.result, Json());

  const RpcResponse error =
      response(R"({"jsonrpc":"2.0","id":9,"error":{"code":1003,"message":"no such window"}})");
  EXPECT_EQ(error.id, 9);
  EXPECT_EQ(error.result.error(), (Error{ErrorCode::kNotFound, "no such window"}));
}

TEST(ParseRpc, RefusesWithTheIdWhereItCanBeRead) {
  struct Case {
    const char* line;
    std::optional<int64_t> id;
    ErrorCode code;
  };
  const Case cases[] = {
      {"", {}, ErrorCode::kParseError},
      {"hello", {}, ErrorCode::kParseError},
      {R"({"jsonrpc":"2.0","id":1,"method":"a")", {}, ErrorCode::kParseError},
      {R"([{"jsonrpc":"2.0","id":1,"method":"a"}])", {}, ErrorCode::kInvalidRequest},
      {"[]", {}, ErrorCode::kInvalidRequest},
      {"7", {}, ErrorCode::kInvalidRequest},
      {"null", {}, ErrorCode::kInvalidRequest},
      {"{}", {}, ErrorCode::kInvalidRequest},
      {R"({"id":1,"method":"a"})", 1, ErrorCode::kInvalidRequest},
      {R"({"jsonrpc":"1.0","id":1,"method":"a"})", 1, ErrorCode::kInvalidRequest},
      {R"({"jsonrpc":2.0,"id":1,"method":"a"})", 1, ErrorCode::kInvalidRequest},
      {R"({"jsonrpc":"2.0","id":1})", 1, ErrorCode::kInvalidRequest},
      {R"({"jsonrpc":"2.0","id":1,"method":7})", 1, ErrorCode::kInvalidRequest},
      {R"({"jsonrpc":"2.0","id":1,"method":""})", 1, ErrorCode::kInvalidRequest},
      {R"({"jsonrpc":"2.0","id":1,"method":"a\u001b"})", 1, ErrorCode::kInvalidRequest},
      {R"({"jsonrpc":"2.0","id":"1","method":"a"})", {}, ErrorCode::kInvalidRequest},
      {R"({"jsonrpc":"2.0","id":null,"method":"a"})", {}, ErrorCode::kInvalidRequest},
      {R"({"jsonrpc":"2.0","id":1.5,"method":"a"})", {}, ErrorCode::kInvalidRequest},
      {R"({"jsonrpc":"2.0","id":9223372036854775808,"method":"a"})",
       {},
       ErrorCode::kInvalidRequest},
      {R"({"jsonrpc":"2.0","id":1,"method":"a","params":[1]})", 1, ErrorCode::kInvalidParams},
      {R"({"jsonrpc":"2.0","id":1,"method":"a","params":null})", 1, ErrorCode::kInvalidParams},
  };
  for (const Case& c : cases) {
    const RpcFault refused = fault(c.line);
    EXPECT_EQ(refused.id, c.id) << c.line;
    EXPECT_EQ(refused.error.code, c.code) << c.line;
    EXPECT_FALSE(refused.error.message.empty());
  }
  fault(R"({"jsonrpc":"2.0","method":")" + std::string(kMaxMethodLength + 1, 'a') + "\"}");
}

// If bad answers were errors, two peers would answer each other's errors forever.
TEST(ParseRpc, ABadAnswerIsStillAnAnswer) {
  for (const char* line :
       {R"({"jsonrpc":"2.0","result":1})", R"({"result":1})",
        R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}})",
        R"({"jsonrpc":"2.0","id":"7","error":{}})", R"({"error":null})",
        R"({"jsonrpc":"2.0","error":1,"result":1})", R"({"jsonrpc":"1.0","result":1})"}) {
    EXPECT_EQ(response(line).id, 0) << line;
  }
  EXPECT_FALSE(response(R"({"jsonrpc":"2.0","id":3,"error":1,"result":1})").result);
  EXPECT_FALSE(response(R"({"jsonrpc":"1.0","id":3,"result":1})").result);
  EXPECT_EQ(response(R"({"jsonrpc":"2.0","id":3,"error":7})").result.error().code,
            ErrorCode::kInternal);

  // The error reply of a peer to an unreadable line.
  const auto refused = fault("garbage");
  std::string line = error_line(refused.id, refused.error);
  line.pop_back();
  EXPECT_EQ(response(line).result.error(), refused.error);
}

TEST(ParseRpc, ErrorsOfLaterVersionsAreErrors) {
  const auto error = [](const char* value) {
    return response(std::string(R"({"jsonrpc":"2.0","id":1,"error":)") + value + "}")
        .result.error();
  };
  EXPECT_EQ(error(R"({"code":4711,"message":"new"})"), (Error{ErrorCode::kInternal, "new"}));
  EXPECT_EQ(error(R"({"code":"x","message":"new"})"), (Error{ErrorCode::kInternal, "new"}));
  EXPECT_EQ(error(R"({"code":18446744073709551615})").code, ErrorCode::kInternal);
  EXPECT_EQ(error(R"({"code":-32602,"message":"a\u0007\n"})"),
            (Error{ErrorCode::kInvalidParams, "a??"}));
}

TEST(RpcLines, ReadBackAsWhatTheyWere) {
  const Json params{{"text", "line\nbreak \"quoted\" ü"}, {"list", {1, 2.5, nullptr}}};
  std::string line = request_line(12, "a\"b", params);
  ASSERT_EQ(line.find('\n'), line.size() - 1);
  line.pop_back();
  EXPECT_EQ(request(line).id, 12);
  EXPECT_EQ(request(line).method, "a\"b");
  EXPECT_EQ(request(line).params, params);

  line = notification_line("scene", params);
  EXPECT_TRUE(is_notification(line));
  line.pop_back();
  EXPECT_EQ(request(line).id, std::nullopt);
  EXPECT_EQ(request(line).params, params);

  line = result_line(INT64_MAX, params);
  EXPECT_FALSE(is_notification(line));
  EXPECT_EQ(result_in(line, INT64_MAX), params.dump());
  EXPECT_EQ(result_in(line, 1), std::nullopt);
  line.pop_back();
  EXPECT_EQ(response(line).id, INT64_MAX);
  EXPECT_EQ(*response(line).result, params);

  const Error error{ErrorCode::kConflict, "the name \"left\" is taken"};
  EXPECT_EQ(result_in(error_line(3, error), 3), std::nullopt);
  EXPECT_EQ(
      error_line(3, error),
      R"({"jsonrpc":"2.0","id":3,"error":{"code":1004,"message":"the name \"left\" is taken",)"
      R"("data":{"name":"conflict"}}})"
      "\n");
}

TEST(RpcLines, ErrorsMayNameWhoIsToBeAskedInstead) {
  const Error error{ErrorCode::kUnavailable, "go there"};
  const auto read = [](const std::string& line) {
    return std::get<RpcResponse>(*parse_rpc(std::string_view(line).substr(0, line.size() - 1)));
  };
  EXPECT_EQ(read(error_line(3, error)).at, "");
  EXPECT_EQ(read(error_line(3, error, "[::1]:7440")).at, "[::1]:7440");
  EXPECT_EQ(read(error_line(3, error, "[::1]:7440")).result.error(), error);
  const Error busy{ErrorCode::kBusy, "request best effort"};
  EXPECT_EQ(read(error_line(4, busy)).result.error(), busy);
}

TEST(RpcLines, BytesThatAreNoUtf8DoNotThrow) {
  std::string line = notification_line("title", {{"title", "\xff\xfe.mp4"}});
  line.pop_back();
  EXPECT_EQ(request(line).params["title"], "\ufffd\ufffd.mp4");
  EXPECT_NE(error_line({}, {ErrorCode::kIo, "\xc3"}).find("\"id\":null"), std::string::npos);
}

std::vector<std::string> drain(LineFramer& framer) {
  std::vector<std::string> lines;
  while (const auto line = framer.next()) lines.emplace_back(*line);
  return lines;
}

TEST(LineFramer, GivesTheSameLinesHoweverTheBytesAreSplit) {
  const std::string bytes = "one\ntwo\r\n\nthree \r x\n\r\nlast";
  const std::vector<std::string> lines = {"one", "two", "", "three \r x", ""};
  for (size_t first = 0; first <= bytes.size(); ++first) {
    for (size_t second = first; second <= bytes.size(); ++second) {
      LineFramer framer;
      std::vector<std::string> got;
      for (const auto& part :
           {bytes.substr(0, first), bytes.substr(first, second - first), bytes.substr(second)}) {
        ASSERT_TRUE(framer.add(part));
        for (auto& line : drain(framer)) got.push_back(std::move(line));
      }
      ASSERT_EQ(got, lines) << first << " " << second;
      ASSERT_TRUE(framer.add("!\n"));
      ASSERT_EQ(drain(framer), std::vector<std::string>{"last!"});
    }
  }
}

TEST(LineFramer, LinesMayWait) {
  LineFramer framer;
  ASSERT_TRUE(framer.add("a\nb\nc"));
  EXPECT_EQ(framer.next(), "a");
  ASSERT_TRUE(framer.add("d\ne"));
  EXPECT_EQ(drain(framer), (std::vector<std::string>{"b", "cd"}));
  EXPECT_EQ(framer.next(), std::nullopt);
}

TEST(LineFramer, TellsWhatCanBeNoObjectBeforeItsLineIsWhole) {
  struct Case {
    const char* bytes;
    bool may_be_object;
  };
  const Case cases[] = {{"", true},   {" \t\r", true}, {"{", true},   {" {\n", true},
                        {"P", false}, {"\n", false},   {"[{", false}, {"\xef\xbb\xbf{", false}};
  for (const Case& one : cases) {
    LineFramer framer;
    ASSERT_TRUE(framer.add(one.bytes));
    EXPECT_EQ(framer.may_be_object(), one.may_be_object) << one.bytes;
  }
  LineFramer framer;
  ASSERT_TRUE(framer.add("{}\nGET"));
  EXPECT_TRUE(framer.may_be_object());
  EXPECT_EQ(framer.next(), "{}");
  EXPECT_FALSE(framer.may_be_object());
}

TEST(LineFramer, RefusesALineOverTheLimit) {
  const std::string longest(kMaxControlLine, 'x');
  {
    LineFramer framer;
    ASSERT_TRUE(framer.add(longest + "\n" + longest));
    EXPECT_EQ(framer.next()->size(), kMaxControlLine);
    ASSERT_TRUE(framer.add("\n"));
    EXPECT_EQ(framer.next()->size(), kMaxControlLine);
  }
  {
    LineFramer framer;
    ASSERT_TRUE(framer.add(longest));
    EXPECT_FALSE(framer.add("x"));
  }
  {
    LineFramer framer;
    EXPECT_FALSE(framer.add("short\n" + longest + "x\n")) << "a later line of the same bytes";
  }
}

TEST(Rpc, QuotedTextIsJson) {
  for (const std::string_view text :
       {"", "plain ~", "a \"quote\"", "C:\\films", "line\n", "\x7f", "Größe", "not UTF-8: \xff"}) {
    EXPECT_EQ(quoted_text(text), compact_text(Json(text))) << text;
  }
}

}  // namespace
}  // namespace sail
