// The film servers of this wall, named by its operator: their catalogues for people, asked for as a
// viewer when somebody asks. A connection is made with the first question and kept; one that is
// lost is made anew with the next. Pictures that play go past the manager. Thread: the loop's.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sail/base/result.h"
#include "sail/net/loop.h"
#include "sail/net/rpc_peer.h"
#include "sail/net/tcp.h"
#include "sail/net/wall_key.h"
#include "sail/wire/json.h"

namespace manager {

class FilmServers {
 public:
  // key: the wall's.
  FilmServers(sail::Loop& loop, const std::vector<sail::Address>& servers,
              const sail::WallKey& key);
  ~FilmServers();

  // HOST:PORT, as they were named.
  const std::vector<std::string>& names() const { return names_; }
  // Whether this is "server://HOST:PORT/TITLE" of one of them.
  bool has(std::string_view medium) const;

  // The answer comes once, or never when this is gone. kNotFound: there is no such server.
  // kUnavailable: nobody answers there.
  void ask(const std::string& server, std::string_view verb, const sail::Json& params,
           sail::RpcPeer::AnswerCallback answer);
  // The JPEG of a film of theirs, by its "server://…"; empty: it has none.
  void poster(const std::string& film, std::function<void(sail::Result<std::string>)> answer);

 private:
  struct Link;

  std::vector<std::string> names_;
  std::map<std::string, std::unique_ptr<Link>, std::less<>> links_;
};

}  // namespace manager
