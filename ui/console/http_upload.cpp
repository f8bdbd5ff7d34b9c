#include "ui/console/http_upload.h"

#include <curl/curl.h>
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "sail/core/auth/proof.h"
#include "sail/core/base/c_library.h"
#include "sail/core/text/encodings.h"
#include "sail/core/text/text.h"

namespace ui {
namespace {

constexpr size_t kMaxBody = 4096;  // bytes kept of an answer's body; only its message is needed
constexpr long kConnectTimeoutS = 10;
constexpr long kStalledS = 30;  // seconds without a byte

struct Answer {
  long status = 0;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;

  std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? "" : found->second;
  }
};

size_t take_header(char* bytes, size_t, size_t count, void* data) {
  const std::string_view line(bytes, count);
  const size_t colon = line.find(':');
  auto& headers = static_cast<Answer*>(data)->headers;
  constexpr size_t kMaxHeaders = 64;
  if (colon != std::string_view::npos && headers.size() < kMaxHeaders) {
    headers[sail::lower(line.substr(0, colon))] = sail::trimmed(line.substr(colon + 1));
  }
  return count;
}

size_t take_body(char* bytes, size_t, size_t count, void* data) {
  std::string& body = static_cast<Answer*>(data)->body;
  body.append(bytes, std::min(count, kMaxBody - std::min(kMaxBody, body.size())));
  return count;
}

// The source that the file has become; empty: none.
std::string source_in(const Answer& answer) {
  return sail::percent_decoded(answer.header("vitrail-source")).value_or("");
}

size_t path_begin(std::string_view url) {
  const size_t host = url.find("://");
  return std::min(url.find('/', host == std::string_view::npos ? 0 : host + 3), url.size());
}

// Path of a URL that the manager sent; such URLs have no query.
std::string_view path_of(std::string_view url) {
  return url.substr(path_begin(url));
}

sail::ErrorCode code_of(long status) {
  switch (status) {
    case 401:
    case 403:
      return sail::ErrorCode::kUnauthorized;
    case 404:
    case 410:
      return sail::ErrorCode::kNotFound;
    case 409:
      return sail::ErrorCode::kConflict;
    case 413:
    case 507:
      return sail::ErrorCode::kLimit;
    default:
      return sail::ErrorCode::kIo;
  }
}

sail::Error refusal(const Answer& answer) {
  const std::string why = sail::make_plain_text(sail::trimmed(answer.body), 300);
  return {code_of(answer.status),
          why.empty()
              ? fmt::format("the manager's page answered with HTTP status {}", answer.status)
              : why};
}

}  // namespace

struct HttpUpload::Impl {
  struct FileEnd {
    void operator()(std::FILE* open) const { std::fclose(open); }
  };

  Impl(UploadTarget its_target, std::string its_file, uint64_t its_bytes, Progress its_progress)
      : target(std::move(its_target)),
        file(std::move(its_file)),
        bytes(its_bytes),
        progress(std::move(its_progress)) {}

  UploadTarget target;
  std::string file;
  uint64_t bytes;
  Progress progress;
  std::unique_ptr<CURL, sail::FreedBy<curl_easy_cleanup>> curl{curl_easy_init()};
  std::unique_ptr<std::FILE, FileEnd> input;
  uint64_t sent = 0;      // position in the file
  uint64_t requests = 0;  // counter of the authenticated requests

  static size_t read(char* buffer, size_t, size_t count, void* data) {
    auto* self = static_cast<Impl*>(data);
    const size_t got = std::fread(buffer, 1, count, self->input.get());
    if (got == 0 && std::ferror(self->input.get()) != 0) return CURL_READFUNC_ABORT;
    self->sent += got;
    if (!self->progress(self->sent, self->bytes)) return CURL_READFUNC_ABORT;
    return got;
  }

  using Lines = std::vector<std::string>;
  void prepare(const std::string& url, const char* method, const Lines& lines, Answer& answer);
  sail::Result<Answer> request(const std::string& url, const char* method, const Lines& lines,
                               bool with_file);
  std::string absolute(const std::string& location) const;

  std::unique_ptr<curl_slist, sail::FreedBy<curl_slist_free_all>> headers;
};

void HttpUpload::Impl::prepare(const std::string& url, const char* method, const Lines& lines,
                               Answer& answer) {
  curl_easy_reset(curl.get());
  curl_slist* list = nullptr;
  // An empty "Expect:" stops curl from waiting for "100 Continue".
  for (const char* always : {"Tus-Resumable: 1.0.0", "Expect:"}) {
    list = curl_slist_append(list, always);
  }
  for (const std::string& line : lines) list = curl_slist_append(list, line.c_str());
  if (!target.session.empty()) {
    const std::string proof = sail::request_authorization(target.session, method, path_of(url),
                                                          target.client, ++requests);
    list = curl_slist_append(list, ("Authorization: " + proof).c_str());
  }
  headers.reset(list);
  CURL* handle = curl.get();
  curl_easy_setopt(handle, CURLOPT_URL, url.c_str());
  curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  if (!target.page_key.empty()) {
    // The key is pinned: the manager sent it over an authenticated connection, so no CA check is
    // needed.
    curl_easy_setopt(handle, CURLOPT_PINNEDPUBLICKEY, ("sha256//" + target.page_key).c_str());
    curl_easy_setopt(handle, CURLOPT_SSL_VERIFYPEER, 0L);
    curl_easy_setopt(handle, CURLOPT_SSL_VERIFYHOST, 0L);
  }
  curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, method);
  curl_easy_setopt(handle, CURLOPT_HTTPHEADER, list);
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT, kConnectTimeoutS);
  curl_easy_setopt(handle, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(handle, CURLOPT_LOW_SPEED_TIME, kStalledS);
  curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, take_header);
  curl_easy_setopt(handle, CURLOPT_HEADERDATA, &answer);
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take_body);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, &answer);
}

// Any HTTP answer is a success here, whatever its status.
sail::Result<Answer> HttpUpload::Impl::request(const std::string& url, const char* method,
                                               const Lines& lines, bool with_file) {
  Answer answer;
  prepare(url, method, lines, answer);
  CURL* handle = curl.get();
  if (std::string_view(method) == "HEAD") curl_easy_setopt(handle, CURLOPT_NOBODY, 1L);
  if (with_file) {
    curl_easy_setopt(handle, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(handle, CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(bytes - sent));
    curl_easy_setopt(handle, CURLOPT_READFUNCTION, read);
    curl_easy_setopt(handle, CURLOPT_READDATA, this);
  }
  const CURLcode code = curl_easy_perform(handle);
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &answer.status);
  // A server that refuses may answer before it has read the whole body.
  if (code != CURLE_OK && answer.status < 400) {
    return sail::fail(sail::ErrorCode::kUnavailable,
                      fmt::format("{}: {}", url, curl_easy_strerror(code)));
  }
  return answer;
}

// A Location header may be only a path.
std::string HttpUpload::Impl::absolute(const std::string& location) const {
  if (!location.starts_with('/')) return location;
  return target.page.substr(0, path_begin(target.page)) + location;
}

HttpUpload::HttpUpload(UploadTarget target, std::string file, uint64_t bytes, Progress progress)
    : impl_(
          std::make_unique<Impl>(std::move(target), std::move(file), bytes, std::move(progress))) {}

HttpUpload::~HttpUpload() = default;

sail::Result<std::string> HttpUpload::create() {
  const std::string name = std::filesystem::path(impl_->file).filename().string();
  const auto answer =
      impl_->request(impl_->absolute("/uploads"), "POST",
                     {fmt::format("Upload-Length: {}", impl_->bytes), "Content-Length: 0",
                      "Upload-Metadata: filename " + sail::base64_text(name)},
                     false);
  if (!answer) return answer.error();
  const std::string location = answer->header("location");
  if (answer->status != 201 || location.empty()) {
    return refusal(*answer);
  }
  return impl_->absolute(location);
}

sail::Result<HttpUpload::Place> HttpUpload::place(const std::string& url) {
  const auto answer = impl_->request(url, "HEAD", {}, false);
  if (!answer) return answer.error();
  if (answer->status / 100 != 2) return refusal(*answer);
  const std::string text = answer->header("upload-offset");
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value > impl_->bytes) {
    return sail::fail(sail::ErrorCode::kBadData,
                      "the manager's page sent no valid Upload-Offset header");
  }
  return Place{value, source_in(*answer)};
}

sail::Result<std::string> HttpUpload::send(const std::string& url, uint64_t from) {
  impl_->input.reset(std::fopen(impl_->file.c_str(), "rb"));
  if (!impl_->input || fseeko(impl_->input.get(), static_cast<off_t>(from), SEEK_SET) != 0) {
    return sail::fail(sail::ErrorCode::kIo, fmt::format("cannot read {}", impl_->file));
  }
  impl_->sent = from;
  const auto answer = impl_->request(
      url, "PATCH",
      {"Content-Type: application/offset+octet-stream", fmt::format("Upload-Offset: {}", from)},
      true);
  if (!answer) return answer.error();
  if (answer->status / 100 != 2) return refusal(*answer);
  return source_in(*answer);
}

}  // namespace ui
