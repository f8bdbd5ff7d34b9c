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

size_t take_header(char* bytes, size_t, size_t count, void* to) {
  constexpr size_t kMostHeaders = 16 << 10;
  auto& headers = *static_cast<std::string*>(to);
  if (count > kMostHeaders - headers.size()) return 0;
  headers.append(bytes, count);
  return count;
}

Error no_reply(const CameraUrl& url, CURLcode result, const char* words, long timeout_ms) {
  if (result == CURLE_WRITE_ERROR) {
    return fail(ErrorCode::kBadData, fmt::format("the camera at {} answers with more than {} KiB",
                                                 url.host, kMaxOnvifAnswer >> 10));
  }
  if (result == CURLE_OPERATION_TIMEDOUT) {
    return fail(ErrorCode::kTimeout, fmt::format("the camera at {} does not answer within {} s",
                                                 url.host, timeout_ms / 1000));
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
  if (result != CURLE_OK) return no_reply(request.url, result, words, kTimeoutMs);
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

StreamProof stream_proof_in(std::string_view headers) {
  const std::string text = lower(headers);
  const size_t status = text.find(' ');
  if (status == std::string::npos || text.compare(status, 4, " 401") != 0) {
    return StreamProof::kNone;
  }
  StreamProof proof = StreamProof::kNone;
  constexpr std::string_view kName = "\nwww-authenticate:";
  for (size_t at = text.find(kName); at != std::string::npos; at = text.find(kName, at + 1)) {
    const std::string line = text.substr(at + 1, text.find('\n', at + 1) - at - 1);
    if (line.find("digest ") != std::string::npos) return StreamProof::kDigest;
    if (line.find("basic ") != std::string::npos) proof = StreamProof::kBasic;
  }
  return proof;
}

Result<StreamProof> CameraHttp::ask_stream(const CameraUrl& stream) {
  CURL* handle = handle_.get();
  if (handle == nullptr) return fail(ErrorCode::kLimit, "out of memory");
  curl_easy_reset(handle);
  const std::string url = stream.without_login().text();
  std::string headers;
  std::string body;
  char words[CURL_ERROR_SIZE] = {};
  curl_easy_setopt(handle, CURLOPT_URL, url.c_str());
  curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "rtsp");
  curl_easy_setopt(handle, CURLOPT_NOPROXY, "*");
  curl_easy_setopt(handle, CURLOPT_RTSP_REQUEST, static_cast<long>(CURL_RTSPREQ_DESCRIBE));
  curl_easy_setopt(handle, CURLOPT_RTSP_STREAM_URI, url.c_str());
  curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, kStreamTimeoutMs);
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, words);
  curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, &take_header);
  curl_easy_setopt(handle, CURLOPT_HEADERDATA, &headers);
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, &take_reply);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, &body);
  const CURLcode result = curl_easy_perform(handle);
  // Some cameras answer without the number of the request, which players accept.
  if (result != CURLE_OK && headers.empty()) {
    return no_reply(stream, result, words, kStreamTimeoutMs);
  }
  return stream_proof_in(headers);
}

}  // namespace sail
