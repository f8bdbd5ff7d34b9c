// The preview cache, and the order in which previews are made.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "manager/media/previews.h"

namespace manager {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Job = PreviewQueue::Job;

Preview preview(size_t bytes) {
  return std::make_shared<const std::string>(bytes, 'x');
}

TEST(PreviewCache, KeepsWhatWasAskedForLast) {
  PreviewCache cache(4000);
  cache.keep("a", preview(1000), 0);
  cache.keep("b", preview(1000), 0);
  cache.keep("c", preview(1000), 0);
  EXPECT_TRUE(cache.find("a", 0));
  cache.keep("d", preview(1000), 0);
  EXPECT_TRUE(cache.find("a", 0));
  EXPECT_FALSE(cache.find("b", 0));
  EXPECT_TRUE(cache.find("c", 0));
  EXPECT_EQ(cache.find("d", 0)->size(), 1000U);
}

TEST(PreviewCache, IsBounded) {
  PreviewCache cache(10'000);
  for (int i = 0; i < 10'000; ++i) {
    cache.keep(std::to_string(i), preview(0), 0);
    EXPECT_LE(cache.bytes(), 10'000U);
  }
  EXPECT_FALSE(cache.find("0", 0));
  EXPECT_TRUE(cache.find("9999", 0)) << "that none can be made is known, too";
  cache.keep("huge", preview(20'000), 0);
  EXPECT_FALSE(cache.find("huge", 0));
  EXPECT_EQ(cache.bytes(), 0U);
}

TEST(PreviewCache, AnotherPreviewTakesThePlaceOfTheFormer) {
  PreviewCache cache(10'000);
  cache.keep("a", preview(5000), 0);
  const size_t before = cache.bytes();
  cache.keep("a", preview(5000), 0);
  EXPECT_EQ(cache.bytes(), before);
  cache.keep("a", preview(10), 0);
  EXPECT_EQ(cache.find("a", 0)->size(), 10U);
}

// The preview of an office document is missing until the document has been converted.
TEST(PreviewCache, AMissingPreviewIsTriedAgainLater) {
  PreviewCache cache(10'000);
  cache.keep("missing", preview(0), 0);
  cache.keep("made", preview(10), 0);
  EXPECT_TRUE(cache.find("missing", PreviewCache::kEmptyNs));
  EXPECT_FALSE(cache.find("missing", PreviewCache::kEmptyNs + 1));
  EXPECT_TRUE(cache.find("made", PreviewCache::kEmptyNs + 1));
}

std::string taken(PreviewQueue& queue) {
  const auto job = queue.take();
  return job ? job->key : "";
}

TEST(PreviewQueue, MakesAFewAtATimeInTheirOrder) {
  PreviewQueue queue;
  EXPECT_TRUE(queue.add(1, {"a", "/a"}));
  EXPECT_TRUE(queue.add(2, {"b", "/b"}));
  EXPECT_TRUE(queue.add(3, {"c", "/c"}));
  EXPECT_EQ(taken(queue), "a");
  EXPECT_EQ(taken(queue), "b");
  EXPECT_EQ(taken(queue), "");
  EXPECT_THAT(queue.done("b"), ElementsAre(2));
  const auto last = queue.take();
  ASSERT_TRUE(last);
  EXPECT_EQ(last->path, "/c");
  EXPECT_THAT(queue.done("b"), IsEmpty());
}

TEST(PreviewQueue, MakesEachOnceForAllWhoWait) {
  PreviewQueue queue;
  queue.add(1, {"a", "/a"});
  queue.add(2, {"a", "/a"});
  EXPECT_EQ(taken(queue), "a");
  queue.add(3, {"a", "/a"});
  EXPECT_EQ(taken(queue), "");
  EXPECT_THAT(queue.done("a"), ElementsAre(1, 2, 3));
}

TEST(PreviewQueue, WhatNobodyWaitsForIsNotBegun) {
  PreviewQueue queue;
  queue.add(1, {"a", "/a"});
  queue.add(2, {"b", "/b"});
  queue.add(3, {"b", "/b"});
  queue.leave(1);
  EXPECT_EQ(taken(queue), "b");
  queue.leave(2);
  queue.leave(3);
  queue.leave(7);
  EXPECT_THAT(queue.done("b"), IsEmpty());
  EXPECT_EQ(taken(queue), "");
}

TEST(PreviewQueue, IsBounded) {
  PreviewQueue queue;
  const auto add = [&queue](size_t i) {
    const std::string name = std::to_string(i);
    return queue.add(i, {name, "/" + name});
  };
  for (size_t i = 0; i < PreviewQueue::kMostWaiting; ++i) EXPECT_TRUE(add(i));
  EXPECT_FALSE(add(1000));
  EXPECT_TRUE(queue.add(1001, {"3", "/3"})) << "one that is to be made anyway";
  EXPECT_TRUE(queue.take());
  EXPECT_TRUE(add(1002));
}

}  // namespace
}  // namespace manager
