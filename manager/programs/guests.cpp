#include "manager/programs/guests.h"

#include <fmt/core.h>

#include <utility>
#include <vector>

#include "manager/peers/opener.h"
#include "sail/core/base/secret.h"
#include "sail/core/socket/listening_socket.h"

namespace manager {
namespace {

// Without TLS, browsers allow sharing only to pages on their own machine.
constexpr const char* kOwnHost = "127.0.0.1";

}  // namespace

Guests::Guests(ChildPrograms& children, Options options, const sail::Log& log)
    : children_(children), options_(std::move(options)), log_(log) {}

sail::Result<Guests::Invitation> Guests::invite(const Author& author, const std::string& person,
                                                const std::string& title) {
  if (stopped_) {
    return sail::fail(sail::ErrorCode::kUnavailable,
                      "the manager is shutting down: no program can be started");
  }
  if (running_ >= kMostGuests) {
    return sail::fail(
        sail::ErrorCode::kLimit,
        fmt::format("the wall already has {} shares, the maximum: close one", running_));
  }
  if (!person.empty() && of_person_[person] >= kMostGuestsOfOne) {
    return sail::fail(
        sail::ErrorCode::kLimit,
        fmt::format("you already have {} shares, the maximum for each person: close one",
                    kMostGuestsOfOne));
  }
  // Created here, so that the page can connect before the program runs.
  const bool tls = options_.certificate.has_value();
  const auto socket = sail::listening_socket({tls ? options_.page_host : kOwnHost, 0});
  if (!socket) return socket.error();
  const Invitation invitation{sail::listening_address(socket->get())->port, sail::random_word(),
                              tls};
  std::vector<std::string> words{options_.program, "--title=" + title};
  if (tls) {
    words.push_back("--page-certificate=" + options_.certificate->certificate.string());
    words.push_back("--page-key=" + options_.certificate->key.string());
  }
  const bool has_key = !options_.start.key.secret.empty();
  const std::string name = program_key_name("application", has_key ? author.key : "");
  const auto child =
      children_.start(words,
                      {"VITRAIL_MANAGER=" + sail::address_text(options_.start.manager),
                       "VITRAIL_KEY=" + key_text(key_named(options_.start.key, name)),
                       "VITRAIL_GUEST_SECRET=" + invitation.secret},
                      [this, person](int64_t exit_status, int signal) {
                        --running_;
                        if (--of_person_[person] == 0) of_person_.erase(person);
                        if (exit_status != 0 || signal != 0) {
                          log_.warning("vitrail-guest ended with {}: see its messages above",
                                       exit_text(exit_status, signal));
                        }
                      },
                      {.handed = socket->get()});
  if (!child) return child.error();
  ++running_;
  ++of_person_[person];
  return invitation;
}

}  // namespace manager
