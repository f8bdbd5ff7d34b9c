#include "manager/arguments.h"

#include <fmt/core.h>

#include <fstream>
#include <iterator>
#include <utility>

#include "manager/failover/other_manager.h"
#include "manager/files/saved_files.h"
#include "sail/core/address/site_walls.h"
#include "sail/core/base/environment.h"
#include "sail/core/base/process_record.h"
#include "sail/core/command_line/shared_options.h"
#include "sail/core/discovery/mdns.h"
#include "sail/core/process/process.h"
#include "sail/core/text/limits.h"
#include "sail/core/wire/stats.h"

namespace manager {
namespace {

constexpr uint16_t kDefaultPagePort = 7480;
constexpr int kMostUploadMib = 1 << 20;
constexpr int kMostQuotaMib = 1 << 30;

constexpr const char* kNotes = R"(Environment:
  VITRAIL_KEY_FILE  file with the wall's key, made by `vitrail key new`; with --listen, the
                    default is this user's own key. Clients must prove the key. Without a
                    key, every user of this machine can show, move and close windows and
                    start players, and other machines cannot connect
  VITRAIL_AT_END, VITRAIL_ANNOUNCE, VITRAIL_CLOCK, VITRAIL_FILM_SERVER
                    defaults of --at-end, --announce, --clock and --film-server, for
                    `vitrail up`
  VITRAIL_PAGE, VITRAIL_PAGE_CERTIFICATE, VITRAIL_PAGE_KEY
                    defaults of --page, --page-certificate and --page-key, for `vitrail up`
  SSL_CERT_FILE     certificates that sign those of a witness with TLS (etcds://…)
  VITRAIL_WITNESS_CERTIFICATE, VITRAIL_WITNESS_KEY
                    files with this host's certificate for the witness, and its key
  VITRAIL_WITNESS_USER, VITRAIL_WITNESS_PASSWORD_FILE
                    user of the witness, and a file with the password, which other users
                    (all but its owner and group) must not be able to read
  VITRAIL_SSH       ssh command, with options, that starts receivers on other hosts; put
                    arguments with blanks into 'quotes'

Examples:
  vitrail-manager --wall wall.json --launch
  VITRAIL_KEY_FILE=wall.key vitrail-manager --wall wall.json \
                            --listen 0.0.0.0:7440
  VITRAIL_KEY_FILE=wall.key vitrail-manager --wall wall.json \
                            --listen 0.0.0.0:7440 --standby-of first-host

SIGINT, SIGTERM and `vitrail down` end the manager and the programs that it started. When another
manager takes over the wall, or the wall file's witness and the standby are both lost, this manager
exits with code 4, and those programs keep running. Started again, it stands by for the other
manager, or waits for the witness.)";

void describe_addresses(const sail::Command& line, Arguments& arguments) {
  line.option("--wall", arguments.wall_file,
              "Wall file (JSON); `vitrail wall check FILE` explains its mistakes")
      .form("FILE")
      .shows_default("with --standby-of: the followed manager's");
  sail::add_listen_option(line, arguments.listen, sail::kDefaultControlPort,
                          "receivers, applications and UI clients");
  sail::add_insecure_option(line, arguments.insecure);
  line.option("--announce", arguments.announce,
              "Announce the wall on the local networks as mdns:NAME (by avahi-daemon) for programs "
              "that have its key")
      .environment("VITRAIL_ANNOUNCE")
      .one_of({"on", "off"})
      .shows_default();
  line.option("--page", arguments.page,
              "Address of the wall's page for browsers; port 0: any free port; 'off': no page")
      .form("HOST:PORT")
      .environment("VITRAIL_PAGE")
      .shows_default(fmt::format("127.0.0.1:{}, if free", kDefaultPagePort));
  const sail::Option certificate =
      line.option(
              "--page-certificate", arguments.page_certificate,
              "Serve the page by HTTPS with this certificate chain (PEM); reloaded when renewed")
          .environment("VITRAIL_PAGE_CERTIFICATE")
          .form("FILE");
  const sail::Option page_key =
      line.option("--page-key", arguments.page_key, "Private key of the certificate (PEM)")
          .environment("VITRAIL_PAGE_KEY")
          .form("FILE");
  certificate.needs(page_key);
  page_key.needs(certificate);
  line.option("--walls", arguments.walls,
              "File of the walls of the site, to whose pages this page links (see `vitrail walls "
              "--help`)")
      .form("FILE");
}

void describe_content(const sail::Command& line, Arguments& arguments) {
  FsManagerOptions& options = arguments.options;
  line.flag("--launch", options.launch,
            "Start the wall's receivers, by ssh on other hosts of the wall file, and restart those "
            "that end");
  line.option("--media", options.media,
              "Folder of films and pictures that users may show; may be given more than once")
      .form("DIR")
      .existing_folder();
  line.option("--uploads", arguments.uploads,
              "Folder for files uploaded from browsers; '' disables uploads")
      .form("DIR")
      .shows_default();
  line.option("--upload-limit", arguments.upload_limit_mib, "Largest upload, in MiB")
      .form("MIB")
      .between(1, kMostUploadMib)
      .shows_default();
  line.option("--uploads-quota", arguments.uploads_quota_mib, "Total size of all uploads, in MiB")
      .form("MIB")
      .between(1, kMostQuotaMib)
      .shows_default();
  line.option("--commands", arguments.commands,
              "JSON file of programs that users may start: {\"NAME\": {\"title\": …, "
              "\"arguments\": [PROGRAM, …]}}; started without a shell")
      .form("FILE")
      .existing_file();
  line.option("--events", arguments.events,
              "JSON file of event rules (manager/events/README.md), in place of those that people "
              "set; `vitrail event test FILE` explains its mistakes")
      .form("FILE")
      .existing_file();
  line.option("--film-server", arguments.film_servers,
              "Address of a vitrail-server whose films users may show; may be given more than once")
      .form("HOST:PORT")
      .environment("VITRAIL_FILM_SERVER");
  line.option("--at-end", arguments.at_end,
              "Action at the end of a film: keep its last picture (hold), play it again (loop) or "
              "close its window (close)")
      .environment("VITRAIL_AT_END")
      .one_of({"hold", "loop", "close"})
      .shows_default();
  line.option("--clock", arguments.clock,
              "Time source of all programs of the wall: this manager's clock, which they follow, "
              "or each machine's system clock, kept by chrony, NTP or PTP")
      .environment("VITRAIL_CLOCK")
      .one_of({"manager", "system"})
      .shows_default();
}

void describe_running(const sail::Command& line, Arguments& arguments) {
  FsManagerOptions& options = arguments.options;
  line.option(
          "--display", options.display,
          "Value of --display for receivers that this manager starts (see vitrail-receiver --help)")
      .one_of({"auto", "cpu", "null"})
      .shows_default();
  line.option("--state", arguments.state_folder,
              "Folder for layouts, sessions, saved URLs and users, readable by this user only; by "
              "default $XDG_STATE_HOME/vitrail/ and the wall's name")
      .form("DIR");
  line.option(
          "--restore", options.restore,
          "Restore this session at the start; \"autosave\" is the wall as the manager last left it")
      .form("NAME");
  line.option("--standby-of", arguments.standby_of,
              "Follow the manager at this address, and take over the wall with all its windows "
              "when that manager is lost")
      .form("HOST:PORT");
  line.option(
          "--term", arguments.term,
          "Lowest term to start with; needed only if another manager had taken over and is lost "
          "permanently, so that the receivers refuse this manager's lower term")
      .form("N")
      .between(size_t{1}, size_t{sail::kMaxCounter});
  sail::add_port_file_option(line, arguments.port_file);
  line.option("--page-port-file", arguments.page_port_file,
              "Write the number of the page's port into this file")
      .form("FILE");
  sail::add_log_level_option(line, arguments.log_level);
  line.notes(kNotes);
}

sail::Result<std::vector<Source>> load_commands(const std::string& name) {
  constexpr size_t kLargest = 1 << 20;
  if (name.empty()) return std::vector<Source>();
  std::ifstream file(name, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) return sail::fail(sail::ErrorCode::kIo, fmt::format("cannot read {}", name));
  return sail::parse_json(text, kLargest).and_then(parse_commands);
}

sail::Result<sail::Wall> find_wall(const Arguments& arguments) {
  if (!arguments.wall_file.empty()) return sail::load_wall(arguments.wall_file);
  if (arguments.standby_of.empty()) {
    return sail::fail(sail::ErrorCode::kInvalidParams, "--wall is missing: give the wall file");
  }
  const auto primary = primary_of(arguments);
  return primary ? wall_of(*primary) : primary.error();
}

// Returns the options for the standby that this manager starts: this manager's own options, without
// addresses.
std::vector<std::string> standby_options(const Arguments& arguments) {
  std::vector<std::string> words = {"--at-end",      arguments.at_end,   "--clock",
                                    arguments.clock, "--display",        arguments.options.display,
                                    "--announce",    arguments.announce, "--launch"};
  if (arguments.insecure) words.emplace_back("--insecure");
  // On the standby's host, a loopback address would mean that host.
  for (const sail::Address& server : arguments.options.film_servers) {
    if (sail::is_loopback(server.host)) continue;
    words.insert(words.end(), {"--film-server", sail::address_text(server)});
  }
  return words;
}

sail::Result<void> set_addresses(Arguments& arguments) {
  FsManagerOptions& options = arguments.options;
  const auto listen =
      sail::parse_address(arguments.listen, {"127.0.0.1", sail::kDefaultControlPort});
  if (!listen) return sail::about_option("--listen", listen.error());
  options.listen = *listen;
  if (arguments.page != "off") {
    const auto at = sail::parse_address(arguments.page, {"127.0.0.1", kDefaultPagePort});
    if (!at) return sail::about_option("--page", at.error());
    options.page = *at;
  }
  for (const std::string& name : arguments.film_servers) {
    const auto at = sail::parse_address(name, {"127.0.0.1", sail::kDefaultFilmServerPort});
    if (!at) return sail::about_option("--film-server", at.error());
    options.film_servers.push_back(*at);
  }
  return {};
}

sail::Result<void> set_linked_pages(Arguments& arguments) {
  if (arguments.walls.empty()) return {};
  const auto walls = sail::load_site_walls(arguments.walls);
  if (!walls) return sail::about_option("--walls", walls.error());
  FsManagerOptions& options = arguments.options;
  for (const sail::SiteWall& wall : *walls) {
    if (wall.page.empty() || wall.name == options.wall.name) continue;
    options.linked_pages.push_back({{"name", wall.name}, {"page", wall.page}});
  }
  return {};
}

void find_programs(FsManagerOptions& options) {
  options.receiver_program = sail::find_program("vitrail-receiver");
  options.player_program = sail::find_program("bplay");
  options.show_program = sail::find_program("vitrail-show");
  options.web_program = sail::find_program("vitrail-web");
  options.vnc_program = sail::find_program("vitrail-vnc");
  options.poster_program = sail::find_program("vitrail-poster");
  options.camera_program = sail::find_program("vitrail-camera");
  options.guest_program = sail::find_program("vitrail-guest");
  options.standby_program = sail::find_program("vitrail-manager");
  options.hooks_program = sail::find_program("vitrail-hooks");
}

std::filesystem::path find_state_folder(const Arguments& arguments) {
  const auto ours = sail::user_state_folder();
  if (!arguments.state_folder.empty() || ours.empty()) return arguments.state_folder;
  const std::string& name = arguments.options.wall.name;
  std::filesystem::path folder = ours / file_name_for(name.empty() ? "wall" : name);
  // The manager may use the same home folder, so the standby needs another state folder.
  if (!arguments.standby_of.empty() && was_launched()) folder += ".standby";
  return folder;
}

}  // namespace

std::string Arguments::default_uploads() {
  const std::filesystem::path folder = sail::user_data_folder();
  return folder.empty() ? "" : (folder / "uploads").string();
}

void describe(const sail::Command& line, Arguments& arguments) {
  describe_addresses(line, arguments);
  describe_content(line, arguments);
  describe_running(line, arguments);
}

sail::Result<sail::Address> primary_of(const Arguments& arguments) {
  auto primary = sail::parse_address(arguments.standby_of, {"", sail::kDefaultControlPort});
  if (!primary) return sail::about_option("--standby-of", primary.error());
  if (!sail::is_by_mdns(*primary)) return primary;
  // An mDNS name could resolve to this manager itself.
  return sail::fail(sail::ErrorCode::kInvalidParams,
                    "--standby-of: give the manager's host, not an mDNS name");
}

bool was_launched() {
  return sail::environment("VITRAIL_LAUNCHED") == "1";
}

sail::Result<void> set_options(Arguments& arguments) {
  FsManagerOptions& options = arguments.options;
  auto wall = find_wall(arguments);
  if (!wall) return wall.error();
  options.wall = std::move(*wall);
  if (auto set = set_addresses(arguments); !set) return set;
  auto commands = load_commands(arguments.commands);
  if (!commands) return sail::about_option("--commands", commands.error());

  options.commands = std::move(*commands);
  if (!arguments.events.empty()) {
    auto rules = sail::EventRules::load(arguments.events);
    if (!rules) return sail::about_option("--events", rules.error());
    options.event_rules = std::move(*rules);
  }
  if (auto set = set_linked_pages(arguments); !set) return set;
  options.page_is_optional = arguments.page.empty();
  if (!arguments.page_certificate.empty()) {
    auto read = sail::WebCertificate::load({arguments.page_certificate, arguments.page_key});
    if (!read) return read.error();
    options.page_certificate = std::move(*read);
  }
  auto key = sail::key_for_server(options.listen);
  if (!key) return key.error();
  options.key = std::move(*key);
  options.tls = sail::listening_tls(arguments.insecure);
  options.announce = arguments.announce == "on";
  options.clock = *sail::kClockSources.find(arguments.clock);
  options.uploads.folder = arguments.uploads;
  options.uploads.most_bytes = arguments.upload_limit_mib << 20;
  options.uploads.quota_bytes = arguments.uploads_quota_mib << 20;
  options.at_end = *parse_at_end(arguments.at_end);
  find_programs(options);
  options.standby_options = standby_options(arguments);
  options.state_folder = find_state_folder(arguments);
  options.run_folder = sail::process_record_folder();
  for (const auto& at : {std::optional(options.listen), options.page}) {
    if (!at) continue;
    auto safe = sail::check_exposure(*at, options.key, arguments.insecure);
    if (!safe) return safe;
  }
  return {};
}

}  // namespace manager
