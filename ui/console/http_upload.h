// Uploads a file to the manager's page with the part of tus 1.0 (tus.io) that the manager supports.
// An interrupted upload can be resumed. The only file in ui that uses libcurl. Any thread, one at a
// time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "sail/core/base/result.h"

namespace ui {

struct UploadTarget {
  std::string page;  // the page's URL, as the manager reports it
  // SHA-256 of the public key of the page's certificate, in base64, as the manager reports it.
  // Empty: the certificate is checked against the system's CAs.
  std::string page_key;
  std::string session;  // the control connection's, see sail::request_proof; empty: no key
  uint64_t client = 0;  // client id of the control connection
};

class HttpUpload {
 public:
  // Return false to stop the upload.
  using Progress = std::function<bool(uint64_t sent, uint64_t total)>;

  HttpUpload(UploadTarget target, std::string file, uint64_t bytes, Progress progress);
  ~HttpUpload();
  HttpUpload(const HttpUpload&) = delete;
  HttpUpload& operator=(const HttpUpload&) = delete;

  // Creates the upload on the server. Returns the URL to send to, from which the upload can be
  // resumed. kLimit: too large for the manager.
  sail::Result<std::string> create();
  // State of the upload on the server.
  struct Place {
    uint64_t offset = 0;   // bytes received
    std::string source{};  // id of the new source; empty: the upload is not complete
  };
  // kNotFound: the server does not have this upload any more.
  sail::Result<Place> place(const std::string& url);
  // Sends the rest from offset `from`. Returns the id of the new source. kUnavailable: the
  // connection broke; place() reports how much has arrived.
  sail::Result<std::string> send(const std::string& url, uint64_t from);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ui
