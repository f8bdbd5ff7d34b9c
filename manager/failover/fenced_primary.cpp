#include "manager/failover/fenced_primary.h"

#include <fmt/core.h>

#include <utility>

#include "sail/core/wire/standby.h"

namespace manager {
namespace {

constexpr sail::ManagerLinkTimes kFormerTimes{.longest_pause_ms = 2000, .between_managers = true};

}  // namespace

FencedPrimary::FencedPrimary(sail::Loop& loop, const sail::Address& at, uint64_t term,
                             std::function<void(uint64_t term)> on_fenced, const sail::Log& log)
    : link_(
          loop, at,
          [term](const sail::Address&) {
            return sail::Hello{.role = sail::Role::kUi,
                               .name = fmt::format("manager of term {}", term),
                               .term = term};
          },
          {.on_connected =
               [term, on_fenced = std::move(on_fenced)](const sail::Json& welcome) {
                 const auto told = sail::message_from_json<sail::WelcomeTerm>(welcome);
                 if (told && told->term > term) on_fenced(told->term);
               },
           .on_request = {},
           .on_lost = {},
           .on_refused = {}},
          log, kFormerTimes) {}

}  // namespace manager
