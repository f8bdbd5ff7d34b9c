// vitrail-server: reads the command line, runs one FilmServer until it is told to end.
#include <fmt/core.h>

#include <cstdio>

#include "sail/base/environment.h"
#include "sail/command_line/shared_options.h"
#include "sail/net/wall_key.h"
#include "sail/server/film_server.h"

namespace {

struct Arguments {
  std::string films;
  std::string listen;
  std::vector<std::string> managers;
  std::string port_file;
  bool insecure = false;
  sail::LogLevel log_level = sail::LogLevel::kInfo;
};

constexpr const char* kNotes =
    R"(Films are what `vitrail convert` makes, and JPEG 2000 as others make it: folders of numbered
codestreams, JP2, JPH, MJ2 and MXF. Whatever would have to be decoded is refused.

Environment:
  VITRAIL_KEY_FILE  the wall's key, a file that `vitrail key new` makes: clients must prove
                    it, and the server proves it to managers; without it the one of a wall
                    that `vitrail up` started as the same user on this host, else everybody
                    on this machine can play and stop films, and others not at all

Examples:
  vitrail-server --films /srv/films
  VITRAIL_KEY_FILE=wall.key vitrail-server --films /srv/films --listen 0.0.0.0:7450 \
    --manager head:7440
  bplay server://storage/visitors/welcome.vmov --loop      # from any node

SIGINT and SIGTERM end it; the windows of its films leave the walls.
exit code 0: it was told to end
          1: it could not start
          2: the command line is wrong)";

void describe(const sail::Command& line, Arguments& arguments) {
  line.option("--films", arguments.films,
              "The folder whose films may be played, with the folders in it")
      .required()
      .form("DIR");
  sail::add_listen_option(line, arguments.listen, sail::kDefaultFilmServerPort,
                          "those who ask for films");
  sail::add_insecure_option(line, arguments.insecure);
  line.option("--manager", arguments.managers,
              "A wall that may be played on, as clients name it; may be given more than once, "
              "the first is for clients that name none; else $VITRAIL_MANAGER, else "
              "127.0.0.1:7440")
      .form("HOST:PORT");
  sail::add_port_file_option(line, arguments.port_file);
  sail::add_log_level_option(line, arguments.log_level);
  line.notes(kNotes);
}

// As the operator lists them, else $VITRAIL_MANAGER, else the manager of this host.
sail::Result<std::vector<sail::Address>> managers_of(const Arguments& arguments) {
  std::vector<std::string> texts = arguments.managers;
  if (texts.empty()) texts.emplace_back();
  std::vector<sail::Address> managers;
  for (const std::string& text : texts) {
    auto manager = sail::manager_address(text);
    if (!manager) return manager.error();
    managers.push_back(std::move(*manager));
  }
  return managers;
}

// Programs of this user find the key of this server as they find the wall's, while it runs.
class KeyForClients {
 public:
  KeyForClients(sail::Address at, const sail::WallKey& key)
      : at_(std::move(at)), kept_(!key.secret.empty() && sail::keep_key(at_, key)) {}
  ~KeyForClients() {
    if (kept_) sail::forget_key(at_);
  }
  KeyForClients(const KeyForClients&) = delete;
  KeyForClients& operator=(const KeyForClients&) = delete;

 private:
  const sail::Address at_;
  const bool kept_;
};

sail::Result<void> run(const Arguments& arguments) {
  const sail::Log log("vitrail-server", arguments.log_level);

  auto library = server::Library::open(arguments.films);
  if (!library) return library.error();
  const auto listen =
      sail::parse_address(arguments.listen, {"127.0.0.1", sail::kDefaultFilmServerPort});
  if (!listen) return sail::about_option("--listen", listen.error());
  auto managers = managers_of(arguments);
  if (!managers) return sail::about_option("--manager", managers.error());
  auto key = sail::key_to_ask_for(managers->front());
  if (!key) return key.error();

  server::FilmServerOptions options{.library = std::move(*library),
                                    .listen = *listen,
                                    .managers = std::move(*managers),
                                    .key = std::move(*key),
                                    .tls = sail::listening_tls(arguments.insecure)};
  const std::string folder = options.library.folder();
  if (auto safe = sail::check_exposure(*listen, options.key, arguments.insecure); !safe) {
    return safe;
  }

  const bool told =
      !sail::environment("VITRAIL_KEY").empty() || !sail::environment("VITRAIL_KEY_FILE").empty();
  const sail::WallKey for_these = told ? sail::WallKey() : options.key;
  sail::raise_descriptor_limit();
  sail::Loop loop;
  const auto films =
      server::FilmServer::start(loop, std::move(options), log, [&loop] { loop.stop(); });
  if (!films) return films.error();
  const sail::Address address = (*films)->address();
  const KeyForClients for_clients(address, for_these);
  if (auto written = sail::write_port_file(arguments.port_file, address.port); !written) {
    return written;
  }
  fmt::print("vitrail-server ready on {}: films of {}\n", sail::address_text(address), folder);
  std::fflush(stdout);

  sail::run_until_signal(loop, [&films] { (*films)->shut_down(); });
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  sail::CommandLine line("vitrail-server",
                         "Plays films on walls straight from storage: their compressed pictures go "
                         "to the receivers as they are.");
  Arguments arguments;
  describe(line, arguments);
  return line.run(argc, argv, [&] { return run(arguments); });
}
