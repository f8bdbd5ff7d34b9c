// The film servers that the operator configured. Queries their catalogues on demand, with the right
// of a viewer. The first query connects; after a lost connection the next query reconnects. Film
// data does not pass through the manager. Runs on the loop thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/auth/wall_key.h"
#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"
#include "sail/core/rpc/rpc_peer.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/text/json.h"

namespace manager {

class FilmServers {
 public:
  // key: the wall's key.
  FilmServers(sail::Loop& loop, const std::vector<sail::Address>& servers,
              const sail::WallKey& key);
  ~FilmServers();

  // HOST:PORT of each server.
  const std::vector<std::string>& names() const { return names_; }
  // Whether `medium` is "server://HOST:PORT/TITLE" of one of these servers.
  bool has(std::string_view medium) const;

  // Calls `answer` once, or never if this object is destroyed first. kNotFound: unknown server.
  // kUnavailable: the server does not answer. kLimit: too many queries are waiting.
  void ask(const std::string& server, std::string_view verb, const sail::Json& params,
           sail::RpcPeer::AnswerCallback answer);
  // Gets the poster (JPEG) of the film "server://…"; empty: it has none.
  void poster(const std::string& film, std::function<void(sail::Result<std::string>)> answer);

 private:
  struct Link;

  std::vector<std::string> names_;
  std::map<std::string, std::unique_ptr<Link>, std::less<>> links_;
};

}  // namespace manager
