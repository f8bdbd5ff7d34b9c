// vitrail-server: parses the command line and runs one FilmServer or DiskServer until a signal ends
// it.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>

#include "sail/apps/server/disk/disk_server.h"
#include "sail/apps/server/film_server.h"
#include "sail/apps/server/http/http_server.h"
#include "sail/apps/server/rtsp/rtsp_server.h"
#include "sail/core/auth/wall_key.h"
#include "sail/core/base/environment.h"
#include "sail/core/base/private_file.h"
#include "sail/core/command_line/shared_options.h"
#include "sail/core/process/process.h"
#include "sail/core/wire/data/disk_messages.h"
#include "sail/media/storage/reading/read_speed.h"
#include "sail/media/vmov/vmov_format.h"

namespace {

constexpr const char* kDiskRole = "disk";

struct Arguments {
  std::string role = "films";
  std::string films;
  std::string catalogue;
  std::string listen;
  std::vector<std::string> managers;
  std::vector<std::string> disks;
  std::optional<double> source_rate;
  double share = server::kUsualShare;
  std::string port_file;
  std::string rtsp;
  std::string rtsp_port_file;
  std::string http;
  std::string http_port_file;
  std::string http_certificate;
  std::string http_key;
  bool insecure = false;
  sail::LogLevel log_level = sail::LogLevel::kInfo;
};

constexpr const char* kNotes =
    R"(Films for walls are those that `vitrail convert` creates, and JPEG 2000 of other origin: folders of
numbered codestreams, JP2, JPH, MJ2 and MXF. Films that would need decoding are refused. RTSP
players also get H.264, H.265, AAC and other codecs, as stored.

Environment:
  VITRAIL_KEY_FILE  file with the wall's key, created by `vitrail key new`: clients must prove
                    this key, and the server proves it to managers. Required for clients on other
                    machines. Default: the key of the wall that the same user started here with
                    `vitrail up`; without such a wall, programs of this machine need no key

Examples:
  vitrail-server --films /srv/films
  VITRAIL_KEY_FILE=wall.key vitrail-server --films /srv/films \
    --listen 0.0.0.0:7450 --manager head:7440
  bplay server://storage/visitors/welcome.vmov --loop      # from any node
  vitrail-server --films /srv/films --rtsp :8554
  vlc rtsp://127.0.0.1:8554/visitors/trailer.mp4           # as stored
  vitrail-server --films /srv/films --http :7451
  curl -O http://127.0.0.1:7451/visitors/trailer.mp4

Films stored on two disk servers, served by one film server:
  VITRAIL_KEY_FILE=wall.key vitrail-server --role disk --films /srv/parts \
    --listen 0.0.0.0:7452
  VITRAIL_KEY_FILE=wall.key vitrail-server --films /srv/films \
    --disk store1 --disk store2
  vitrail films place opera.vmov --stripe 2 --copies 2

SIGINT and SIGTERM end the server; the windows of its films are closed.
exit code 0: ended by a signal
          1: the server could not start
          2: the command line is wrong)";

// Options of the RTSP and HTTP servers, for players that are not on walls.
void describe_doors(const sail::Command& line, Arguments& arguments) {
  line.option("--rtsp", arguments.rtsp,
              "Also serve films by RTSP (VLC, mpv, ffplay, GStreamer) at this address, default "
              "host 127.0.0.1, port 554; if a key is set, players log in with key name and key as "
              "user and password")
      .form("HOST:PORT");
  const sail::Option http =
      line.option("--http", arguments.http,
                  "Also serve films as files by HTTP (browsers, curl, VLC) at this address, "
                  "default host 127.0.0.1, port 7451; log in as for --rtsp")
          .form("HOST:PORT");
  const sail::Option certificate =
      line.option("--http-certificate", arguments.http_certificate,
                  "Serve --http by HTTPS only: certificate, followed by its intermediate "
                  "certificates (PEM). Reloaded when renewed")
          .form("FILE");
  const sail::Option certificate_key =
      line.option("--http-key", arguments.http_key, "Private key of the certificate (PEM)")
          .form("FILE");
  certificate.needs(certificate_key).needs(http);
  certificate_key.needs(certificate);
}

void describe(const sail::Command& line, Arguments& arguments) {
  line.option("--films", arguments.films,
              "Folder of the films, with subfolders; for a disk server the folder of the parts")
      .required()
      .form("DIR");
  line.option("--role", arguments.role,
              "disk: only store parts of films, for film servers on other machines")
      .one_of({"films", kDiskRole})
      .shows_default();
  line.option("--disk", arguments.disks,
              "Disk server for placed films (`vitrail films place`), default port 7452; repeatable")
      .form("HOST:PORT");
  line.option("--catalogue", arguments.catalogue,
              "Catalogue database file with the films' properties and tags; default: one per "
              "folder in $XDG_STATE_HOME/vitrail (~/.local/state/vitrail)")
      .form("FILE");
  sail::add_listen_option(line, arguments.listen, sail::kDefaultFilmServerPort, "film clients");
  sail::add_insecure_option(line, arguments.insecure);
  line.option("--manager", arguments.managers,
              "Manager of a wall to play on, as clients name it; repeatable, the first is the "
              "default for clients; default $VITRAIL_MANAGER or 127.0.0.1:7440")
      .form("HOST:PORT");
  line.option("--source-rate", arguments.source_rate,
              "Read rate of the folder's disk or network in MB/s (10^6 bytes); default: measured "
              "once, and again by `vitrail films measure`")
      .form("MB/S")
      .limited(0.001, 1e6);
  line.option("--share", arguments.share,
              "Fraction of the read rate to reserve for films; films beyond it are refused")
      .between(0.01, 1.0)
      .shows_default();
  describe_doors(line, arguments);
  sail::add_port_file_option(line, arguments.port_file);
  line.option("--rtsp-port-file", arguments.rtsp_port_file, "File to write the port of --rtsp to")
      .form("FILE");
  line.option("--http-port-file", arguments.http_port_file, "File to write the port of --http to")
      .form("FILE");
  sail::add_log_level_option(line, arguments.log_level);
  line.notes(kNotes);
}

sail::Result<std::vector<sail::Address>> disks_of(const Arguments& arguments) {
  std::vector<sail::Address> disks;
  for (const std::string& text : arguments.disks) {
    auto disk = sail::parse_address(text, {"127.0.0.1", sail::kDefaultDiskServerPort});
    if (!disk) return sail::about_option("--disk", disk.error());
    disks.push_back(std::move(*disk));
  }
  return disks;
}

// The managers given by --manager, else $VITRAIL_MANAGER, else the manager of this host.
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

// The folder's default catalogue file; empty: the state folder cannot be created.
std::string catalogue_file(const std::string& folder) {
  const std::filesystem::path ours = sail::user_state_folder();
  if (ours.empty() || !sail::make_private_folder(ours)) return "";
  const auto* bytes = reinterpret_cast<const uint8_t*>(folder.data());
  return ours / fmt::format("films-{:016x}.db", sail::checksum({bytes, folder.size()}));
}

// The key that clients must prove: from the environment, else the key of this host's own wall,
// which is only for programs on this host. doors: the listening addresses as given in the options.
sail::Result<sail::WallKey> key_for_doors(const sail::Address& wall,
                                          std::initializer_list<std::string> doors, bool insecure) {
  auto key = sail::key_for_server(wall);
  const bool reached = std::ranges::any_of(doors, [](const std::string& door) {
    const auto at = sail::parse_address(door, {"127.0.0.1", 1});
    return at && !sail::is_loopback(at->host);
  });
  if (!key || key->secret.empty() || sail::is_key_in_environment() || !reached) return key;
  if (insecure) return sail::WallKey();
  return sail::fail(
      sail::ErrorCode::kUnauthorized,
      fmt::format("the server listens for other machines, but the key of the wall at {} is only "
                  "for programs on this machine: set VITRAIL_KEY_FILE to the other machines' key "
                  "file, or to {} for that wall's key; --insecure accepts everybody",
                  sail::address_text(wall), sail::key_file(wall).string()));
}

// Publishes the server's key for programs of this user while the server runs.
class KeyForClients {
 public:
  KeyForClients(sail::Address at, const sail::WallKey& key)
      : at_(std::move(at)), kept_(!key.secret.empty() && sail::save_key(at_, key)) {}
  ~KeyForClients() {
    if (kept_) sail::delete_key(at_);
  }
  KeyForClients(const KeyForClients&) = delete;
  KeyForClients& operator=(const KeyForClients&) = delete;

 private:
  const sail::Address at_;
  const bool kept_;
};

// Starts the RTSP or HTTP server; null if `where` is empty. name: the option, for errors.
template <typename Door, typename Options>
sail::Result<std::unique_ptr<Door>> open_door(sail::Loop& loop, server::FilmServer& films,
                                              const char* name, const std::string& where,
                                              const std::string& port_file, bool insecure,
                                              const sail::Log& log, Options options = {}) {
  if (where.empty()) return nullptr;
  const auto listen = sail::parse_address(where, options.listen);
  if (!listen) return sail::about_option(name, listen.error());
  options.key = films.options().key;
  options.listen = *listen;
  if (auto safe = sail::check_exposure(*listen, options.key, insecure); !safe) {
    return sail::about_option(name, safe.error());
  }
  auto door = Door::start(loop, films, options, log);
  if (!door) return sail::about_option(name, door.error());
  auto written = sail::write_port_file(port_file, (*door)->address().port);
  if (!written) return written.error();
  return door;
}

// Refuses options that only a film server has.
sail::Result<void> check_disk_options(const Arguments& arguments) {
  const bool others = !arguments.catalogue.empty() || !arguments.managers.empty() ||
                      !arguments.disks.empty() || !arguments.rtsp.empty() ||
                      !arguments.http.empty();
  if (!others) return {};
  return sail::fail(sail::ErrorCode::kInvalidParams,
                    "--role disk excludes --catalogue, --manager, --disk, --rtsp and --http");
}

sail::Result<void> run_disk(const Arguments& arguments) {
  const sail::Log log("vitrail-server", arguments.log_level);
  if (auto fine = check_disk_options(arguments); !fine) return fine;
  const auto listen =
      sail::parse_address(arguments.listen, {"127.0.0.1", sail::kDefaultDiskServerPort});
  if (!listen) return sail::about_option("--listen", listen.error());
  const auto manager = sail::manager_address("");
  if (!manager) return manager.error();
  auto key = key_for_doors(*manager, {arguments.listen}, arguments.insecure);
  if (!key) return key.error();
  if (auto safe = sail::check_exposure(*listen, *key, arguments.insecure); !safe) return safe;
  sail::raise_descriptor_limit();
  sail::Loop loop;
  const auto disk = server::DiskServer::start(loop,
                                              {.folder = arguments.films,
                                               .listen = *listen,
                                               .key = std::move(*key),
                                               .tls = sail::listening_tls(arguments.insecure),
                                               .peak_mb_per_s = arguments.source_rate.value_or(0)},
                                              log);
  if (!disk) return disk.error();
  if (auto written = sail::write_port_file(arguments.port_file, (*disk)->address().port);
      !written) {
    return written;
  }
  fmt::print("vitrail-server ready on {}: parts of films in {}\n",
             sail::address_text((*disk)->address()), arguments.films);
  std::fflush(stdout);
  sail::run_until_signal(loop, [&loop] { loop.stop(); });
  return {};
}

sail::Result<server::FilmServerOptions> film_options(const Arguments& arguments) {
  auto library = server::Library::open(arguments.films);
  if (!library) return library.error();
  const auto listen =
      sail::parse_address(arguments.listen, {"127.0.0.1", sail::kDefaultFilmServerPort});
  if (!listen) return sail::about_option("--listen", listen.error());
  auto managers = managers_of(arguments);
  if (!managers) return sail::about_option("--manager", managers.error());
  auto disks = disks_of(arguments);
  if (!disks) return disks.error();
  auto key = key_for_doors(managers->front(), {arguments.listen, arguments.rtsp, arguments.http},
                           arguments.insecure);
  if (!key) return key.error();
  if (auto safe = sail::check_exposure(*listen, *key, arguments.insecure); !safe) {
    return safe.error();
  }
  const std::string folder = library->folder();
  return server::FilmServerOptions{
      .library = std::move(*library),
      .catalogue = arguments.catalogue.empty() ? catalogue_file(folder) : arguments.catalogue,
      .poster_program = sail::find_program("vitrail-poster"),
      .listen = *listen,
      .managers = std::move(*managers),
      .key = std::move(*key),
      .tls = sail::listening_tls(arguments.insecure),
      .source_mb_per_s = arguments.source_rate.value_or(0),
      .share = arguments.share,
      .disks = std::move(*disks)};
}

sail::Result<server::HttpOptions> http_options(const Arguments& arguments) {
  server::HttpOptions web;
  if (arguments.http_certificate.empty()) return web;
  auto read = sail::WebCertificate::load({arguments.http_certificate, arguments.http_key});
  if (!read) return read.error();
  web.certificate = std::move(*read);
  return web;
}

sail::Result<void> run(const Arguments& arguments) {
  const sail::Log log("vitrail-server", arguments.log_level);
  auto options = film_options(arguments);
  if (!options) return options.error();
  auto web = http_options(arguments);
  if (!web) return web.error();
  const std::string folder = options->library.folder();
  if (const auto advice = sail::mount_advice(folder)) log.warning("{}", *advice);

  const sail::WallKey for_these = sail::is_key_in_environment() ? sail::WallKey() : options->key;
  sail::raise_descriptor_limit();
  sail::Loop loop;
  const auto films =
      server::FilmServer::start(loop, std::move(*options), log, [&loop] { loop.stop(); });
  if (!films) return films.error();
  const sail::Address address = (*films)->address();
  const KeyForClients for_clients(address, for_these);
  if (auto written = sail::write_port_file(arguments.port_file, address.port); !written) {
    return written;
  }
  const auto rtsp = open_door<server::RtspServer, server::RtspOptions>(
      loop, **films, "--rtsp", arguments.rtsp, arguments.rtsp_port_file, arguments.insecure, log);
  if (!rtsp) return rtsp.error();
  const auto http = open_door<server::HttpServer, server::HttpOptions>(
      loop, **films, "--http", arguments.http, arguments.http_port_file, arguments.insecure, log,
      std::move(*web));
  if (!http) return http.error();
  fmt::print("vitrail-server ready on {}: films of {}\n", sail::address_text(address), folder);
  std::fflush(stdout);

  sail::run_until_signal(loop, [&films] { (*films)->shut_down(); });
  return {};
}

}  // namespace

int vitrail_server_main(int argc, char** argv) {
  sail::CommandLine line("vitrail-server",
                         "Play films on walls directly from storage: send their compressed frames "
                         "to the receivers unchanged.");
  Arguments arguments;
  describe(line, arguments);
  return line.run(argc, argv, [&] {
    return arguments.role == kDiskRole ? run_disk(arguments) : run(arguments);
  });
}
