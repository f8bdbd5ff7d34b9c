// The certificate that a web server shows, read again when its files change: a renewed one is shown
// without a new start, and one that is no good leaves the former where it is. Thread: the loop's.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sail/base/log.h"
#include "sail/net/folder_watch.h"
#include "sail/net/loop.h"
#include "sail/net/web_certificate.h"

namespace sail {

class RenewedCertificate {
 public:
  using OnRenewed = std::function<Result<void>(const WebCertificate&)>;
  // whose: as people call what shows it.
  RenewedCertificate(Loop& loop, const WebCertificate& loaded, OnRenewed on_renewed,
                     std::string whose, const Log& log);

  const WebCertificate& shown() const { return shown_; }

 private:
  void watch();
  void look();
  void tell() const;

  Loop& loop_;
  WebCertificate shown_;
  const OnRenewed on_renewed_;
  const std::string whose_;
  const Log log_;
  Timer rest_;  // both files are written, one after the other
  std::vector<std::unique_ptr<FolderWatch>> watches_;
};

}  // namespace sail
