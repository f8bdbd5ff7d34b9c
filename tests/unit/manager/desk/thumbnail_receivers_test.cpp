#include "manager/desk/thumbnail_receivers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace manager {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr uint32_t kFilm = 7;
constexpr sail::ThumbnailRequest kTwice{.stream = kFilm, .width = 320, .per_second = 2};
constexpr sail::ThumbnailRequest kNone{.stream = kFilm, .width = 320, .per_second = 0};

class ThumbnailReceiversTest : public testing::Test {
 protected:
  using Order = ThumbnailReceivers::Order;

  std::vector<Order> orders() {
    return receivers.orders(now_ns, [this](uint32_t stream) {
      return stream == kFilm ? shown_by : std::vector<uint64_t>();
    });
  }

  ThumbnailReceivers receivers;
  std::vector<uint64_t> shown_by{30, 10, 20};
  int64_t now_ns = 5;
};

TEST_F(ThumbnailReceiversTest, OneReceiverIsAskedWhileThumbnailsAreWanted) {
  EXPECT_THAT(orders(), IsEmpty());
  receivers.want(kTwice);
  EXPECT_THAT(orders(), ElementsAre(Order{10, kTwice}));
  EXPECT_THAT(orders(), IsEmpty());
  const sail::ThumbnailRequest larger{.stream = kFilm, .width = 640, .per_second = 5};
  receivers.want(larger);
  EXPECT_THAT(orders(), ElementsAre(Order{10, larger}));
  receivers.want(kNone);
  EXPECT_THAT(orders(), ElementsAre(Order{10, kNone}));
  EXPECT_FALSE(receivers.arrived(kFilm, 10, now_ns));
  now_ns += ThumbnailReceivers::kLaterNs;
  EXPECT_THAT(orders(), IsEmpty());
  receivers.want(kNone);
  EXPECT_THAT(orders(), IsEmpty()) << "nobody was asked";
}

TEST_F(ThumbnailReceiversTest, IfNoThumbnailComesAnotherReceiverIsAsked) {
  receivers.want(kTwice);
  orders();
  EXPECT_FALSE(receivers.arrived(kFilm, 20, now_ns)) << "it was not asked";
  for (const uint64_t next : {20, 30, 10}) {
    const uint64_t before = next == 10 ? 30 : next - 10;
    now_ns += ThumbnailReceivers::kFirstNs - 1;
    EXPECT_THAT(orders(), IsEmpty());
    ++now_ns;
    EXPECT_THAT(orders(), ElementsAre(Order{before, kNone}, Order{next, kTwice}));
  }
  EXPECT_TRUE(receivers.arrived(kFilm, 10, now_ns));
  now_ns += ThumbnailReceivers::kLaterNs - 1;
  EXPECT_THAT(orders(), IsEmpty()) << "the picture may stay for some time";
  ++now_ns;
  EXPECT_THAT(orders(), ElementsAre(Order{10, kNone}, Order{20, kTwice}));
}

TEST_F(ThumbnailReceiversTest, AReceiverThatIsAloneIsAskedAgain) {
  shown_by = {10};
  receivers.want(kTwice);
  orders();
  now_ns += ThumbnailReceivers::kFirstNs;
  EXPECT_THAT(orders(), ElementsAre(Order{10, kTwice}));
}

TEST_F(ThumbnailReceiversTest, AReceiverThatNoLongerShowsTheStreamIsReplacedAtOnce) {
  receivers.want(kTwice);
  orders();
  receivers.arrived(kFilm, 10, now_ns);
  shown_by = {30, 20};
  EXPECT_THAT(orders(), ElementsAre(Order{10, kNone}, Order{20, kTwice}));
  shown_by = {};
  EXPECT_THAT(orders(), ElementsAre(Order{20, kNone}));
  EXPECT_THAT(orders(), IsEmpty());
  shown_by = {40};
  EXPECT_THAT(orders(), ElementsAre(Order{40, kTwice}));
  receivers.forget(kFilm);
  EXPECT_FALSE(receivers.arrived(kFilm, 40, now_ns));
}

}  // namespace
}  // namespace manager
