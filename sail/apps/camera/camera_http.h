// HTTP requests to cameras, and one of RTSP, one after the other, which block. Redirects are not
// followed, proxies are not used, and certificates are verified. One thread at a time.
#pragma once

#include <curl/curl.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "sail/apps/camera/camera_url.h"
#include "sail/core/base/c_library.h"
#include "sail/core/base/result.h"

namespace sail {

struct CameraPost {
  CameraUrl url;       // only `by_digest` uses the login in it
  std::string action;  // SOAP action
  std::string body;
  bool by_digest = false;  // authenticates by HTTP digest
};

struct CameraReply {
  int status = 0;
  std::string body{};          // at most kMaxOnvifAnswer bytes
  bool offers_digest = false;  // the camera demands HTTP digest
  std::string from{};          // IP address of the camera
};

// kTimeout, kIo: no reply. kBadData: the reply is too long.
using PostToCamera = std::function<Result<CameraReply>(const CameraPost&)>;

// How a stream's server (rtsp:) lets its users prove who they are.
enum class StreamProof {
  kNone,    // it does not ask, or in a way that players do not know: they send no login
  kDigest,  // players do not send the password
  kBasic,   // players send the login in the clear
};
using AskStream = std::function<Result<StreamProof>(const CameraUrl&)>;
// From the header lines of the answer to a request without a login.
StreamProof stream_proof_in(std::string_view headers);

class CameraHttp {
 public:
  static constexpr long kTimeoutMs = 5000;
  static constexpr long kStreamTimeoutMs = 3000;

  Result<CameraReply> post(const CameraPost& request);
  // Asks the stream's server, without a login. kTimeout, kIo: no answer.
  Result<StreamProof> ask_stream(const CameraUrl& stream);

 private:
  std::unique_ptr<CURL, FreedBy<curl_easy_cleanup>> handle_{curl_easy_init()};
};

}  // namespace sail
