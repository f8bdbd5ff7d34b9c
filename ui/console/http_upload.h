// Uploads to the manager's page by the part of tus 1.0 (tus.io) that it speaks: what was
// interrupted goes on where it was. The only file that knows libcurl. Thread: any, one at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "sail/base/result.h"

namespace ui {

struct UploadTarget {
  std::string page;  // the page's URL, as the manager tells it
  // Of the page's certificate, likewise (SHA-256 of its public key in base64); empty: who listens
  // there is whom the system's authorities vouch for.
  std::string page_key;
  std::string session;  // of the control connection, see sail::request_proof; empty: no key
  uint64_t client = 0;  // its number
};

class HttpUpload {
 public:
  // False: stop.
  using Progress = std::function<bool(uint64_t sent, uint64_t total)>;

  HttpUpload(UploadTarget target, std::string file, uint64_t bytes, Progress progress);
  ~HttpUpload();
  HttpUpload(const HttpUpload&) = delete;
  HttpUpload& operator=(const HttpUpload&) = delete;

  // Begins: the URL to send to, from which it can be resumed. kLimit: too large for the manager.
  sail::Result<std::string> create();
  // How far it is.
  struct Place {
    uint64_t offset = 0;   // bytes that are there
    std::string source{};  // that it has become; empty: it is not whole
  };
  // kNotFound: nothing is there any more.
  sail::Result<Place> place(const std::string& url);
  // Sends the rest; the source's id when all is there. kUnavailable: the connection broke, and
  // place() tells what came through.
  sail::Result<std::string> send(const std::string& url, uint64_t from);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ui
