// TLS records: round trips and rejection of invalid ones; tls_session_test compares them with
// libssl's.
#include "sail/core/tls/tls_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "tests/unit/sail/core/tls/hex_bytes.h"

namespace sail {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using Bytes = std::vector<uint8_t>;

constexpr uint64_t kFewRecords = 5;  // records for each key

TlsSecret secret_of_hex(std::string_view hex) {
  TlsSecret secret{};
  std::ranges::copy(bytes_of_hex(hex), secret.begin());
  return secret;
}

// RFC 8448, 3: "Simple 1-RTT Handshake".
const TlsSecret kClientSecret =
    secret_of_hex("9e40646ce79a7f9dc05af8889bce6552875afa0b06df0087f792ebb7c17504a5");
const TlsSecret kListenerSecret =
    secret_of_hex("a11af9f05531f856ad47116b45a950328204b4f44bfb6b3a4b4f1f3fcb631643");
const Bytes kPublishedRecord = bytes_of_hex(
    "1703030043a23f7054b62c94d0affafe8228ba55cbefacea42f914aa66bcab3f2b9819a8a5b46b395bd54a9a20441e"
    "2b62974e1f5a6292a2977014bd1e3deae63aeebb21694915e4");
const Bytes kPublishedEnd = bytes_of_hex("1703030013c9872760655666b74d7ff1153efd6db6d0b0e3");

Bytes counted(size_t size) {
  Bytes bytes(size);
  std::iota(bytes.begin(), bytes.end(), uint8_t{0});
  return bytes;
}

class TlsRecordsTest : public testing::Test {
 protected:
  static Bytes sealed(TlsRecords& by, const std::vector<std::span<const uint8_t>>& text) {
    Bytes out(kTlsSealedRecordBytes);
    out.resize(by.seal(text, out.data()));
    return out;
  }
  static Bytes sealed(TlsRecords& by, std::span<const uint8_t> text) {
    return sealed(by, std::vector{text});
  }
  Bytes sealed(std::string_view text) {
    return sealed(client_, {{reinterpret_cast<const uint8_t*>(text.data()), text.size()}});
  }
  // Seals a record as a foreign TLS peer might: content, content type and padding.
  Bytes sealed_inner(const Bytes& inner) {
    const size_t size = inner.size() + AesGcm::kTagBytes;
    Bytes out{23, 3, 3, static_cast<uint8_t>(size >> 8), static_cast<uint8_t>(size)};
    out.resize(out.size() + size);
    const std::span<const uint8_t> text(inner);
    const Bytes header(out.begin(), out.begin() + kTlsHeaderBytes);
    traffic_->cipher().seal(traffic_->next_nonce(), header, {&text, 1}, out.data() + header.size());
    return out;
  }
  // Decrypts all complete records of the input.
  Result<std::string> opened(TlsRecords& by, Bytes input, size_t room = 0) {
    Bytes into(room);
    std::string text;
    for (std::span<uint8_t> left(input);;) {
      const auto record = by.open(left, into);
      if (!record) return record.error();
      if (record->bytes == 0) return text;
      text.append(record->text.begin(), record->text.end());
      left = left.subspan(record->bytes);
    }
  }
  Result<std::string> opened(Bytes input, size_t room = 0) {
    return opened(listener_, std::move(input), room);
  }

  // Decrypts records that must be valid.
  std::string text_of(TlsRecords& by, Bytes input) {
    const auto text = opened(by, std::move(input));
    EXPECT_TRUE(text) << text.error().message;
    return text.value_or("");
  }
  std::string text_of(Bytes input) { return text_of(listener_, std::move(input)); }

  TlsRecords client_{kClientSecret, kListenerSecret};
  TlsRecords listener_{kListenerSecret, kClientSecret};
  std::optional<TlsTraffic> traffic_{std::in_place, AesGcm::Use::kSeal, kClientSecret};
};

TEST_F(TlsRecordsTest, SealsAndOpensAsPublished) {
  EXPECT_EQ(sealed(client_, counted(50)), kPublishedRecord);
  Bytes end(kTlsSealedRecordBytes);
  end.resize(client_.seal(TlsAlert::kCloseNotify, end.data()));
  EXPECT_EQ(end, kPublishedEnd);

  const auto text = opened(kPublishedRecord);
  ASSERT_TRUE(text);
  EXPECT_EQ(Bytes(text->begin(), text->end()), counted(50));
  const auto over = opened(kPublishedEnd);
  ASSERT_FALSE(over);
  EXPECT_EQ(over.error().code, ErrorCode::kUnavailable);
}

TEST_F(TlsRecordsTest, TextIsTheSameInPartsAndWhereverItIsOpened) {
  for (const size_t size : {size_t{1}, size_t{15}, size_t{1000}, kTlsRecordBytes}) {
    const Bytes text = counted(size);
    const std::span<const uint8_t> whole(text);
    const std::vector<std::vector<std::span<const uint8_t>>> ways = {
        {whole}, {whole.first(size / 3), whole.subspan(size / 3)}};
    for (const auto& parts : ways) {
      for (const size_t room : {size_t{0}, size, size + 1, 2 * kTlsRecordBytes}) {
        const auto back = opened(sealed(client_, parts), room);
        ASSERT_TRUE(back) << back.error().message;
        EXPECT_TRUE(
            std::ranges::equal(*back, text, {}, [](char c) { return static_cast<uint8_t>(c); }));
      }
    }
  }
}

TEST_F(TlsRecordsTest, OpensIntoTheReadersPlaceWhatHasRoomThere) {
  Bytes record = sealed("picture");
  Bytes into(100);
  const auto direct = listener_.open(record, into);
  ASSERT_TRUE(direct);
  EXPECT_EQ(direct->bytes, record.size());
  EXPECT_EQ(direct->text.data(), into.data());
  record = sealed("picture");
  const auto in_place = listener_.open(record, std::span(into).first(3));
  ASSERT_TRUE(in_place);
  EXPECT_EQ(in_place->text.data(), record.data() + kTlsHeaderBytes);
}

TEST_F(TlsRecordsTest, WhatIsNotWholeIsWaitedFor) {
  const Bytes record = sealed("picture");
  for (size_t size = 0; size < record.size(); ++size) {
    EXPECT_EQ(text_of(Bytes(record.begin(), record.begin() + static_cast<ptrdiff_t>(size))), "");
  }
  EXPECT_EQ(text_of(record), "picture");
}

TEST_F(TlsRecordsTest, AChangedBitIsNoticed) {
  const Bytes record = sealed("picture");
  for (size_t bit = 0; bit < 8 * record.size(); ++bit) {
    TlsRecords fresh(kListenerSecret, kClientSecret);
    Bytes changed = record;
    changed[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    const auto text = opened(fresh, changed, bit % 2 == 0 ? 100 : 0);
    if (text) {  // the length was increased, and the bytes that follow are not a valid tag
      ASSERT_THAT(bit / 8, AnyOf(3U, 4U)) << "bit " << bit;
      EXPECT_EQ(*text, "");
      changed.resize(2 * kTlsRecordBytes);
      EXPECT_FALSE(opened(fresh, changed)) << "bit " << bit;
    } else {
      EXPECT_EQ(text.error().code, ErrorCode::kBadData);
    }
  }
}

TEST_F(TlsRecordsTest, WhatComesAgainIsRefused) {
  const Bytes record = sealed("again");
  EXPECT_EQ(text_of(record), "again");
  const auto text = opened(record);
  ASSERT_FALSE(text);
  EXPECT_THAT(text.error().message, HasSubstr("not the next"));
  EXPECT_EQ(listener_.complaint(), TlsAlert::kBadRecordMac);
}

TEST_F(TlsRecordsTest, WhatIsLeftOutOrOutOfOrderIsNoticed) {
  sealed("first");
  EXPECT_FALSE(opened(sealed("second")));
}

TEST_F(TlsRecordsTest, WhatTheListenerSaidIsNothingThatTheClientSays) {
  EXPECT_FALSE(opened(sealed(listener_, counted(9))));
}

TEST_F(TlsRecordsTest, KeysChangeWithinTheirLimit) {
  TlsRecords client(kClientSecret, kListenerSecret, kFewRecords);
  TlsRecords listener(kListenerSecret, kClientSecret, kFewRecords);
  size_t changes = 0;
  for (int i = 0; i < 100; ++i) {
    const std::string text = "forth " + std::to_string(i);
    const Bytes record =
        sealed(client, {{reinterpret_cast<const uint8_t*>(text.data()), text.size()}});
    constexpr size_t kFrame = kTlsHeaderBytes + 1 + AesGcm::kTagBytes;
    changes += record.size() > text.size() + kFrame ? 1 : 0;
    ASSERT_EQ(text_of(listener, record), text);
    ASSERT_EQ(text_of(client, sealed(listener, counted(3))).size(), 3U);
  }
  EXPECT_EQ(changes, (100 - 1) / kFewRecords);
}

TEST_F(TlsRecordsTest, WhoAsksForOtherKeysGetsThemBeforeTheNextText) {
  const Bytes asked{24, 0, 0, 1, 1, 22};
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(text_of(sealed_inner(asked)), "");
    traffic_->change();
  }
  const size_t plain = sealed(client_, counted(7)).size();
  const Bytes answer = sealed(listener_, counted(7));
  EXPECT_GT(answer.size(), plain) << "the change is in it";
  const Bytes next = sealed(listener_, counted(7));
  EXPECT_EQ(next.size(), plain) << "and once is enough";
  EXPECT_EQ(text_of(client_, answer).size(), 7U);
  EXPECT_EQ(text_of(client_, next).size(), 7U);
}

TEST_F(TlsRecordsTest, PaddingAndEmptyTextAreNothing) {
  Bytes padded{'a', 0, 'b', 23};
  padded.resize(300);
  EXPECT_EQ(text_of(sealed_inner(padded)), std::string("a\0b", 3));
  EXPECT_EQ(text_of(sealed_inner({23})), "");
  EXPECT_EQ(text_of(sealed_inner({1, 90, 21})), "") << "its end follows";
}

struct Broken {
  const char* what;
  Bytes inner;
  const char* message;
  TlsAlert complaint;
};

TEST_F(TlsRecordsTest, WhatIsSealedAndAgainstTheRulesIsRefusedByName) {
  const Broken cases[] = {
      {"zeros", Bytes(20), "zeros alone", TlsAlert::kUnexpectedMessage},
      {"a type", {1, 2, 20}, "content of the type 20", TlsAlert::kUnexpectedMessage},
      {"a ticket", {4, 0, 0, 1, 0, 22}, "changes no keys", TlsAlert::kUnexpectedMessage},
      {"no message", {22}, "changes no keys", TlsAlert::kUnexpectedMessage},
      {"half a change", {24, 0, 0, 22}, "whole and alone", TlsAlert::kDecodeError},
      {"two changes",
       {24, 0, 0, 1, 0, 24, 0, 0, 1, 0, 22},
       "whole and alone",
       TlsAlert::kDecodeError},
      {"another change", {24, 0, 0, 1, 2, 22}, "whole and alone", TlsAlert::kDecodeError},
      {"half an alert", {1, 21}, "an alert of 1 bytes", TlsAlert::kDecodeError},
      {"two alerts", {1, 90, 1, 90, 21}, "an alert of 4 bytes", TlsAlert::kDecodeError},
      {"an alert", {2, 20, 21}, "alert 20", TlsAlert::kCloseNotify},
      {"too much", Bytes(kTlsRecordBytes + 2, 23), "a record of 16402 bytes",
       TlsAlert::kRecordOverflow},
      {"nothing", {}, "a record of 16 bytes", TlsAlert::kDecodeError},
  };
  for (const Broken& broken : cases) {
    TlsRecords fresh(kListenerSecret, kClientSecret);
    traffic_.emplace(AesGcm::Use::kSeal, kClientSecret);
    const auto text = opened(fresh, sealed_inner(broken.inner));
    ASSERT_FALSE(text) << broken.what;
    EXPECT_EQ(text.error().code, ErrorCode::kBadData) << broken.what;
    EXPECT_THAT(text.error().message, HasSubstr(broken.message)) << broken.what;
    EXPECT_EQ(fresh.complaint(), broken.complaint) << broken.what;
  }
}

TEST_F(TlsRecordsTest, NothingIsTakenInClear) {
  for (const Bytes& record : {Bytes{20, 3, 3, 0, 1, 1}, Bytes{21, 3, 3, 0, 2, 1, 0}}) {
    TlsRecords fresh(kListenerSecret, kClientSecret);
    const auto text = opened(fresh, record);
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().code, ErrorCode::kBadData);
    EXPECT_THAT(text.error().message, HasSubstr("not sealed"));
  }
}

}  // namespace
}  // namespace sail
