// The certificate that the web server shows to browsers, with its key: from files (PEM), looked at
// before anybody is shown it. Thread: one at a time.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "sail/base/result.h"

namespace sail {

struct CertificateFiles {
  std::filesystem::path certificate;  // those that vouch for it may stand behind it
  std::filesystem::path key;
};

// Copies are the same one.
class WebCertificate {
 public:
  // kIo: a file cannot be read. kUnauthorized: everybody on this host can read the key.
  // kInvalidParams: no certificate, no key, or that of another certificate.
  static Result<WebCertificate> load(const CertificateFiles& files);

  const CertificateFiles& files() const;
  // SHA-256 of it, in the form in which browsers show that: "0A:1B:…".
  const std::string& fingerprint() const;
  // SHA-256 of its public key in base64, as RFC 7469 (2.4) pins keys.
  const std::string& key_pin() const;
  // What is wrong with its time now: it is over, or will soon be, or has not come; else empty.
  std::string time_trouble() const;

  // What listens with `context`, an SSL_CTX of OpenSSL's, shows it from now on, and speaks TLS 1.3.
  Result<void> show_in(void* context) const;

 private:
  struct Impl;
  explicit WebCertificate(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const Impl> impl_;
};

}  // namespace sail
