#include "manager/failover/other_manager.h"

#include <fmt/core.h>

#include <string>
#include <system_error>
#include <utility>

#include "manager/peers/receiver_roster.h"
#include "manager/programs/node_command.h"
#include "sail/core/base/private_file.h"
#include "sail/core/rpc/rpc_client.h"
#include "sail/core/rpc/service_peer.h"
#include "sail/core/text/limits.h"
#include "sail/core/wire/standby.h"

namespace manager {
namespace {

constexpr const char* kTermFile = "term.json";
constexpr size_t kMostTermBytes = 16 << 10;

}  // namespace

sail::Result<SavedTerm> load_term(const std::filesystem::path& state_folder) {
  if (state_folder.empty()) return SavedTerm{};
  const auto text = sail::read_file(state_folder / kTermFile, kMostTermBytes);
  if (!text && text.error().code == sail::ErrorCode::kNotFound) return SavedTerm{};
  if (!text) return text.error();
  auto saved = sail::parse_json(*text, kMostTermBytes)
                   .and_then([](const sail::Json& json) -> sail::Result<SavedTerm> {
                     sail::JsonFields fields(json, "term");
                     SavedTerm term;
                     sail::kTerm.read(fields, "term", term.term);
                     term.followed = fields.boolean_or("followed", false);
                     term.other = fields.string_or("other", sail::kMaxAddressText, "");
                     if (fields.has("lost")) {
                       for (const sail::Json& item : fields.array("lost", sail::kMaxLostChanges)) {
                         auto change = sail::read_lost_change(item, "lost");
                         if (!change) return change.error();
                         term.lost.push_back(std::move(*change));
                       }
                     }
                     if (auto error = fields.finish_open()) return *error;
                     return term;
                   });
  if (saved) return saved;
  return sail::fail(
      sail::ErrorCode::kBadData,
      fmt::format("{} is damaged: {}", (state_folder / kTermFile).string(), saved.error().message));
}

sail::Result<SavedTerm> load_term_at_start(const std::filesystem::path& state_folder) {
  auto saved = load_term(state_folder);
  if (saved) return saved;
  const auto aside = sail::set_aside(state_folder / kTermFile);
  return sail::fail(
      saved.error().code,
      fmt::format(
          "{}; {}. The wall begins with a new term. If another manager runs this wall, stop this "
          "manager and start it with --standby-of and the other manager's address",
          saved.error().message,
          aside ? "the file is kept as " + aside->string() : aside.error().message));
}

bool keeps_term(const std::filesystem::path& state_folder) {
  std::error_code unknown;
  return !state_folder.empty() && std::filesystem::exists(state_folder / kTermFile, unknown);
}

sail::Result<void> save_term(const std::filesystem::path& state_folder, const SavedTerm& saved) {
  sail::Json json = {{"term", saved.term}, {"followed", saved.followed}};
  if (!saved.other.empty()) json["other"] = saved.other;
  if (!saved.lost.empty()) json["lost"] = saved.lost;
  return sail::make_private_folder(state_folder).and_then([&] {
    return sail::write_private_file(state_folder / kTermFile, json.dump() + "\n");
  });
}

// A standby refuses a hello without "vote".
OtherManager ask_other(const SavedTerm& saved, uint64_t least_term, const sail::WallKey& key,
                       uint64_t vote) {
  constexpr int64_t kWaitTimeoutMs = 1000;
  const auto at = sail::parse_address(saved.other, {});
  if (!at || at->host.empty()) return OtherManager::kSilent;
  const auto client = sail::RpcClient::connect(
      *at, {.hello = {.role = sail::Role::kUi, .name = "standby", .vote = vote},
            .key = key,
            .timeout_ms = kWaitTimeoutMs,
            .advice = ""});
  if (!client) return OtherManager::kSilent;
  const sail::Json& welcome = (*client)->welcome();
  if (const auto given = sail::message_from_json<sail::WelcomeVote>(welcome);
      given && given->voted != 0) {
    return given->voted == vote ? OtherManager::kVoted : OtherManager::kSilent;
  }
  const auto other = sail::message_from_json<sail::WelcomeTerm>(welcome);
  const bool rules = other && other->term >= least_term && saved.is_fenced_by(other->term);
  return rules ? OtherManager::kRules : OtherManager::kSilent;
}

std::optional<sail::Json> answer_vote(const sail::ServicePeer& peer,
                                      const std::function<bool(uint64_t term)>& promise) {
  const sail::Hello& hello = peer.hello();
  const bool may_ask = hello.role == sail::Role::kUi && peer.right() == sail::Right::kAdmin;
  if (hello.vote == 0 || !may_ask || !promise(hello.vote)) return std::nullopt;
  return to_json(sail::WelcomeVote{.voted = hello.vote});
}

namespace {

constexpr sail::ManagerLinkTimes kFormerTimes{.longest_pause_ms = 2000, .between_managers = true};

// Replaces host names that mean the manager's own host. Launchers of that host cannot run here: ssh
// starts its programs.
void resolve_manager_host(sail::Wall& wall, const std::string& manager_host) {
  const auto resolve = [&](auto& place) {
    if (!is_this_host(place.host)) return;
    place.host = manager_host;
    place.launch.clear();
  };
  for (sail::ReceiverPlace& receiver : wall.receivers) resolve(receiver);
  for (sail::AppPlace& app : wall.apps) {
    resolve(app);
    if (!app.second_host.empty() && is_this_host(app.second_host)) app.second_host = manager_host;
  }
}

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
                 const auto other = sail::message_from_json<sail::WelcomeTerm>(welcome);
                 if (other && other->term > term) on_fenced(other->term);
               },
           .on_request = {},
           .on_lost = {},
           .on_refused = {}},
          log, kFormerTimes) {}

sail::Result<sail::Wall> wall_of(const sail::Address& manager) {
  auto client = sail::RpcClient::connect(
      manager, {.hello = {.role = sail::Role::kUi, .name = "standby"}, .advice = ""});
  if (!client) return client.error();
  auto state = (*client)->call("list", {{"skip", sail::kMaxWindows}});
  if (!state) return state.error();
  sail::Json file = state->value("wall", sail::Json::object());
  if (file.is_object()) file.erase("size");
  // The state does not contain them.
  const auto webhooks = (*client)->call("webhooks_settings", sail::Json::object());
  if (webhooks && file.is_object()) file.update(*webhooks);
  auto wall = sail::parse_wall(file.dump());
  if (!wall) return wall;
  // This process is the standby.
  wall->standby.reset();
  const std::string host = (*client)->peer().peer_address().host;
  if (host != (*client)->peer().local_address().host) resolve_manager_host(*wall, host);
  return wall;
}

}  // namespace manager
