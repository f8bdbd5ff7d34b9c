// The page's certificate, read again when its files change: a renewed one is shown without a new
// start, and one that is no good leaves the former where it is. Thread: the loop's.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "sail/base/log.h"
#include "sail/net/folder_watch.h"
#include "sail/net/loop.h"
#include "sail/net/web_certificate.h"

namespace manager {

class PageCertificate {
 public:
  using OnRenewed = std::function<sail::Result<void>(const sail::WebCertificate&)>;
  PageCertificate(sail::Loop& loop, const sail::WebCertificate& loaded, OnRenewed on_renewed,
                  const sail::Log& log);

  const sail::WebCertificate& shown() const { return shown_; }

 private:
  void watch();
  void look();
  void tell() const;

  sail::Loop& loop_;
  sail::WebCertificate shown_;
  const OnRenewed on_renewed_;
  const sail::Log log_;
  sail::Timer rest_;  // both files are written, one after the other
  std::vector<std::unique_ptr<sail::FolderWatch>> watches_;
};

}  // namespace manager
