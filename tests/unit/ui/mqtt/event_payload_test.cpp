#include "ui/mqtt/event_payload.h"

#include <gtest/gtest.h>

namespace ui {
namespace {

using sail::Json;

TEST(EventPayload, ObjectsAreKept) {
  EXPECT_EQ(event_payload("cams/1", R"({"type": "new", "after": {"id": 7}})"),
            (Json{{"type", "new"}, {"after", {{"id", 7}}}, {"topic", "cams/1"}}));
  EXPECT_EQ(event_payload("cams/1", R"({"topic": "own"})"), (Json{{"topic", "own"}}));
}

TEST(EventPayload, OtherMessagesAreAValue) {
  for (const auto& [message, value] : {std::pair{"ON", Json("ON")},
                                       {"21.5", Json(21.5)},
                                       {"true", Json(true)},
                                       {"[1, 2]", Json::array({1, 2})},
                                       {"", Json("")},
                                       {"a\xff", Json("a?")}}) {
    EXPECT_EQ(event_payload("door", message), (Json{{"value", value}, {"topic", "door"}}));
  }
}

}  // namespace
}  // namespace ui
