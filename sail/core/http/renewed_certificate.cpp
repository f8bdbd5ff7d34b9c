#include "sail/core/http/renewed_certificate.h"

#include <set>
#include <string>
#include <utility>

namespace sail {
namespace {

constexpr int64_t kFilesRestMs = 500;

}  // namespace

RenewedCertificate::RenewedCertificate(Loop& loop, const WebCertificate& loaded,
                                       OnRenewed on_renewed, std::string whose, const Log& log)
    : loop_(loop),
      shown_(loaded),
      on_renewed_(std::move(on_renewed)),
      whose_(std::move(whose)),
      log_(log),
      rest_(loop) {
  // A standby that takes over may have loaded the certificate long ago.
  if (auto now = WebCertificate::load(loaded.files())) shown_ = std::move(*now);
  tell();
  watch();
}

void RenewedCertificate::watch() {
  const CertificateFiles& files = shown_.files();
  std::set<std::string> folders;
  for (const auto& file : {files.certificate, files.key}) {
    folders.insert(std::filesystem::absolute(file).parent_path().string());
  }
  for (const std::string& folder : folders) {
    auto watch = FolderWatch::start(loop_, folder, [this](bool /*gone*/) {
      rest_.start(kFilesRestMs, 0, [this] { reload(); });
    });
    if (watch) {
      watches_.push_back(std::move(*watch));
    } else {
      log_.warning("cannot watch the certificate of {} (restart to load a renewed one): {}", whose_,
                   watch.error().message);
    }
  }
}

void RenewedCertificate::reload() {
  auto now = WebCertificate::load(shown_.files());
  if (now && now->fingerprint() == shown_.fingerprint()) return;
  const auto renewed = now.and_then([this](const auto& found) { return on_renewed_(found); });
  if (!renewed) {
    log_.warning("{} keeps its previous certificate: {}", whose_, renewed.error().message);
    return;
  }
  shown_ = std::move(*now);
  log_.info("{}: the certificate was renewed", whose_);
  tell();
}

void RenewedCertificate::tell() const {
  log_.info("{}: the certificate is {} (SHA-256)", whose_, shown_.fingerprint());
  if (const std::string trouble = shown_.time_trouble(); !trouble.empty()) {
    log_.warning("{}", trouble);
  }
}

}  // namespace sail
