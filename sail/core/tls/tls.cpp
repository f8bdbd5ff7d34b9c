#include "sail/core/tls/tls.h"

#include <fmt/core.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "sail/core/text/encodings.h"

namespace sail {

struct OpenSslFree {
  void operator()(SSL* one) const { SSL_free(one); }
  void operator()(SSL_CTX* one) const { SSL_CTX_free(one); }
  void operator()(BIO_METHOD* one) const { BIO_meth_free(one); }
  void operator()(EVP_PKEY* one) const { EVP_PKEY_free(one); }
  void operator()(X509* one) const { X509_free(one); }
};
template <typename Type>
using OpenSslOwned = std::unique_ptr<Type, OpenSslFree>;

namespace {

constexpr std::string_view kBindingLabel = "EXPORTER-Channel-Binding";
constexpr size_t kBindingBytes = 32;
// Validity is not checked, since certificates live as long as the process; X.509 requires it.
constexpr long kCertificateSeconds = 10L * 365 * 24 * 3600;
constexpr long kClocksDifferSeconds = 24 * 3600;

// For calls that fail only for lack of memory or randomness: data must not go unencrypted then.
void must(bool done) {
  if (!done) std::abort();
}

std::string fingerprint_of(const X509* certificate) {
  std::array<uint8_t, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  must(X509_digest(certificate, EVP_sha256(), digest.data(), &size) == 1);
  return hex_text(std::span(digest).first(size));
}

OpenSslOwned<X509> self_made(EVP_PKEY* key) {
  OpenSslOwned<X509> certificate(X509_new());
  must(certificate != nullptr);
  X509* made = certificate.get();
  uint32_t serial = 0;
  must(RAND_bytes(reinterpret_cast<uint8_t*>(&serial), sizeof serial) == 1);
  X509_NAME* name = X509_get_subject_name(made);
  constexpr uint8_t kName[] = "vitrail";
  must(X509_set_version(made, X509_VERSION_3) == 1 &&
       ASN1_INTEGER_set_uint64(X509_get_serialNumber(made), uint64_t{serial} + 1) == 1 &&
       X509_gmtime_adj(X509_getm_notBefore(made), -kClocksDifferSeconds) != nullptr &&
       X509_gmtime_adj(X509_getm_notAfter(made), kCertificateSeconds) != nullptr &&
       X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, kName, -1, -1, 0) == 1 &&
       X509_set_issuer_name(made, name) == 1 && X509_set_pubkey(made, key) == 1 &&
       X509_sign(made, key, EVP_sha256()) > 0);
  return certificate;
}

OpenSslOwned<SSL_CTX> make_settings(const SSL_METHOD* method) {
  OpenSslOwned<SSL_CTX> settings(SSL_CTX_new(method));
  must(settings != nullptr);
  SSL_CTX* made = settings.get();
  must(SSL_CTX_set_min_proto_version(made, TLS1_3_VERSION) == 1 &&
       SSL_CTX_set_max_proto_version(made, TLS1_3_VERSION) == 1 &&
       SSL_CTX_set_ciphersuites(made, "TLS_AES_128_GCM_SHA256") == 1 &&
       SSL_CTX_set_num_tickets(made, 0) == 1);
  SSL_CTX_set_options(made, SSL_OP_NO_TICKET);
  SSL_CTX_set_session_cache_mode(made, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_verify(made, SSL_VERIFY_NONE, nullptr);
  return settings;
}

// Returns OpenSSL's newest error message and clears the error queue.
std::string trouble() {
  const char* reason = ERR_reason_error_string(ERR_peek_last_error());
  std::string text = reason == nullptr ? "no reason given" : reason;
  ERR_clear_error();
  return text;
}

}  // namespace

// ---- TlsSession::Impl: OpenSSL's view of the bytes ----

struct TlsSession::Impl {
  Impl(uint64_t its_records_per_key, std::vector<uint8_t>& its_output,
       std::vector<uint8_t>& scratch)
      : records_per_key(its_records_per_key), output(its_output), joined(scratch) {}

  const uint64_t records_per_key;
  std::vector<uint8_t>& output;
  std::span<const uint8_t> input;
  std::vector<uint8_t>* records = nullptr;  // while write() runs: its output
  std::vector<uint8_t>& joined;             // owned by the context
  uint64_t records_with_key = 0;
  bool shaken = false;
  OpenSslOwned<SSL> ssl;
  std::string binding;
  std::string peer_fingerprint;

  static Impl& of(BIO* bio) { return *static_cast<Impl*>(BIO_get_data(bio)); }
  static int take(BIO* bio, char* into, size_t size, size_t* taken);
  static int put(BIO* bio, const char* bytes, size_t size, size_t* put);
  static long control(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }
  void read_facts();
  std::span<const uint8_t> in_one_piece(std::span<const std::span<const uint8_t>> text);
  void change_key_in_time();
};

int TlsSession::Impl::take(BIO* bio, char* into, size_t size, size_t* taken) {
  Impl& impl = of(bio);
  BIO_clear_retry_flags(bio);
  *taken = std::min(size, impl.input.size());
  if (*taken == 0) {
    BIO_set_retry_read(bio);
    return 0;
  }
  std::memcpy(into, impl.input.data(), *taken);
  impl.input = impl.input.subspan(*taken);
  return 1;
}

int TlsSession::Impl::put(BIO* bio, const char* bytes, size_t size, size_t* put) {
  Impl& impl = of(bio);
  const auto* begin = reinterpret_cast<const uint8_t*>(bytes);
  std::vector<uint8_t>& into = impl.records != nullptr ? *impl.records : impl.output;
  into.insert(into.end(), begin, begin + size);
  *put = size;
  return 1;
}

// Called after the handshake.
void TlsSession::Impl::read_facts() {
  std::array<uint8_t, kBindingBytes> bytes{};
  must(SSL_export_keying_material(ssl.get(), bytes.data(), bytes.size(), kBindingLabel.data(),
                                  kBindingLabel.size(), nullptr, 0, 1) == 1);
  binding = hex_text(bytes);
  const X509* certificate = SSL_get0_peer_certificate(ssl.get());
  if (certificate != nullptr) peer_fingerprint = fingerprint_of(certificate);
}

std::span<const uint8_t> TlsSession::Impl::in_one_piece(
    std::span<const std::span<const uint8_t>> text) {
  if (text.size() == 1) return text.front();
  joined.clear();
  for (const std::span<const uint8_t>& part : text)
    joined.insert(joined.end(), part.begin(), part.end());
  return joined;
}

// libssl counts no records. The next record follows the KeyUpdate.
void TlsSession::Impl::change_key_in_time() {
  if (records_with_key++ < records_per_key) return;
  // If this fails, the next record tries again.
  if (SSL_key_update(ssl.get(), SSL_KEY_UPDATE_NOT_REQUESTED) == 1) records_with_key = 1;
}

// ---- TlsContext ----

struct TlsContext::Impl {
  OpenSslOwned<SSL_CTX> client = make_settings(TLS_client_method());
  OpenSslOwned<SSL_CTX> listener = make_settings(TLS_server_method());
  OpenSslOwned<BIO_METHOD> bytes{BIO_meth_new(BIO_TYPE_SOURCE_SINK, "bytes of a session")};
  uint64_t records_per_key = kRecordsPerKey;
  std::vector<uint8_t> joined;  // scratch of write(): text of several parts
  std::string fingerprint;
};

TlsContext::TlsContext(uint64_t records_per_key) : impl_(std::make_unique<Impl>()) {
  impl_->records_per_key = records_per_key;
  const OpenSslOwned<EVP_PKEY> key(EVP_EC_gen("P-256"));
  must(key != nullptr);
  const OpenSslOwned<X509> certificate = self_made(key.get());
  must(SSL_CTX_use_certificate(impl_->listener.get(), certificate.get()) == 1 &&
       SSL_CTX_use_PrivateKey(impl_->listener.get(), key.get()) == 1);
  impl_->fingerprint = fingerprint_of(certificate.get());
  BIO_METHOD* bytes = impl_->bytes.get();
  must(bytes != nullptr && BIO_meth_set_read_ex(bytes, TlsSession::Impl::take) == 1 &&
       BIO_meth_set_write_ex(bytes, TlsSession::Impl::put) == 1 &&
       BIO_meth_set_ctrl(bytes, TlsSession::Impl::control) == 1);
}

TlsContext::~TlsContext() = default;

const std::string& TlsContext::fingerprint() const {
  return impl_->fingerprint;
}

// ---- TlsSession ----

TlsSession::TlsSession(TlsContext& context, Side side, std::vector<uint8_t>& output)
    : impl_(std::make_unique<Impl>(context.impl_->records_per_key, output, context.impl_->joined)) {
  const bool client = side == Side::kClient;
  impl_->ssl.reset(SSL_new((client ? context.impl_->client : context.impl_->listener).get()));
  BIO* bio = BIO_new(context.impl_->bytes.get());
  must(impl_->ssl != nullptr && bio != nullptr);
  BIO_set_data(bio, impl_.get());
  BIO_set_init(bio, 1);
  SSL_set_bio(impl_->ssl.get(), bio, bio);  // takes ownership
  client ? SSL_set_connect_state(impl_->ssl.get()) : SSL_set_accept_state(impl_->ssl.get());
}

TlsSession::~TlsSession() = default;

void TlsSession::set_input(std::span<const uint8_t> input) {
  impl_->input = input;
}

std::span<const uint8_t> TlsSession::input() const {
  return impl_->input;
}

bool TlsSession::readable() const {
  return !impl_->input.empty() || SSL_pending(impl_->ssl.get()) > 0;
}

Result<bool> TlsSession::handshake() {
  ERR_clear_error();
  SSL* ssl = impl_->ssl.get();
  const int returned = SSL_do_handshake(ssl);
  if (returned == 1) {
    impl_->read_facts();
    impl_->shaken = true;
    return true;
  }
  if (SSL_get_error(ssl, returned) == SSL_ERROR_WANT_READ) return false;
  return fail(ErrorCode::kUnauthorized, fmt::format("the TLS 1.3 handshake failed: {}", trouble()));
}

Result<size_t> TlsSession::read(std::span<uint8_t> into) {
  ERR_clear_error();
  SSL* ssl = impl_->ssl.get();
  size_t size = 0;
  const int returned = SSL_read_ex(ssl, into.data(), into.size(), &size);
  if (returned == 1) return size;
  switch (SSL_get_error(ssl, returned)) {
    case SSL_ERROR_WANT_READ:
      return size_t{0};
    case SSL_ERROR_ZERO_RETURN:
      return fail(ErrorCode::kUnavailable, "the peer closed the connection");
    default:
      return fail(ErrorCode::kBadData, fmt::format("the TLS session failed: {}", trouble()));
  }
}

bool TlsSession::write(std::span<const std::span<const uint8_t>> text, std::vector<uint8_t>& out) {
  ERR_clear_error();
  impl_->change_key_in_time();
  const std::span<const uint8_t> whole = impl_->in_one_piece(text);
  size_t written = 0;
  impl_->records = &out;
  const int returned = SSL_write_ex(impl_->ssl.get(), whole.data(), whole.size(), &written);
  impl_->records = nullptr;
  ERR_clear_error();  // other users of OpenSSL on this thread may read the queue
  return returned == 1 && written == whole.size();
}

void TlsSession::close() {
  if (impl_->shaken) SSL_shutdown(impl_->ssl.get());
  ERR_clear_error();
}

const std::string& TlsSession::binding() const {
  return impl_->binding;
}

const std::string& TlsSession::peer_fingerprint() const {
  return impl_->peer_fingerprint;
}

}  // namespace sail
