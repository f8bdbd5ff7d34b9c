#include "ui/hooks/http_posts.h"

#include <fmt/core.h>

#include <cstring>
#include <utility>

#include "sail/core/base/c_library.h"
#include "sail/core/base/environment.h"
#include "sail/core/text/text.h"
#include "sail/core/wire/webhooks.h"

namespace ui {
namespace {

constexpr size_t kMostResponse = 64 << 10;  // bytes; nobody reads the response
constexpr int kSuccess = 200;
constexpr int kRedirects = 300;
constexpr int kErrors = 400;

// Why there was no response. The text has no figures, because they would change with each attempt.
// words: libcurl's error message.
std::string post_trouble(CURL* handle, CURLcode result, const char* words) {
  long refused = 0;
  if (result == CURLE_OPERATION_TIMEDOUT) {
    return fmt::format("no response within {} s", sail::kWebhookTimeoutMs / 1000);
  }
  if (result == CURLE_COULDNT_CONNECT) curl_easy_getinfo(handle, CURLINFO_OS_ERRNO, &refused);
  if (refused != 0) return std::strerror(static_cast<int>(refused));
  return sail::without_passwords(words[0] != '\0' ? words : curl_easy_strerror(result));
}

PostResult result_of(int status, const std::string& trouble) {
  if (status >= kSuccess && status < kRedirects) return {.status = status};
  if (status >= kRedirects && status < kErrors) {
    return {status, fmt::format("the server redirects the request (status {}), and redirects are "
                                "not followed: give the final URL",
                                status)};
  }
  if (status != 0) return {status, fmt::format("the server answers with status {}", status)};
  return {0, trouble};
}

}  // namespace

struct HttpPosts::Transfer {
  HttpPost post;
  Done done;
  std::unique_ptr<curl_slist, sail::FreedBy<curl_slist_free_all>> headers{};
  std::unique_ptr<CURL, sail::FreedBy<curl_easy_cleanup>> handle{curl_easy_init()};
  char words[CURL_ERROR_SIZE] = {};
  size_t received = 0;
};

HttpPosts::HttpPosts(sail::Loop& loop)
    : curl_(loop, [this](CURL* handle, CURLcode result) { end(handle, result); }) {}

HttpPosts::~HttpPosts() {
  for (const auto& [handle, transfer] : transfers_) {
    curl_multi_remove_handle(curl_.multi(), handle);
  }
}

void HttpPosts::begin(HttpPost post, Done done) {
  auto transfer = std::make_unique<Transfer>();
  transfer->post = std::move(post);
  transfer->done = std::move(done);
  CURL* handle = transfer->handle.get();
  for (const std::string& header : transfer->post.headers) {
    curl_slist* list = curl_slist_append(transfer->headers.get(), header.c_str());
    (void)transfer->headers.release();
    transfer->headers.reset(list);
  }
  const auto take_body = [](char*, size_t, size_t bytes, void* received) {
    auto& sum = *static_cast<size_t*>(received);
    sum += bytes;
    return sum <= kMostResponse ? bytes : 0;
  };
  using Take = size_t (*)(char*, size_t, size_t, void*);
  curl_easy_setopt(handle, CURLOPT_URL, transfer->post.url.c_str());
  curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(handle, CURLOPT_HTTPHEADER, transfer->headers.get());
  curl_easy_setopt(handle, CURLOPT_USERAGENT, "vitrail-hooks");
  curl_easy_setopt(handle, CURLOPT_POST, 1L);
  curl_easy_setopt(handle, CURLOPT_POSTFIELDS, transfer->post.body.c_str());
  curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE,
                   static_cast<curl_off_t>(transfer->post.body.size()));
  curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, static_cast<long>(sail::kWebhookTimeoutMs));
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);  // do not wait for a DNS lookup that hangs
  curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, transfer->words);
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, static_cast<Take>(take_body));
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, &transfer->received);
  const std::string authorities = sail::environment("SSL_CERT_FILE");
  if (!authorities.empty()) curl_easy_setopt(handle, CURLOPT_CAINFO, authorities.c_str());
  transfers_.emplace(handle, std::move(transfer));
  curl_multi_add_handle(curl_.multi(), handle);
}

void HttpPosts::end(CURL* handle, CURLcode result) {
  const auto found = transfers_.find(handle);
  const std::unique_ptr<Transfer> transfer = std::move(found->second);
  transfers_.erase(found);
  curl_multi_remove_handle(curl_.multi(), handle);
  long status = 0;
  // A response that is too long counts, too: its status is known.
  if (result == CURLE_OK || result == CURLE_WRITE_ERROR) {
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  }
  transfer->done(
      result_of(static_cast<int>(status), post_trouble(handle, result, transfer->words)));
}

}  // namespace ui
