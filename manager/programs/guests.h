// Guests: programs that show what people share from the page, one per share. The page gets the
// guest's port and a secret, and sends its pixels directly to the guest. Runs on the loop thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "manager/programs/child_programs.h"
#include "manager/programs/node_command.h"
#include "manager/wall/step.h"
#include "sail/core/base/log.h"
#include "sail/core/base/result.h"
#include "sail/core/http/web_certificate.h"

namespace manager {

constexpr size_t kMostGuests = 8;
constexpr size_t kMostGuestsOfOne = 4;

class Guests {
 public:
  struct Options {
    std::string program;  // Path of vitrail-guest.
    NodeStart start;      // How guests reach the manager, with the wall's key.
    // If the page uses TLS, guests use TLS, too, and listen on the page's host.
    std::string page_host{};
    std::optional<sail::CertificateFiles> certificate{};
  };
  Guests(ChildPrograms& children, Options options, const sail::Log& log);

  struct Invitation {
    uint16_t port = 0;
    std::string secret;  // Valid once, for a short time.
    bool tls = false;
  };
  // person: see counted_as(). kLimit: too many guests, in total or of this person. kUnavailable:
  // the manager is shutting down. kNotFound: vitrail-guest is not installed.
  sail::Result<Invitation> invite(const Author& author, const std::string& person,
                                  const std::string& title);
  // Refuses all further invitations.
  void stop() { stopped_ = true; }

 private:
  ChildPrograms& children_;
  const Options options_;
  const sail::Log log_;
  bool stopped_ = false;
  size_t running_ = 0;
  std::map<std::string, size_t> of_person_;  // Running guests per person.
};

}  // namespace manager
