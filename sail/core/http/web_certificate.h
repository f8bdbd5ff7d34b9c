// The web server's certificate and key for browsers, from PEM files, checked before use. For one
// thread at a time.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "sail/core/base/result.h"

namespace sail {

struct CertificateFiles {
  std::filesystem::path certificate;  // may be followed by its chain
  std::filesystem::path key;
};

// Copies share the same certificate.
class WebCertificate {
 public:
  // kIo: a file cannot be read. kUnauthorized: every user of this host can read the key.
  // kInvalidParams: invalid certificate or key, or they do not match.
  static Result<WebCertificate> load(const CertificateFiles& files);

  const CertificateFiles& files() const;
  // SHA-256 of the certificate, in the format shown by browsers: "0A:1B:…".
  const std::string& fingerprint() const;
  // SHA-256 of the public key in Base64, as in key pins (RFC 7469, 2.4).
  const std::string& key_pin() const;
  // Describes a certificate that is expired, about to expire or not yet valid; else "".
  std::string time_trouble() const;

  // Makes `context`, an OpenSSL SSL_CTX, use this certificate and TLS 1.3 or later from now on.
  Result<void> show_in(void* context) const;

 private:
  struct Impl;
  explicit WebCertificate(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const Impl> impl_;
};

}  // namespace sail
