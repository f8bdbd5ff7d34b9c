// A web server's certificate, reloaded when its files change. A renewed certificate is used without
// a restart; an invalid one is ignored and the previous one kept. Thread: the loop's.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sail/core/base/log.h"
#include "sail/core/http/web_certificate.h"
#include "sail/core/loop/folder_watch.h"
#include "sail/core/loop/loop.h"

namespace sail {

class RenewedCertificate {
 public:
  using OnRenewed = std::function<Result<void>(const WebCertificate&)>;
  // whose: name of the server in log messages.
  RenewedCertificate(Loop& loop, const WebCertificate& loaded, OnRenewed on_renewed,
                     std::string whose, const Log& log);

  const WebCertificate& shown() const { return shown_; }

 private:
  void watch();
  void reload();
  void tell() const;

  Loop& loop_;
  WebCertificate shown_;
  const OnRenewed on_renewed_;
  const std::string whose_;
  const Log log_;
  Timer rest_;  // delay after a change, because two files are written
  std::vector<std::unique_ptr<FolderWatch>> watches_;
};

}  // namespace sail
