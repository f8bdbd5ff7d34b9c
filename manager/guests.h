// Programs that show what people share from the page, one for each share. The page is told where
// its guest listens, and what it must say there; its pixels go there and never here. Thread: the
// loop's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "manager/author.h"
#include "manager/child_programs.h"
#include "manager/node_command.h"
#include "sail/base/log.h"
#include "sail/base/result.h"
#include "sail/net/web_certificate.h"

namespace manager {

constexpr size_t kMostGuests = 8;
constexpr size_t kMostGuestsOfOne = 4;

class Guests {
 public:
  struct Options {
    std::string program;  // vitrail-guest
    NodeStart start;      // as all programs begin, with the wall's key
    // Where the page comes by TLS guests speak it, too, and listen on the page's host.
    std::string page_host{};
    std::optional<sail::CertificateFiles> certificate{};
  };
  Guests(ChildPrograms& children, Options options, const sail::Log& log);

  struct Invitation {
    uint16_t port = 0;
    std::string secret;  // good once, and not for long
    bool tls = false;
  };
  // person: see counted_as(). kLimit: as many as may be, of all or of this person. kUnavailable:
  // the manager is ending. kNotFound: not installed.
  sail::Result<Invitation> invite(const Author& author, const std::string& person,
                                  const std::string& title);
  // From now on nobody is invited.
  void stop() { stopped_ = true; }

 private:
  ChildPrograms& children_;
  const Options options_;
  const sail::Log log_;
  bool stopped_ = false;
  size_t running_ = 0;
  std::map<std::string, size_t> of_person_;  // of those that run
};

}  // namespace manager
