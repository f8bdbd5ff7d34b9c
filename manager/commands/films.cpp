// Films of film servers.
#include "manager/commands/verbs.h"
#include "manager/media/film_servers.h"
#include "sail/core/text/limits.h"

namespace manager::verbs {

namespace {

constexpr size_t kLongestTitle = 512;

struct WantedFilms {
  std::string server;
  sail::Json params = sail::Json::object();  // Parameters of the server's verb `titles`.
};

sail::Result<WantedFilms> read_films(const Call& call, const FilmServers& servers) {
  sail::JsonFields fields = call.fields();
  WantedFilms wanted;
  if (fields.has("server")) {
    wanted.server = fields.string("server", sail::kMaxTitleLength);
  } else if (!servers.names().empty()) {
    wanted.server = servers.names().front();
  }
  for (const char* name : {"search", "after"}) {
    if (fields.has(name)) wanted.params[name] = fields.string_or(name, kLongestTitle, "");
  }
  if (fields.has("playable")) wanted.params["playable"] = fields.boolean_or("playable", false);
  if (auto error = fields.finish()) return *error;
  return wanted;
}

}  // namespace

void films(const Call& call, FilmServers& servers) {
  const auto wanted = read_films(call, servers);
  if (!wanted) {
    call.reply(wanted.error());
    return;
  }
  sail::Json answer{{"server", wanted->server},
                    {"servers", servers.names()},
                    {"titles", sail::Json::array()},
                    {"more", false}};
  if (wanted->server.empty()) {
    call.reply(std::move(answer));
    return;
  }
  servers.ask(wanted->server, "titles", wanted->params,
              [reply = call.reply,
               answer = std::move(answer)](const sail::Result<sail::Json>& result) mutable {
                if (!result) return reply(result.error());
                for (const char* name : {"titles", "more", "left_out"}) {
                  const auto found = result->find(name);
                  if (found != result->end()) answer[name] = *found;
                }
                reply(std::move(answer));
              });
}

}  // namespace manager::verbs
