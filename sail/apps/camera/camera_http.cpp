#include "sail/apps/camera/camera_http.h"

#include <fmt/format.h>

#include "sail/apps/camera/onvif_answers.h"
#include "sail/core/base/environment.h"
#include "sail/core/text/text.h"

namespace sail {
namespace {

size_t take_reply(char* bytes, size_t, size_t count, void* to) {
  auto& body = *static_cast<std::string*>(to);
  if (count > kMaxOnvifAnswer - body.size()) return 0;
  body.append(bytes, count);
  return count;
}

Error no_reply(const CameraUrl& url, CURLcode result, const char* words) {
  if (result == CURLE_WRITE_ERROR) {
    return fail(ErrorCode::kBadData, fmt::format("the camera at {} answers with more than {} KiB",
                                                 url.host, kMaxOnvifAnswer >> 10));
  }
  if (result == CURLE_OPERATION_TIMEDOUT) {
    return fail(ErrorCode::kTimeout, fmt::format("the camera at {} does not answer within {} s",
                                                 url.host, CameraHttp::kTimeoutMs / 1000));
  }
  const std::string why = words[0] != '\0' ? words : curl_easy_strerror(result);
  return fail(ErrorCode::kIo,
              fmt::format("cannot reach the camera at {}: {}", url.host, without_passwords(why)));
}

}  // namespace

Result<CameraReply> CameraHttp::post(const CameraPost& request) {
  CURL* handle = handle_.get();
  if (handle == nullptr) return fail(ErrorCode::kLimit, "out of memory");
  curl_easy_reset(handle);
  const std::string type = fmt::format(
      "Content-Type: application/soap+xml; charset=utf-8; action=\"{}\"", request.action);
  const std::unique_ptr<curl_slist, FreedBy<curl_slist_free_all>> headers(
      curl_slist_append(nullptr, type.c_str()));
  const std::string url = request.url.without_login().text();
  CameraReply reply;
  char words[CURL_ERROR_SIZE] = {};
  curl_easy_setopt(handle, CURLOPT_URL, url.c_str());
  curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(handle, CURLOPT_NOPROXY, "*");
  curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(handle, CURLOPT_USERAGENT, "vitrail-camera");
  curl_easy_setopt(handle, CURLOPT_POST, 1L);
  curl_easy_setopt(handle, CURLOPT_POSTFIELDS, request.body.c_str());
  curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE,
                   static_cast<curl_off_t>(request.body.size()));
  curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, kTimeoutMs);
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, words);
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, &take_reply);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, &reply.body);
  const std::string authorities = environment("SSL_CERT_FILE");
  if (!authorities.empty()) curl_easy_setopt(handle, CURLOPT_CAINFO, authorities.c_str());
  if (request.by_digest) {
    curl_easy_setopt(handle, CURLOPT_HTTPAUTH, CURLAUTH_DIGEST);
    curl_easy_setopt(handle, CURLOPT_USERNAME, request.url.user.c_str());
    curl_easy_setopt(handle, CURLOPT_PASSWORD, request.url.password.c_str());
  }
  const CURLcode result = curl_easy_perform(handle);
  if (result != CURLE_OK) return no_reply(request.url, result, words);
  long status = 0;
  long ways = 0;
  const char* from = nullptr;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  curl_easy_getinfo(handle, CURLINFO_HTTPAUTH_AVAIL, &ways);
  curl_easy_getinfo(handle, CURLINFO_PRIMARY_IP, &from);
  reply.status = static_cast<int>(status);
  reply.offers_digest = (static_cast<unsigned long>(ways) & CURLAUTH_DIGEST) != 0;
  if (from != nullptr) reply.from = from;
  return reply;
}

}  // namespace sail
