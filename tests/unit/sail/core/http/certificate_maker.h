// Self-signed certificates for tests.
#pragma once

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <filesystem>
#include <string>

#include "sail/core/http/web_certificate.h"
#include "tests/support/temp_folder.h"

namespace sail {

constexpr long kDayS = 24L * 3600;

template <typename Write>
std::string pem_text(Write write) {
  BIO* bytes = BIO_new(BIO_s_mem());
  EXPECT_EQ(write(bytes), 1);
  char* text = nullptr;
  const long size = BIO_get_mem_data(bytes, &text);
  std::string copy(text, static_cast<size_t>(size));
  BIO_free(bytes);
  return copy;
}

// Creates NAME.crt and NAME.key in the folder, valid between these times relative to now.
inline CertificateFiles make_certificate(const TempFolder& folder, const std::string& name,
                                         long from_s = -kDayS, long to_s = 100 * kDayS) {
  EVP_PKEY* key = EVP_EC_gen("P-256");
  X509* made = X509_new();
  X509_NAME* subject = X509_get_subject_name(made);
  const auto* word = reinterpret_cast<const uint8_t*>(name.c_str());
  EXPECT_EQ(X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, word, -1, -1, 0), 1);
  EXPECT_EQ(X509_set_version(made, X509_VERSION_3), 1);
  EXPECT_EQ(X509_set_issuer_name(made, subject), 1);
  EXPECT_NE(X509_gmtime_adj(X509_getm_notBefore(made), from_s), nullptr);
  EXPECT_NE(X509_gmtime_adj(X509_getm_notAfter(made), to_s), nullptr);
  EXPECT_EQ(X509_set_pubkey(made, key), 1);
  EXPECT_GT(X509_sign(made, key, EVP_sha256()), 0);
  const CertificateFiles files{folder.write(name + ".crt", pem_text([made](BIO* into) {
                                              return PEM_write_bio_X509(into, made);
                                            })),
                               folder.write(name + ".key", pem_text([key](BIO* into) {
                                              return PEM_write_bio_PrivateKey(
                                                  into, key, nullptr, nullptr, 0, nullptr, nullptr);
                                            }))};
  std::filesystem::permissions(files.key, std::filesystem::perms::owner_read);
  X509_free(made);
  EVP_PKEY_free(key);
  return files;
}

}  // namespace sail
