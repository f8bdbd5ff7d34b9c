#include "manager/page_certificate.h"

#include <set>
#include <string>
#include <utility>

namespace manager {
namespace {

constexpr int64_t kFilesRestMs = 500;

}  // namespace

PageCertificate::PageCertificate(sail::Loop& loop, const sail::WebCertificate& loaded,
                                 OnRenewed on_renewed, const sail::Log& log)
    : loop_(loop), shown_(loaded), on_renewed_(std::move(on_renewed)), log_(log), rest_(loop) {
  // A standby that takes over has loaded it long ago.
  if (auto now = sail::WebCertificate::load(loaded.files())) shown_ = std::move(*now);
  tell();
  watch();
}

void PageCertificate::watch() {
  const sail::CertificateFiles& files = shown_.files();
  std::set<std::string> folders;
  for (const auto& file : {files.certificate, files.key}) {
    folders.insert(std::filesystem::absolute(file).parent_path().string());
  }
  for (const std::string& folder : folders) {
    auto watch = sail::FolderWatch::start(
        loop_, folder, [this](bool /*gone*/) { rest_.start(kFilesRestMs, 0, [this] { look(); }); });
    if (watch) {
      watches_.push_back(std::move(*watch));
    } else {
      log_.warning("a renewed certificate of the page is not seen before the next start: {}",
                   watch.error().message);
    }
  }
}

void PageCertificate::look() {
  auto now = sail::WebCertificate::load(shown_.files());
  if (now && now->fingerprint() == shown_.fingerprint()) return;
  const auto renewed = now.and_then([this](const auto& found) { return on_renewed_(found); });
  if (!renewed) {
    log_.warning("the page keeps its former certificate: {}", renewed.error().message);
    return;
  }
  shown_ = std::move(*now);
  log_.info("the page's certificate was renewed");
  tell();
}

void PageCertificate::tell() const {
  log_.info("the page's certificate is {} (SHA-256)", shown_.fingerprint());
  if (const std::string trouble = shown_.time_trouble(); !trouble.empty()) {
    log_.warning("{}", trouble);
  }
}

}  // namespace manager
