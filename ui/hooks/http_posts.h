// HTTP requests with the method POST, many at a time, on an event loop. Certificates of servers are
// verified; redirects are not followed. Thread: the loop's.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sail/media/storage/http/curl_loop.h"

namespace ui {

struct HttpPost {
  std::string url;
  std::vector<std::string> headers;  // "Name: value"
  std::string body;
};

struct PostResult {
  int status = 0;       // status of the server's response; 0: no response
  std::string error{};  // a sentence; empty: the status is 2xx
};

class HttpPosts {
 public:
  using Done = std::function<void(const PostResult&)>;

  explicit HttpPosts(sail::Loop& loop);
  // Cancels all requests without calling `done`.
  ~HttpPosts();
  HttpPosts(const HttpPosts&) = delete;
  HttpPosts& operator=(const HttpPosts&) = delete;

  // A request takes at most kWebhookTimeoutMs. done is not called from within begin().
  void begin(HttpPost post, Done done);

 private:
  struct Transfer;
  void end(CURL* handle, CURLcode result);

  std::map<CURL*, std::unique_ptr<Transfer>> transfers_;
  sail::CurlLoop curl_;
};

}  // namespace ui
