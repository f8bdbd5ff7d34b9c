#include "sail/media/storage/http/curl_transfers.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

#include "sail/core/base/c_library.h"
#include "sail/core/base/environment.h"
#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"
#include "sail/media/storage/http/curl_loop.h"
#include "sail/media/storage/http/web_address.h"

namespace sail {
namespace {

constexpr long kBufferBytes = 512 << 10;
constexpr long kMostRedirects = 8;
constexpr long kKeptConnections = 64;
constexpr long kMostLogins =
    8;  // sshd's default (MaxStartups) starts to refuse at 10 pending logins
constexpr size_t kMostErrorPage =
    64 << 10;  // bytes of an error page that are read to keep the connection reusable
constexpr int kWholeContent = 200;
constexpr int kPartialContent = 206;
constexpr int kErrors = 400;
// The hash of the empty body of every request that reads.
constexpr const char kHashOfNoBody[] =
    "x-amz-content-sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

FarTrouble trouble_of(CURLcode code) {
  switch (code) {
    case CURLE_OK:
      return FarTrouble::kNone;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
      return FarTrouble::kNoHost;
    case CURLE_PEER_FAILED_VERIFICATION:
      return FarTrouble::kNotTrusted;
    case CURLE_LOGIN_DENIED:
    case CURLE_REMOTE_ACCESS_DENIED:
      return FarTrouble::kRefused;
    case CURLE_REMOTE_FILE_NOT_FOUND:
      return FarTrouble::kNotThere;
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_TOO_MANY_REDIRECTS:
      return FarTrouble::kNowhere;
    default:
      return FarTrouble::kBroken;
  }
}

}  // namespace

// --- one transfer --------------------------------------------------------------------------------

class CurlTransfers::Transfer {
 public:
  Transfer(Multi& multi, Range range, Done done)
      : multi_(multi), range_(range), done_(std::move(done)) {}
  ~Transfer();
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  void start();
  void end(CURLcode code);
  void fall_silent();
  // When data last arrived. Until the transfer's first byte, data of any other transfer counts,
  // because others may have been served first.
  int64_t heard_ns() const;

 private:
  void set_address();
  void set_login();
  void hear();
  void take_header(std::string_view line);
  size_t take_body(std::span<const uint8_t> bytes);
  bool fits() const;
  bool is_part(long status) const;
  void note_sftp(FarTrouble trouble);
  void tell(FarTrouble trouble, const std::string& words);

  Multi& multi_;
  const Range range_;
  const Done done_;
  std::unique_ptr<curl_slist, FreedBy<curl_slist_free_all>> headers_;
  std::unique_ptr<CURL, FreedBy<curl_easy_cleanup>> curl_{curl_easy_init()};
  char words_[CURL_ERROR_SIZE] = {};
  FarReply reply_;
  bool misfit_ = false;
  size_t error_page_ = 0;
  int64_t heard_ns_ = 0;
  bool begun_ = false;
};

// --- multi handle --------------------------------------------------------------------------------

struct CurlTransfers::Multi {
  Multi(Loop& loop, FarAddress where, int64_t silence);

  void end_silent();

  const FarAddress address;
  const int64_t silence_ns;
  CurlLoop curl;
  std::set<Transfer*> transfers;  // in progress
  int64_t heard_ns = 0;           // when any transfer last received data
  Timer timeout;
};

CurlTransfers::Multi::Multi(Loop& loop, FarAddress where, int64_t silence)
    : address(std::move(where)),
      silence_ns(silence * kMillisecondNs),
      curl(loop,
           [](CURL* easy, CURLcode code) {
             void* transfer = nullptr;
             curl_easy_getinfo(easy, CURLINFO_PRIVATE, &transfer);
             static_cast<Transfer*>(transfer)->end(code);
           }),
      timeout(loop) {
  curl_multi_setopt(curl.multi(), CURLMOPT_MAXCONNECTS, kKeptConnections);
  if (address.is_sftp()) {
    curl_multi_setopt(curl.multi(), CURLMOPT_MAX_HOST_CONNECTIONS, kMostLogins);
  }
  constexpr int64_t kLooks = 4;
  const int64_t every_ms = std::max<int64_t>(1, silence / kLooks);
  timeout.start(every_ms, every_ms, [this] { end_silent(); });
}

void CurlTransfers::Multi::end_silent() {
  const int64_t since_ns = steady_now_ns() - silence_ns;
  for (;;) {
    const auto silent = std::ranges::find_if(
        transfers, [&](const Transfer* transfer) { return transfer->heard_ns() < since_ns; });
    if (silent == transfers.end()) return;
    (*silent)->fall_silent();
  }
}

CurlTransfers::CurlTransfers(Loop& loop, FarAddress address, int64_t silence_ms)
    : multi_(std::make_unique<Multi>(loop, std::move(address), silence_ms)) {}

CurlTransfers::~CurlTransfers() = default;

std::shared_ptr<CurlTransfers::Transfer> CurlTransfers::begin(Range range, Done done) {
  auto transfer = std::make_shared<Transfer>(*multi_, range, std::move(done));
  transfer->start();
  return transfer;
}

// --- one transfer --------------------------------------------------------------------------------

CurlTransfers::Transfer::~Transfer() {
  if (multi_.transfers.erase(this) > 0) curl_multi_remove_handle(multi_.curl.multi(), curl_.get());
}

void CurlTransfers::Transfer::start() {
  CURL* curl = curl_.get();
  multi_.address.is_sftp() ? set_login() : set_address();
  curl_easy_setopt(curl, CURLOPT_PRIVATE, this);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, words_);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_QUICK_EXIT, 1L);  // do not wait for a DNS lookup that hangs
  curl_easy_setopt(curl, CURLOPT_BUFFERSIZE, kBufferBytes);
  const uint64_t last = range_.offset + range_.bytes.size() - 1;
  const bool whole = range_.whole || (range_.probe && multi_.address.is_sftp());
  if (!whole) {
    curl_easy_setopt(curl, CURLOPT_RANGE, fmt::format("{}-{}", range_.offset, last).c_str());
  }
  const auto take_header = [](char* text, size_t, size_t bytes, void* self) {
    static_cast<Transfer*>(self)->take_header({text, bytes});
    return bytes;
  };
  const auto take_body = [](char* text, size_t, size_t bytes, void* self) {
    return static_cast<Transfer*>(self)->take_body({reinterpret_cast<uint8_t*>(text), bytes});
  };
  using Take = size_t (*)(char*, size_t, size_t, void*);
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, static_cast<Take>(take_header));
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, this);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, static_cast<Take>(take_body));
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, this);
  heard_ns_ = steady_now_ns();
  multi_.transfers.insert(this);
  curl_multi_add_handle(multi_.curl.multi(), curl);
}

void CurlTransfers::Transfer::set_address() {
  CURL* curl = curl_.get();
  const FarAddress& address = multi_.address;
  curl_easy_setopt(curl, CURLOPT_URL, as_web_address(address.url).c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS);
  curl_easy_setopt(curl, CURLOPT_PIPEWAIT, 1L);
  const std::string authorities = environment("SSL_CERT_FILE");
  if (!authorities.empty()) curl_easy_setopt(curl, CURLOPT_CAINFO, authorities.c_str());
  if (!address.signing) {
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(curl, CURLOPT_MAXREDIRS, kMostRedirects);
    curl_easy_setopt(curl, CURLOPT_NETRC, static_cast<long>(CURL_NETRC_OPTIONAL));
    return;
  }
  // Signed requests do not follow redirects: the signature would be sent to the other host.
  const AwsSigning& signing = *address.signing;
  const std::string provider = fmt::format("aws:amz:{}:s3", signing.region);
  curl_easy_setopt(curl, CURLOPT_AWS_SIGV4, provider.c_str());
  curl_easy_setopt(curl, CURLOPT_USERNAME, signing.key_id.c_str());
  curl_easy_setopt(curl, CURLOPT_PASSWORD, signing.secret.c_str());
  // Amazon and Ceph require the body's hash as a header; libcurl 7.88 does not add one.
  headers_.reset(curl_slist_append(nullptr, kHashOfNoBody));
  if (!signing.session.empty()) {
    const std::string session = "x-amz-security-token: " + signing.session;
    curl_slist_append(headers_.get(), session.c_str());
  }
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers_.get());
}

// Logs in as ssh does: through its agent, or else with the usual key; only known hosts are
// accepted. The key file is set explicitly because libcurl itself tries only id_rsa and id_dsa.
void CurlTransfers::Transfer::set_login() {
  CURL* curl = curl_.get();
  curl_easy_setopt(curl, CURLOPT_URL, multi_.address.url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "sftp");
  const std::filesystem::path folder = std::filesystem::path(environment("HOME")) / ".ssh";
  curl_easy_setopt(curl, CURLOPT_SSH_KNOWNHOSTS, (folder / "known_hosts").c_str());
  for (const char* key : {"id_ed25519", "id_ecdsa", "id_rsa"}) {
    std::error_code ignored;
    if (!std::filesystem::exists(folder / key, ignored)) continue;
    curl_easy_setopt(curl, CURLOPT_SSH_PRIVATE_KEYFILE, (folder / key).c_str());
    break;
  }
  const std::string person = environment("USER");
  if (!person.empty()) curl_easy_setopt(curl, CURLOPT_USERNAME, person.c_str());
  if (range_.probe) curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);
  reply_.range = {range_.offset, range_.bytes.size(), std::nullopt};
}

int64_t CurlTransfers::Transfer::heard_ns() const {
  return begun_ ? heard_ns_ : std::max(heard_ns_, multi_.heard_ns);
}

void CurlTransfers::Transfer::hear() {
  begun_ = true;
  heard_ns_ = steady_now_ns();
  multi_.heard_ns = heard_ns_;
}

void CurlTransfers::Transfer::take_header(std::string_view line) {
  hear();
  if (line.starts_with("HTTP/")) {  // a new response: after a redirect or an interim response
    reply_ = {};
    if (range_.whole) reply_.range = {0, range_.bytes.size(), std::nullopt};
    return;
  }
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const std::string name = lower(line.substr(0, colon));
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (name == "content-range" && !range_.whole) reply_.range = parse_content_range(value);
  if (name == "content-type") reply_.type = value;
  if (name == "etag" || (name == "last-modified" && reply_.tag.empty())) reply_.tag = value;
}

bool CurlTransfers::Transfer::fits() const {
  return reply_.range && reply_.range->offset == range_.offset &&
         reply_.range->count <= range_.bytes.size();
}

// Some S3 servers (rclone's) send a part with a correct Content-Range, but with status 200.
bool CurlTransfers::Transfer::is_part(long status) const {
  return status == kPartialContent || (status == kWholeContent && fits());
}

size_t CurlTransfers::Transfer::take_body(std::span<const uint8_t> bytes) {
  hear();
  long status = 0;
  curl_easy_getinfo(curl_.get(), CURLINFO_RESPONSE_CODE, &status);
  if (!is_part(status) && !multi_.address.is_sftp()) {
    error_page_ += bytes.size();
    return status >= kErrors && error_page_ <= kMostErrorPage ? bytes.size() : 0;
  }
  misfit_ |= !fits() || bytes.size() > reply_.range->count - reply_.received;
  if (misfit_) return 0;
  std::ranges::copy(bytes, range_.bytes.begin() + static_cast<ptrdiff_t>(reply_.received));
  reply_.received += bytes.size();
  return bytes.size();
}

void CurlTransfers::Transfer::end(CURLcode code) {
  if (misfit_) return tell(FarTrouble::kTooMuch, "");
  const FarTrouble trouble = trouble_of(code);
  long refused = 0;
  if (code == CURLE_COULDNT_CONNECT) curl_easy_getinfo(curl_.get(), CURLINFO_OS_ERRNO, &refused);
  const char* words = refused != 0        ? std::strerror(static_cast<int>(refused))
                      : words_[0] != '\0' ? words_
                                          : curl_easy_strerror(code);
  tell(trouble, trouble == FarTrouble::kNone ? "" : without_passwords(words));
}

void CurlTransfers::Transfer::fall_silent() {
  tell(FarTrouble::kSilent, "");
}

// Fills the reply of an SFTP transfer with the fields that HTTP would have set.
void CurlTransfers::Transfer::note_sftp(FarTrouble trouble) {
  curl_off_t size = -1;
  if (reply_.received > 0 || trouble == FarTrouble::kNone) reply_.status = kPartialContent;
  if (!range_.probe) return;
  curl_easy_getinfo(curl_.get(), CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &size);
  if (size >= 0) reply_.range->total = static_cast<uint64_t>(size);
}

// May destroy this object.
void CurlTransfers::Transfer::tell(FarTrouble trouble, const std::string& words) {
  reply_.trouble = trouble;
  reply_.words = words;
  long status = 0;
  curl_easy_getinfo(curl_.get(), CURLINFO_RESPONSE_CODE, &status);
  reply_.status = is_part(status) ? kPartialContent : static_cast<int>(status);
  if (multi_.address.is_sftp()) note_sftp(trouble);
  curl_off_t wait_s = 0;
  if (curl_easy_getinfo(curl_.get(), CURLINFO_RETRY_AFTER, &wait_s) == CURLE_OK && wait_s > 0) {
    reply_.wait_s = wait_s;
  }
  multi_.transfers.erase(this);
  curl_multi_remove_handle(multi_.curl.multi(), curl_.get());
  const Done done = done_;
  const FarReply reply = std::move(reply_);
  done(reply);
}

}  // namespace sail
