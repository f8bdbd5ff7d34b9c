// Topics of the wall's state: what is published again, and what is removed.
#include "ui/mqtt/wall_topics.h"

#include <gtest/gtest.h>

namespace ui {
namespace {

const sail::Json kState = {
    {"revision", 4},
    {"wall", {{"name", "lab"}, {"size", {640, 360}}, {"tiles", {{{"name", "c1r1"}}}}}},
    {"health", {{"state", "well"}}},
    {"blank", false},
    {"sound", {{"volume", 1.0}, {"muted", false}}},
    {"receivers", {{{"name", "a/b+c"}, {"connected", true}, {"stats", {{"fps", 30}}}}}},
    {"windows", {{{"window", 1}, {"title", "one"}, {"fps", 30.0}, {"stats", {{"shown", 5}}}}}}};

TEST(WallTopics, EachThingHasATopicWithoutItsFigures) {
  WallTopics topics;
  const TopicPayloads expected = {{"blank", "false"},
                                  {"health", R"({"state":"well"})"},
                                  {"receivers/a%2Fb%2Bc", R"({"connected":true,"name":"a/b+c"})"},
                                  {"sound", R"({"muted":false,"volume":1.0})"},
                                  {"wall", R"({"name":"lab","size":[640,360]})"},
                                  {"windows/1", R"({"title":"one","window":1})"}};
  EXPECT_EQ(topics.reset(kState), expected);
  EXPECT_EQ(topics.all(), expected);
}

TEST(WallTopics, OnlyWhatDiffersIsPublished) {
  WallTopics topics;
  topics.reset(kState);
  EXPECT_EQ(topics.change({{"revision", 5}, {"blank", false}}), TopicPayloads());
  EXPECT_EQ(topics.change({{"windows", {{{"window", 1}, {"title", "one"}, {"fps", 12.0}}}}}),
            TopicPayloads());
  const TopicPayloads changed = {{"blank", "true"}, {"windows/2", R"({"title":"","window":2})"}};
  EXPECT_EQ(topics.change({{"blank", true}, {"windows", {{{"window", 2}, {"title", ""}}}}}),
            changed);
}

TEST(WallTopics, WhatIsGoneIsRemoved) {
  WallTopics topics;
  topics.reset(kState);
  EXPECT_EQ(topics.change({{"removed", {1, 7}}}), (TopicPayloads{{"windows/1", ""}}));
  sail::Json later = kState;
  later["windows"] = {{{"window", 3}}};
  later["receivers"] = sail::Json::array();
  const TopicPayloads changed = {{"receivers/a%2Fb%2Bc", ""}, {"windows/3", R"({"window":3})"}};
  EXPECT_EQ(topics.reset(later), changed);
}

TEST(WallTopics, OddMessagesHarmNothing) {
  WallTopics topics;
  topics.reset(sail::Json::array());
  EXPECT_NO_THROW(topics.change({{"windows", 5}, {"removed", "x"}, {"receivers", {1, nullptr}}}));
}

}  // namespace
}  // namespace ui
