#include "sail/core/http/web_certificate.h"

#include <fmt/core.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <fstream>
#include <span>
#include <utility>

#include "sail/core/text/encodings.h"

namespace sail {

struct CertificateFree {
  void operator()(BIO* one) const { BIO_free(one); }
  void operator()(X509* one) const { X509_free(one); }
  void operator()(EVP_PKEY* one) const { EVP_PKEY_free(one); }
  void operator()(STACK_OF(X509) * all) const { sk_X509_pop_free(all, X509_free); }
};
template <typename Type>
using Freed = std::unique_ptr<Type, CertificateFree>;

namespace {

constexpr size_t kMostFileBytes = 1 << 20;
constexpr size_t kMostChain = 16;
constexpr int kSecondsADay = 24 * 3600;
constexpr int kSoonDays = 14;

Result<std::string> read_pem(const std::filesystem::path& file) {
  std::string text(kMostFileBytes + 1, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!in.is_open() || in.bad()) {
    return fail(ErrorCode::kIo,
                fmt::format("cannot read {}: {}", file.string(), std::strerror(errno)));
  }
  text.resize(static_cast<size_t>(in.gcount()));
  if (text.size() <= kMostFileBytes) return text;
  return fail(ErrorCode::kInvalidParams,
              fmt::format("{} is too large for a certificate or a private key", file.string()));
}

Freed<BIO> bytes_of(const std::string& text) {
  return Freed<BIO>(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

// Group access is allowed: Debian has a group for server keys.
Result<void> check_readers(const std::filesystem::path& key) {
  struct stat facts {};
  if (stat(key.c_str(), &facts) != 0 || (facts.st_mode & S_IRWXO) == 0) return {};
  return fail(
      ErrorCode::kUnauthorized,
      fmt::format("all users of this host can access the private key {}: run `chmod 640 {}`, and "
                  "if somebody may have read the key, get a certificate for a new one",
                  key.string(), key.string()));
}

// There is no user who could type a password.
int no_password(char*, int, int, void*) {
  return -1;
}

Result<Freed<EVP_PKEY>> read_private_key(const std::filesystem::path& file) {
  const auto text = check_readers(file).and_then([&] { return read_pem(file); });
  if (!text) return text.error();
  Freed<EVP_PKEY> key(
      PEM_read_bio_PrivateKey(bytes_of(*text).get(), nullptr, no_password, nullptr));
  ERR_clear_error();
  if (key) return key;
  return fail(ErrorCode::kInvalidParams,
              fmt::format("{} is not a private key (PEM, without a password)", file.string()));
}

std::string digest_of(std::span<const uint8_t> bytes) {
  std::array<uint8_t, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr);
  return {digest.begin(), digest.begin() + size};
}

// Digest of the object in DER form; `encode` is OpenSSL's encoder.
template <typename Type>
std::string digest_of_der(Type* one, int (*encode)(Type*, uint8_t**)) {
  uint8_t* der = nullptr;
  const int size = encode(one, &der);
  std::string digest = size <= 0 ? "" : digest_of(std::span(der, static_cast<size_t>(size)));
  OPENSSL_free(der);
  return digest;
}

std::string day_text(const ASN1_TIME* time) {
  std::tm day{};
  if (ASN1_TIME_to_tm(time, &day) != 1) return "an unreadable date";
  return fmt::format("{}-{:02}-{:02}", day.tm_year + 1900, day.tm_mon + 1, day.tm_mday);
}

}  // namespace

struct WebCertificate::Impl {
  CertificateFiles files;
  Freed<X509> certificate;
  Freed<STACK_OF(X509)> chain{sk_X509_new_null()};  // the certificate's chain
  Freed<EVP_PKEY> key;
  std::string fingerprint;
  std::string key_pin;

  Result<void> read();
  void read_names();
};

Result<void> WebCertificate::Impl::read() {
  const auto text = read_pem(files.certificate);
  if (!text) return text.error();
  const auto source = bytes_of(*text);
  certificate.reset(PEM_read_bio_X509(source.get(), nullptr, no_password, nullptr));
  for (size_t i = 0; certificate && i < kMostChain; ++i) {
    X509* above = PEM_read_bio_X509(source.get(), nullptr, no_password, nullptr);
    if (above == nullptr) break;
    sk_X509_push(chain.get(), above);
  }
  ERR_clear_error();
  if (!certificate) {
    return fail(ErrorCode::kInvalidParams,
                fmt::format("{} is not a certificate (PEM)", files.certificate.string()));
  }
  auto private_key = read_private_key(files.key);
  if (!private_key) return private_key.error();
  key = std::move(*private_key);
  const bool fits = X509_check_private_key(certificate.get(), key.get()) == 1;
  ERR_clear_error();
  if (!fits) {
    return fail(ErrorCode::kInvalidParams,
                fmt::format("the private key {} does not belong to the certificate {}",
                            files.key.string(), files.certificate.string()));
  }
  read_names();
  return {};
}

void WebCertificate::Impl::read_names() {
  X509* shown = certificate.get();
  const std::string digest =
      digest_of_der<X509>(shown, [](X509* one, uint8_t** der) { return i2d_X509(one, der); });
  for (const char byte : digest) {
    fingerprint +=
        fmt::format("{}{:02X}", fingerprint.empty() ? "" : ":", static_cast<unsigned char>(byte));
  }
  key_pin = base64_text(digest_of_der<X509_PUBKEY>(
      X509_get_X509_PUBKEY(shown),
      [](X509_PUBKEY* one, uint8_t** der) { return i2d_X509_PUBKEY(one, der); }));
}

Result<WebCertificate> WebCertificate::load(const CertificateFiles& files) {
  const auto made = std::make_shared<Impl>();
  made->files = files;
  if (auto read = made->read(); !read) return read.error();
  return WebCertificate(made);
}

const CertificateFiles& WebCertificate::files() const {
  return impl_->files;
}

const std::string& WebCertificate::fingerprint() const {
  return impl_->fingerprint;
}

const std::string& WebCertificate::key_pin() const {
  return impl_->key_pin;
}

std::string WebCertificate::time_trouble() const {
  const ASN1_TIME* first = X509_get0_notBefore(impl_->certificate.get());
  const ASN1_TIME* last = X509_get0_notAfter(impl_->certificate.get());
  const std::string file = impl_->files.certificate.string();
  if (X509_cmp_current_time(first) >= 0) {
    return fmt::format("the certificate {} is not valid before {}: browsers refuse it", file,
                       day_text(first));
  }
  if (X509_cmp_current_time(last) <= 0) {
    return fmt::format("the certificate {} expired on {}: browsers refuse it", file,
                       day_text(last));
  }
  std::time_t soon = std::time(nullptr) + std::time_t{kSoonDays} * kSecondsADay;
  if (X509_cmp_time(last, &soon) > 0) return {};
  return fmt::format("the certificate {} expires on {}", file, day_text(last));
}

Result<void> WebCertificate::show_in(void* context) const {
  auto* listener = static_cast<SSL_CTX*>(context);
  ERR_clear_error();
  const bool done = SSL_CTX_set_min_proto_version(listener, TLS1_3_VERSION) == 1 &&
                    SSL_CTX_set_num_tickets(listener, 0) == 1 &&
                    SSL_CTX_use_cert_and_key(listener, impl_->certificate.get(), impl_->key.get(),
                                             impl_->chain.get(), 1) == 1;
  SSL_CTX_set_options(listener, SSL_OP_NO_TICKET);
  SSL_CTX_set_session_cache_mode(listener, SSL_SESS_CACHE_OFF);
  const char* reason = ERR_reason_error_string(ERR_peek_last_error());
  const std::string why = reason == nullptr ? "rejected by OpenSSL" : reason;
  ERR_clear_error();
  if (done) return {};
  return fail(ErrorCode::kInvalidParams, fmt::format("cannot use the certificate {}: {}",
                                                     impl_->files.certificate.string(), why));
}

}  // namespace sail
