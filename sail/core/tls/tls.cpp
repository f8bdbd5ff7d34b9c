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
#include <optional>
#include <string_view>

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
constexpr int kOwnerIndex = 0;  // ex_data index of an SSL's owner
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
  std::string text = reason == nullptr ? "the handshake broke off" : reason;
  ERR_clear_error();
  return text;
}

}  // namespace

// ---- TlsSession::Impl: OpenSSL's view of the bytes ----

struct TlsSession::Impl {
  Impl(Side its_side, std::vector<uint8_t>& its_output) : side(its_side), output(its_output) {}

  const Side side;
  std::vector<uint8_t>& output;
  std::span<uint8_t> input;
  OpenSslOwned<SSL> ssl;  // during the handshake
  TlsSecret client_secret{};
  TlsSecret listener_secret{};
  std::optional<TlsRecords> records;  // after the handshake
  // The partly read record at the front of the input: unread text, and bytes after the text.
  size_t text_bytes = 0;
  size_t bytes_behind = 0;
  std::string binding;
  std::string peer_fingerprint;

  static Impl& of(BIO* bio) { return *static_cast<Impl*>(BIO_get_data(bio)); }
  static int take(BIO* bio, char* into, size_t size, size_t* taken);
  static int put(BIO* bio, const char* bytes, size_t size, size_t* put);
  static long control(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }
  static void note_secret(const SSL* ssl, const char* line);
  void shaken();
  void tell(TlsAlert alert);
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
  const auto* begin = reinterpret_cast<const uint8_t*>(bytes);
  std::vector<uint8_t>& output = of(bio).output;
  output.insert(output.end(), begin, begin + size);
  *put = size;
  return 1;
}

// Key log callback of libssl, in NSS key log format: a label, the client random, and the secret.
void TlsSession::Impl::note_secret(const SSL* ssl, const char* line) {
  auto& impl = *static_cast<Impl*>(SSL_get_ex_data(ssl, kOwnerIndex));
  const std::string_view text(line);
  const std::string_view name = text.substr(0, text.find(' '));
  if (name != "CLIENT_TRAFFIC_SECRET_0" && name != "SERVER_TRAFFIC_SECRET_0") return;
  TlsSecret& secret = name.front() == 'C' ? impl.client_secret : impl.listener_secret;
  const char* digits = line + text.rfind(' ') + 1;
  size_t size = 0;
  must(OPENSSL_hexstr2buf_ex(secret.data(), secret.size(), &size, digits, '\0') == 1 &&
       size == secret.size());
}

// No record was encrypted with these secrets yet, so record numbers start at 0.
void TlsSession::Impl::shaken() {
  std::array<uint8_t, kBindingBytes> bytes{};
  must(SSL_export_keying_material(ssl.get(), bytes.data(), bytes.size(), kBindingLabel.data(),
                                  kBindingLabel.size(), nullptr, 0, 1) == 1);
  binding = hex_text(bytes);
  const X509* certificate = SSL_get0_peer_certificate(ssl.get());
  if (certificate != nullptr) peer_fingerprint = fingerprint_of(certificate);
  const bool client = side == Side::kClient;
  records.emplace(client ? client_secret : listener_secret,
                  client ? listener_secret : client_secret);
  OPENSSL_cleanse(client_secret.data(), client_secret.size());
  OPENSSL_cleanse(listener_secret.data(), listener_secret.size());
  ssl.reset();
}

void TlsSession::Impl::tell(TlsAlert alert) {
  std::array<uint8_t, kTlsSealedRecordBytes - kTlsRecordBytes> record;
  const size_t bytes = records->seal(alert, record.data());
  output.insert(output.end(), record.data(), record.data() + bytes);
}

// ---- TlsContext ----

struct TlsContext::Impl {
  OpenSslOwned<SSL_CTX> client = make_settings(TLS_client_method());
  OpenSslOwned<SSL_CTX> listener = make_settings(TLS_server_method());
  OpenSslOwned<BIO_METHOD> bytes{BIO_meth_new(BIO_TYPE_SOURCE_SINK, "bytes of a session")};
  std::string fingerprint;
};

TlsContext::TlsContext() : impl_(std::make_unique<Impl>()) {
  const OpenSslOwned<EVP_PKEY> key(EVP_EC_gen("P-256"));
  must(key != nullptr);
  const OpenSslOwned<X509> certificate = self_made(key.get());
  must(SSL_CTX_use_certificate(impl_->listener.get(), certificate.get()) == 1 &&
       SSL_CTX_use_PrivateKey(impl_->listener.get(), key.get()) == 1);
  SSL_CTX_set_keylog_callback(impl_->client.get(), TlsSession::Impl::note_secret);
  SSL_CTX_set_keylog_callback(impl_->listener.get(), TlsSession::Impl::note_secret);
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
    : impl_(std::make_unique<Impl>(side, output)) {
  const bool client = side == Side::kClient;
  impl_->ssl.reset(SSL_new((client ? context.impl_->client : context.impl_->listener).get()));
  BIO* bio = BIO_new(context.impl_->bytes.get());
  must(impl_->ssl != nullptr && bio != nullptr);
  BIO_set_data(bio, impl_.get());
  BIO_set_init(bio, 1);
  SSL_set_bio(impl_->ssl.get(), bio, bio);  // takes ownership
  must(SSL_set_ex_data(impl_->ssl.get(), kOwnerIndex, impl_.get()) == 1);
  client ? SSL_set_connect_state(impl_->ssl.get()) : SSL_set_accept_state(impl_->ssl.get());
}

TlsSession::~TlsSession() = default;

void TlsSession::set_input(std::span<uint8_t> input) {
  impl_->input = input;
}

std::span<const uint8_t> TlsSession::input() const {
  return impl_->input;
}

Result<bool> TlsSession::handshake() {
  ERR_clear_error();
  SSL* ssl = impl_->ssl.get();
  const int returned = SSL_do_handshake(ssl);
  if (returned == 1 && SSL_has_pending(ssl) == 0) {
    impl_->shaken();
    return true;
  }
  if (returned != 1 && SSL_get_error(ssl, returned) == SSL_ERROR_WANT_READ) return false;
  return fail(ErrorCode::kUnauthorized, fmt::format("no TLS 1.3 with it: {}", trouble()));
}

Result<size_t> TlsSession::read(std::span<uint8_t> into) {
  Impl& impl = *impl_;
  while (impl.text_bytes == 0) {
    const auto opened = impl.records->open(impl.input, into);
    if (!opened) {
      if (impl.records->complaint() != TlsAlert::kCloseNotify) impl.tell(impl.records->complaint());
      return opened.error();
    }
    if (opened->bytes == 0) return size_t{0};
    const size_t text_bytes = opened->text.size();
    if (text_bytes == 0 || opened->text.data() == into.data()) {
      impl.input = impl.input.subspan(opened->bytes);
      if (text_bytes > 0) return text_bytes;
    } else {
      impl.input = impl.input.subspan(kTlsHeaderBytes);
      impl.text_bytes = text_bytes;
      impl.bytes_behind = opened->bytes - kTlsHeaderBytes - text_bytes;
    }
  }
  const size_t taken = std::min(impl.text_bytes, into.size());
  std::memcpy(into.data(), impl.input.data(), taken);
  impl.text_bytes -= taken;
  impl.input = impl.input.subspan(taken + (impl.text_bytes == 0 ? impl.bytes_behind : 0));
  return taken;
}

size_t TlsSession::write(std::span<const std::span<const uint8_t>> text, uint8_t* out) {
  return impl_->records->seal(text, out);
}

void TlsSession::close() {
  if (impl_->records) impl_->tell(TlsAlert::kCloseNotify);
}

const std::string& TlsSession::binding() const {
  return impl_->binding;
}

const std::string& TlsSession::peer_fingerprint() const {
  return impl_->peer_fingerprint;
}

}  // namespace sail
