#include "sail/core/tls/tls_records.h"

#include <fmt/core.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <string_view>

#include "sail/core/auth/proof.h"

namespace sail {
namespace {

// Outer content type of every encrypted record.
constexpr auto kSealed = static_cast<uint8_t>(TlsContent::kText);
constexpr uint8_t kVersion = 3;  // occurs twice in every record header
constexpr uint8_t kKeyUpdate = 24;
constexpr size_t kKeyUpdateBytes = 5;
constexpr uint8_t kUpdateRequested = 1;
constexpr size_t kAlertBytes = 2;
constexpr uint8_t kWarning = 1;
constexpr uint8_t kFatal = 2;

using Header = std::array<uint8_t, kTlsHeaderBytes>;

static_assert(kTlsSealedRecordBytes >=
              2 * (kTlsHeaderBytes + 1 + AesGcm::kTagBytes) + kKeyUpdateBytes + kTlsRecordBytes);

// HKDF-Expand-Label (RFC 8446, 7.1) with an empty context; one HKDF block is enough.
std::array<uint8_t, 32> expand(const TlsSecret& secret, std::string_view label, uint8_t bytes) {
  std::string info{'\0', static_cast<char>(bytes), static_cast<char>(6 + label.size())};
  info += "tls13 ";
  info += label;
  info += '\0';
  info += '\1';
  return hmac_sha256({reinterpret_cast<const char*>(secret.data()), secret.size()},
                     {reinterpret_cast<const uint8_t*>(info.data()), info.size()});
}

}  // namespace

// ---- TlsTraffic ----

TlsTraffic::TlsTraffic(AesGcm::Use use, const TlsSecret& secret) : cipher_(use), secret_(secret) {
  set_key();
}

void TlsTraffic::set_key() {
  const auto key = expand(secret_, "key", AesGcm::kKeyBytes);
  cipher_.set_key(std::span(key).first<AesGcm::kKeyBytes>());
  const auto mask = expand(secret_, "iv", AesGcm::kNonceBytes);
  std::copy_n(mask.begin(), mask_.size(), mask_.begin());
  records_ = 0;
}

void TlsTraffic::change() {
  secret_ = expand(secret_, "traffic upd", static_cast<uint8_t>(secret_.size()));
  set_key();
}

std::array<uint8_t, AesGcm::kNonceBytes> TlsTraffic::next_nonce() {
  auto nonce = mask_;
  uint64_t number = records_++;
  assert(records_ != 0);
  for (size_t at = nonce.size(); number != 0; number >>= 8) {
    nonce[--at] ^= static_cast<uint8_t>(number);
  }
  return nonce;
}

// ---- TlsRecords ----

TlsRecords::TlsRecords(const TlsSecret& to_peer, const TlsSecret& from_peer,
                       uint64_t records_per_key)
    : records_per_key_(records_per_key),
      sealing_(AesGcm::Use::kSeal, to_peer),
      opening_(AesGcm::Use::kOpen, from_peer) {}

size_t TlsRecords::seal(std::span<const std::span<const uint8_t>> text, uint8_t* out) {
  size_t bytes = 0;
  if (change_wanted_ || sealing_.records() >= records_per_key_) {
    constexpr uint8_t kChange[kKeyUpdateBytes] = {kKeyUpdate, 0, 0, 1, 0};
    const std::span<const uint8_t> change(kChange);
    bytes = seal(TlsContent::kHandshake, {&change, 1}, out);
    sealing_.change();
    change_wanted_ = false;
  }
  return bytes + seal(TlsContent::kText, text, out + bytes);
}

size_t TlsRecords::seal(TlsAlert alert, uint8_t* out) {
  const uint8_t level = alert == TlsAlert::kCloseNotify ? kWarning : kFatal;
  const uint8_t bytes[kAlertBytes] = {level, static_cast<uint8_t>(alert)};
  const std::span<const uint8_t> content(bytes);
  return seal(TlsContent::kAlert, {&content, 1}, out);
}

size_t TlsRecords::seal(TlsContent content, std::span<const std::span<const uint8_t>> text,
                        uint8_t* out) {
  size_t size = 0;
  for (const std::span<const uint8_t> part : text) size += part.size();
  assert(size <= kTlsRecordBytes);
  const size_t sealed = size + 1 + AesGcm::kTagBytes;
  const Header header{kSealed, kVersion, kVersion, static_cast<uint8_t>(sealed >> 8),
                      static_cast<uint8_t>(sealed)};
  uint8_t* const place = out + header.size();
  const auto type = static_cast<uint8_t>(content);
  const auto nonce = sealing_.next_nonce();
  if (text.size() == 1) {
    const std::span<const uint8_t> parts[] = {text.front(), {&type, 1}};
    sealing_.cipher().seal(nonce, header, parts, place);
  } else {  // separate parts would cost the cipher more than this copy
    uint8_t* at = place;
    for (const std::span<const uint8_t> part : text) at = std::copy(part.begin(), part.end(), at);
    *at = type;
    const std::span<const uint8_t> whole(place, size + 1);
    sealing_.cipher().seal(nonce, header, {&whole, 1}, place);
  }
  std::copy(header.begin(), header.end(), out);
  return header.size() + sealed;
}

Result<TlsRecords::Opened> TlsRecords::open(std::span<uint8_t> input, std::span<uint8_t> into) {
  if (input.size() < kTlsHeaderBytes) return Opened{};
  const std::span<uint8_t> header = input.first(kTlsHeaderBytes);
  if (header[0] != kSealed) {
    return broken(TlsAlert::kUnexpectedMessage,
                  fmt::format("a record of the type {} is not sealed", header[0]));
  }
  const size_t bytes = size_t{header[3]} << 8 | header[4];
  if (bytes > kTlsRecordBytes + 1 + AesGcm::kTagBytes) {
    return broken(TlsAlert::kRecordOverflow, fmt::format("a record of {} bytes", bytes));
  }
  if (bytes <= AesGcm::kTagBytes) {
    return broken(TlsAlert::kDecodeError, fmt::format("a record of {} bytes", bytes));
  }
  if (input.size() - header.size() < bytes) return Opened{};
  const std::span<uint8_t> sealed = input.subspan(header.size(), bytes);
  const size_t opened = bytes - AesGcm::kTagBytes;
  uint8_t* const place = into.size() < opened ? sealed.data() : into.data();
  if (!opening_.cipher().open(opening_.next_nonce(), header, sealed, place)) {
    return broken(TlsAlert::kBadRecordMac, "a record was changed on its way, or is not the next");
  }
  // The content type follows the content, possibly with zero padding.
  size_t size = opened;
  while (size > 0 && place[size - 1] == 0) --size;
  if (size == 0) return broken(TlsAlert::kUnexpectedMessage, "a record of zeros alone");
  const uint8_t type = place[--size];
  const std::span<const uint8_t> content(place, size);
  const size_t taken = header.size() + bytes;
  if (type == static_cast<uint8_t>(TlsContent::kText)) return Opened{taken, content};
  Result<void> done;
  if (type == static_cast<uint8_t>(TlsContent::kAlert)) {
    done = take_alert(content);
  } else if (type == static_cast<uint8_t>(TlsContent::kHandshake)) {
    done = take_handshake(content);
  } else {
    done = broken(TlsAlert::kUnexpectedMessage, fmt::format("content of the type {}", type));
  }
  if (!done) return done.error();
  return Opened{taken};
}

Result<void> TlsRecords::take_alert(std::span<const uint8_t> content) {
  if (content.size() != kAlertBytes) {
    return broken(TlsAlert::kDecodeError, fmt::format("an alert of {} bytes", content.size()));
  }
  complaint_ = TlsAlert::kCloseNotify;
  if (content[1] == static_cast<uint8_t>(TlsAlert::kUserCanceled)) return {};  // the end follows
  if (content[1] == static_cast<uint8_t>(TlsAlert::kCloseNotify)) {
    return fail(ErrorCode::kUnavailable, "the peer closed the connection");
  }
  return fail(ErrorCode::kBadData, fmt::format("it ended the TLS session: alert {}", content[1]));
}

Result<void> TlsRecords::take_handshake(std::span<const uint8_t> content) {
  if (content.empty() || content[0] != kKeyUpdate) {
    return broken(TlsAlert::kUnexpectedMessage, "a handshake message that changes no keys");
  }
  constexpr uint8_t kHead[] = {kKeyUpdate, 0, 0, 1};
  if (content.size() != kKeyUpdateBytes ||
      !std::equal(std::begin(kHead), std::end(kHead), content.begin()) ||
      content.back() > kUpdateRequested) {
    return broken(TlsAlert::kDecodeError, "a change of keys that is not one, whole and alone");
  }
  // One KeyUpdate before the next text answers any number of requests.
  if (content.back() == kUpdateRequested) change_wanted_ = true;
  opening_.change();
  return {};
}

Error TlsRecords::broken(TlsAlert alert, const std::string& why) {
  complaint_ = alert;
  return {ErrorCode::kBadData, "its TLS is broken: " + why};
}

}  // namespace sail
