#include "manager/desk/thumbnail_receivers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace manager {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr uint32_t kFilmStream = 7;
constexpr sail::ThumbnailRequest kTwoPerSecond{
    .stream = kFilmStream, .width = 320, .per_second = 2};
constexpr sail::ThumbnailRequest kNoMore{.stream = kFilmStream, .width = 320, .per_second = 0};

class ThumbnailReceiversTest : public testing::Test {
 protected:
  using Order = ThumbnailReceivers::Order;

  std::vector<Order> orders() {
    return receivers.orders(now_ns, [this](uint32_t stream) {
      return stream == kFilmStream ? shown_by : std::vector<uint64_t>();
    });
  }

  ThumbnailReceivers receivers;
  std::vector<uint64_t> shown_by{30, 10, 20};
  int64_t now_ns = 5;
};

TEST_F(ThumbnailReceiversTest, OneReceiverIsAskedWhileThumbnailsAreWanted) {
  EXPECT_THAT(orders(), IsEmpty());
  receivers.want(kTwoPerSecond);
  EXPECT_THAT(orders(), ElementsAre(Order{10, kTwoPerSecond}));
  EXPECT_THAT(orders(), IsEmpty());
  const sail::ThumbnailRequest larger{.stream = kFilmStream, .width = 640, .per_second = 5};
  receivers.want(larger);
  EXPECT_THAT(orders(), ElementsAre(Order{10, larger}));
  receivers.want(kNoMore);
  EXPECT_THAT(orders(), ElementsAre(Order{10, kNoMore}));
  EXPECT_FALSE(receivers.arrived(kFilmStream, 10, now_ns));
  now_ns += ThumbnailReceivers::kLaterNs;
  EXPECT_THAT(orders(), IsEmpty());
  receivers.want(kNoMore);
  EXPECT_THAT(orders(), IsEmpty()) << "nobody was asked";
}

TEST_F(ThumbnailReceiversTest, IfNoThumbnailComesAnotherReceiverIsAsked) {
  receivers.want(kTwoPerSecond);
  orders();
  EXPECT_FALSE(receivers.arrived(kFilmStream, 20, now_ns)) << "it was not asked";
  for (const uint64_t next : {20, 30, 10}) {
    const uint64_t before = next == 10 ? 30 : next - 10;
    now_ns += ThumbnailReceivers::kFirstNs - 1;
    EXPECT_THAT(orders(), IsEmpty());
    ++now_ns;
    EXPECT_THAT(orders(), ElementsAre(Order{before, kNoMore}, Order{next, kTwoPerSecond}));
  }
  EXPECT_TRUE(receivers.arrived(kFilmStream, 10, now_ns));
  now_ns += ThumbnailReceivers::kLaterNs - 1;
  EXPECT_THAT(orders(), IsEmpty()) << "the picture may stay for some time";
  ++now_ns;
  EXPECT_THAT(orders(), ElementsAre(Order{10, kNoMore}, Order{20, kTwoPerSecond}));
}

TEST_F(ThumbnailReceiversTest, AReceiverThatIsAloneIsAskedAgain) {
  shown_by = {10};
  receivers.want(kTwoPerSecond);
  orders();
  now_ns += ThumbnailReceivers::kFirstNs;
  EXPECT_THAT(orders(), ElementsAre(Order{10, kTwoPerSecond}));
}

TEST_F(ThumbnailReceiversTest, AReceiverThatNoLongerShowsTheStreamIsReplacedAtOnce) {
  receivers.want(kTwoPerSecond);
  orders();
  receivers.arrived(kFilmStream, 10, now_ns);
  shown_by = {30, 20};
  EXPECT_THAT(orders(), ElementsAre(Order{10, kNoMore}, Order{20, kTwoPerSecond}));
  shown_by = {};
  EXPECT_THAT(orders(), ElementsAre(Order{20, kNoMore}));
  EXPECT_THAT(orders(), IsEmpty());
  shown_by = {40};
  EXPECT_THAT(orders(), ElementsAre(Order{40, kTwoPerSecond}));
  receivers.forget(kFilmStream);
  EXPECT_FALSE(receivers.arrived(kFilmStream, 40, now_ns));
}

}  // namespace
}  // namespace manager
