// Our session against one of libssl, in memory: any TLS 1.3 peer must interoperate.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "sail/core/tls/tls.h"
#include "tests/unit/sail/core/http/certificate_maker.h"

namespace sail {
namespace {

using testing::HasSubstr;
using Bytes = std::vector<uint8_t>;
using Side = TlsSession::Side;

constexpr size_t kSizes[] = {1, 16384, 100000, 5, 16385, 3};

Bytes plain_text(size_t size, uint32_t seed) {
  Bytes bytes(size);
  for (uint8_t& byte : bytes)
    byte = static_cast<uint8_t>((seed = seed * 1664525 + 1013904223) >> 24);
  return bytes;
}

// The peer, written with libssl only.
class Foreign {
 public:
  Foreign(Side side, const CertificateFiles& files, const char* ciphers)
      : settings_(SSL_CTX_new(side == Side::kClient ? TLS_client_method() : TLS_server_method())) {
    EXPECT_EQ(SSL_CTX_set_ciphersuites(settings_, ciphers), 1);
    EXPECT_EQ(SSL_CTX_set_num_tickets(settings_, 0), 1);
    if (side == Side::kListener) {
      SSL_CTX_use_certificate_file(settings_, files.certificate.c_str(), SSL_FILETYPE_PEM);
      SSL_CTX_use_PrivateKey_file(settings_, files.key.c_str(), SSL_FILETYPE_PEM);
    }
    ssl_ = SSL_new(settings_);
    SSL_set_bio(ssl_, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    side == Side::kClient ? SSL_set_connect_state(ssl_) : SSL_set_accept_state(ssl_);
  }
  ~Foreign() {
    SSL_free(ssl_);
    SSL_CTX_free(settings_);
  }
  Foreign(const Foreign&) = delete;
  Foreign& operator=(const Foreign&) = delete;

  SSL* ssl() { return ssl_; }
  void hear(const Bytes& bytes) {
    if (bytes.empty()) return;
    EXPECT_GT(BIO_write(SSL_get_rbio(ssl_), bytes.data(), static_cast<int>(bytes.size())), 0);
  }
  Bytes said() {
    Bytes bytes(BIO_ctrl_pending(SSL_get_wbio(ssl_)));
    if (!bytes.empty()) BIO_read(SSL_get_wbio(ssl_), bytes.data(), static_cast<int>(bytes.size()));
    return bytes;
  }
  void write(const Bytes& bytes) {
    EXPECT_EQ(SSL_write(ssl_, bytes.data(), static_cast<int>(bytes.size())),
              static_cast<int>(bytes.size()));
  }
  Bytes read(size_t size) {
    Bytes bytes(size);
    size_t got = 0;
    for (int more = 1; more > 0 && got < size; got += static_cast<size_t>(std::max(more, 0))) {
      more = SSL_read(ssl_, bytes.data() + got, static_cast<int>(size - got));
    }
    bytes.resize(got);
    return bytes;
  }

 private:
  SSL_CTX* settings_;
  SSL* ssl_ = nullptr;
};

class TlsSessionTest : public testing::TestWithParam<Side> {
 protected:
  bool ours_connects() const { return GetParam() == Side::kClient; }

  // Passes bytes of the foreign end to our end.
  void hear(const Bytes& bytes) {
    const Bytes left(ours_->input().begin(), ours_->input().end());
    input_ = left;
    input_.insert(input_.end(), bytes.begin(), bytes.end());
    ours_->set_input(input_);
  }
  Result<bool> shake(const char* ciphers = "TLS_AES_128_GCM_SHA256") {
    const TempFolder folder;
    foreign_.emplace(ours_connects() ? Side::kListener : Side::kClient,
                     make_certificate(folder, "wall"), ciphers);
    SSL_set_tlsext_max_fragment_length(foreign_->ssl(), max_fragment_);
    ours_.emplace(context_, GetParam(), told_);
    Result<bool> done = false;
    for (int turn = 0; turn < 10 && done && !(*done && SSL_is_init_finished(foreign_->ssl()));
         ++turn) {
      if (!*done) done = ours_->handshake();
      foreign_->hear(std::exchange(told_, {}));
      SSL_do_handshake(foreign_->ssl());
      hear(foreign_->said());
    }
    return done;
  }
  bool shakes() {
    const auto done = shake();
    EXPECT_TRUE(done) << done.error().message;
    return done.value_or(false);
  }
  Bytes sealed(const Bytes& text) {
    Bytes out;
    for (std::span<const uint8_t> left(text); !left.empty();) {
      const auto record = left.first(std::min(left.size(), kTlsRecordBytes));
      const size_t half = record.size() / 2;
      const std::array parts{record.first(half), record.subspan(half)};
      EXPECT_TRUE(ours_->write(half > 0 ? std::span(parts) : std::span(parts).last(1), out));
      left = left.subspan(record.size());
    }
    return out;
  }
  Result<Bytes> read(size_t piece) {
    Bytes text;
    for (;;) {
      Bytes into(piece);
      const auto size = ours_->read(into);
      if (!size) return size.error();
      if (*size == 0) return text;
      text.insert(text.end(), into.begin(), into.begin() + static_cast<ptrdiff_t>(*size));
    }
  }

  static constexpr uint64_t kRecordsPerKey = 12;
  uint8_t max_fragment_ = TLSEXT_max_fragment_length_DISABLED;  // of the foreign client
  TlsContext context_{kRecordsPerKey};
  Bytes told_;
  Bytes input_;
  std::optional<Foreign> foreign_;
  std::optional<TlsSession> ours_;
};

TEST_P(TlsSessionTest, UnderstandsTheWorldAndIsUnderstood) {
  ASSERT_TRUE(shakes());
  for (const size_t size : kSizes) {
    const Bytes text = plain_text(size, static_cast<uint32_t>(size));
    foreign_->hear(sealed(text));
    EXPECT_TRUE(foreign_->read(size) == text) << size;
    foreign_->write(text);
    hear(foreign_->said());
    const auto back = read(size % 2 == 0 ? 100000 : 777);
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_TRUE(*back == text) << size;
  }
}

TEST_P(TlsSessionTest, ChangesKeysWhenItIsAsked) {
  ASSERT_TRUE(shakes());
  for (const int kind : {SSL_KEY_UPDATE_NOT_REQUESTED, SSL_KEY_UPDATE_REQUESTED}) {
    for (int times = 0; times < 3; ++times) {
      ASSERT_EQ(SSL_key_update(foreign_->ssl(), kind), 1);
      const Bytes text = plain_text(20000, 3);
      foreign_->write(text);
      hear(foreign_->said());
      const auto back = read(20000);
      ASSERT_TRUE(back) << back.error().message;
      EXPECT_TRUE(*back == text);
      foreign_->hear(sealed(text));
      EXPECT_TRUE(foreign_->read(text.size()) == text);
    }
  }
}

TEST_P(TlsSessionTest, APeerMayLimitTheSizeOfRecords) {
  if (ours_connects()) return;  // only clients may ask for the limit
  max_fragment_ = TLSEXT_max_fragment_length_512;
  ASSERT_TRUE(shakes());
  for (const size_t size : kSizes) {
    const Bytes text = plain_text(size, 7);
    const Bytes records = sealed(text);
    EXPECT_TRUE(size <= 512 || records.size() >= size + size / 512 * 22) << "several records";
    foreign_->hear(records);
    EXPECT_TRUE(foreign_->read(size) == text) << size;
  }
}

TEST_P(TlsSessionTest, AKeyIsReplacedWithinItsLimit) {
  ASSERT_TRUE(shakes());
  const Bytes text = plain_text(100, 1);
  std::vector<size_t> sizes;
  for (uint64_t record = 0; record < 3 * kRecordsPerKey; ++record) {
    const Bytes bytes = sealed(text);
    sizes.push_back(bytes.size());
    foreign_->hear(bytes);
    ASSERT_TRUE(foreign_->read(text.size()) == text) << record;
  }
  for (uint64_t record = 0; record < sizes.size(); ++record) {
    const bool changed = record > 0 && record % kRecordsPerKey == 0;
    EXPECT_EQ(sizes[record] > sizes[0], changed) << record;
  }
}

TEST_P(TlsSessionTest, BothEndsTellThatNothingFollows) {
  ASSERT_TRUE(shakes());
  ours_->close();
  foreign_->hear(std::exchange(told_, {}));
  EXPECT_EQ(foreign_->read(1).size(), 0U);
  EXPECT_EQ(SSL_get_shutdown(foreign_->ssl()), SSL_RECEIVED_SHUTDOWN);
  foreign_->write({1, 2, 3});
  SSL_shutdown(foreign_->ssl());
  hear(foreign_->said());
  Bytes into(3);
  EXPECT_EQ(ours_->read(into).value_or(0), 3U);
  const auto over = ours_->read(into);
  ASSERT_FALSE(over);
  EXPECT_EQ(over.error().code, ErrorCode::kUnavailable);
}

TEST_P(TlsSessionTest, TellsThePeerWhatIsWrong) {
  ASSERT_TRUE(shakes());
  foreign_->write({1, 2, 3});
  Bytes changed = foreign_->said();
  changed.back() ^= 1;
  hear(changed);
  EXPECT_FALSE(read(100));
  foreign_->hear(std::exchange(told_, {}));
  ERR_clear_error();
  EXPECT_EQ(foreign_->read(1).size(), 0U);
  EXPECT_EQ(ERR_GET_REASON(ERR_peek_last_error()), SSL_R_SSLV3_ALERT_BAD_RECORD_MAC);
  ERR_clear_error();
}

TEST_P(TlsSessionTest, BothHaveTheSameBinding) {
  ASSERT_TRUE(shakes());
  Bytes bytes(32);
  constexpr std::string_view kLabel = "EXPORTER-Channel-Binding";
  ASSERT_EQ(SSL_export_keying_material(foreign_->ssl(), bytes.data(), bytes.size(), kLabel.data(),
                                       kLabel.size(), nullptr, 0, 1),
            1);
  EXPECT_EQ(ours_->binding().size(), 64U);
  EXPECT_EQ(ours_->binding().substr(0, 2), fmt::format("{:02x}", bytes[0]));
  EXPECT_EQ(ours_->binding().substr(62), fmt::format("{:02x}", bytes[31]));
}

TEST_P(TlsSessionTest, WhoDoesNotHaveTheCipherIsLeft) {
  const auto shaken = shake("TLS_CHACHA20_POLY1305_SHA256:TLS_AES_256_GCM_SHA384");
  if (!ours_connects()) {
    ASSERT_FALSE(shaken);
    EXPECT_EQ(shaken.error().code, ErrorCode::kUnauthorized);
    EXPECT_THAT(shaken.error().message, HasSubstr("no shared cipher"));
  } else {
    EXPECT_FALSE(shaken.value_or(false));
  }
}

INSTANTIATE_TEST_SUITE_P(Sides, TlsSessionTest, testing::Values(Side::kClient, Side::kListener),
                         [](const auto& sides) {
                           return sides.param == Side::kClient ? "Client" : "Listener";
                         });

}  // namespace
}  // namespace sail
