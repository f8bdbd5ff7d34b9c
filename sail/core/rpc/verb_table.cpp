#include "sail/core/rpc/verb_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "sail/core/text/text.h"

namespace sail {

bool RpcVerb::is_for(Role role) const {
  switch (role) {
    case Role::kUi:
      return ui.has_value();
    case Role::kApplication:
      return application;
    case Role::kReceiver:
      return receiver;
    case Role::kRecorder:
      return recorder;
  }
  return false;
}

VerbTable::VerbTable(std::vector<RpcVerb> verbs, VerbNoting noting, VerbAdmission admission)
    : verbs_(std::move(verbs)), noting_(std::move(noting)), admission_(std::move(admission)) {
  for (size_t i = 0; i < verbs_.size(); ++i) positions_.emplace(verbs_[i].name, i);
}

const RpcVerb* VerbTable::find(std::string_view name) const {
  const auto known = positions_.find(name);
  return known == positions_.end() ? nullptr : &verbs_[known->second];
}

bool VerbTable::serves(Role role) const {
  return std::ranges::any_of(verbs_, [role](const RpcVerb& verb) { return verb.is_for(role); });
}

void VerbTable::run(ServicePeer& peer, const std::string& method, const Json& params,
                    const RpcPeer::Reply& reply) const {
  const Role role = *peer.role();
  const RpcVerb* verb = find(method);
  if (verb == nullptr) {
    reply(fail(ErrorCode::kUnknownMethod,
               fmt::format("unknown verb '{}'{}", method, hint(method, role))));
    return;
  }
  const std::optional<Error> denied = refusal(peer, *verb, params);
  const bool notes = noting_ && (denied || verb->noted);
  VerbNote note = notes ? noting_(peer, verb->name, params) : VerbNote();
  if (denied) {
    if (note) note(*denied);
    reply(*denied);
  } else if (note) {
    const RpcPeer::Reply noted = [note = std::move(note), reply](Result<Json> answer) {
      note(answer);
      reply(std::move(answer));
    };
    verb->run({peer, verb->name, params, noted});
  } else {
    verb->run({peer, verb->name, params, reply});
  }
}

std::optional<Error> VerbTable::refusal(ServicePeer& peer, const RpcVerb& verb,
                                        const Json& params) const {
  const Role role = *peer.role();
  if (!verb.is_for(role)) {
    return Error{ErrorCode::kInvalidRequest,
                 fmt::format("the verb '{}' is not available to this connection's role '{}'",
                             verb.name, role_name(role))};
  }
  if (role != Role::kUi) return std::nullopt;
  if (!includes(peer.right(), *verb.ui)) {
    return not_allowed(peer.right(), fmt::format("'{}'", verb.name), *verb.ui);
  }
  if (!admission_) return std::nullopt;
  if (auto admitted = admission_(peer, verb.name, params); !admitted) return admitted.error();
  return std::nullopt;
}

std::string VerbTable::hint(std::string_view verb, Role role) const {
  std::vector<std::string_view> names;
  for (const RpcVerb& known : verbs_) {
    if (known.is_for(role)) names.emplace_back(known.name);
  }
  const std::string_view nearest = nearest_word(verb, names);
  return nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest);
}

Error not_allowed(Right right, const std::string& what, Right needed) {
  const char* may = "view the wall and show content, but not change the wall";
  if (right == Right::kViewer) may = "view the wall, but not change it";
  if (right == Right::kPresenter) may = "show content and change your own windows";
  if (right == Right::kOperator) may = "control the wall, but not administer it";
  const char* role = right_name(right);
  const bool vowel = right == Right::kOperator || right == Right::kProgram;
  return {ErrorCode::kUnauthorized,
          fmt::format("you are signed in as {} {}: you can {} ({} needs the role '{}')",
                      vowel ? "an" : "a", role, may, what, right_name(needed))};
}

}  // namespace sail
