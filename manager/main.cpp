// vitrail-manager: reads the command line and runs one FsManager until a signal or a request.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "manager/failover/saved_term.h"
#include "manager/failover/standby_manager.h"
#include "manager/failover/standby_wall.h"
#include "manager/files/saved_files.h"
#include "manager/fs_manager.h"
#include "manager/media/play_request.h"
#include "manager/media/upload_rules.h"
#include "manager/sessions/autosave.h"
#include "sail/core/auth/wall_key.h"
#include "sail/core/base/environment.h"
#include "sail/core/base/process_record.h"
#include "sail/core/command_line/shared_options.h"
#include "sail/core/discovery/mdns.h"
#include "sail/core/process/process.h"
#include "sail/core/rpc/rpc_client.h"
#include "sail/core/wire/standby.h"
#include "sail/core/wire/stats.h"

namespace {

constexpr uint16_t kDefaultPagePort = 7480;
constexpr int kMostUploadMib = 1 << 20;
constexpr int kMostQuotaMib = 1 << 30;

// Empty if there is no home folder.
std::string default_uploads() {
  const std::filesystem::path folder = sail::user_data_folder();
  return folder.empty() ? "" : (folder / "uploads").string();
}

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
  VITRAIL_SSH       ssh command, with options, that starts receivers on other hosts; put
                    arguments with blanks into 'quotes'

Examples:
  vitrail-manager --wall wall.json --launch
  VITRAIL_KEY_FILE=wall.key vitrail-manager --wall wall.json --listen 0.0.0.0:7440
  VITRAIL_KEY_FILE=wall.key vitrail-manager --wall wall.json --listen 0.0.0.0:7440 \
                            --standby-of first-host

SIGINT, SIGTERM and `vitrail down` end the manager and the programs that it started. When another
manager takes over the wall, this manager exits with code 4, and those programs keep running.
Started again, it stands by for the other manager.)";

struct Arguments {
  std::string wall_file;
  std::string listen;
  std::string port_file;
  std::string page;
  std::string page_port_file;
  std::string page_certificate;
  std::string page_key;
  bool insecure = false;
  std::string announce = "on";
  sail::LogLevel log_level = sail::LogLevel::kInfo;
  std::string uploads = default_uploads();
  uint64_t upload_limit_mib = 4096;
  uint64_t uploads_quota_mib = 65536;
  std::string commands;
  std::vector<std::string> film_servers;
  std::string state_folder;
  std::string standby_of;
  bool found_ruler = false;  // standby_of comes from the state folder.
  uint64_t term = 1;
  std::string at_end = manager::at_end_name(manager::AtEnd::kHold);
  std::string clock = "manager";
  manager::FsManagerOptions options{};  // The command line sets some options directly.
};

void describe(const sail::Command& line, Arguments& arguments) {
  manager::FsManagerOptions& options = arguments.options;
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
  line.option("--display", options.display, "Display of launched receivers")
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
  line.option("--term", arguments.term,
              "Begin with at least this term: needed if receivers refuse lower terms because "
              "another manager took over, and that manager is gone for good")
      .form("N")
      .between(size_t{1}, size_t{sail::kMaxCounter});
  sail::add_port_file_option(line, arguments.port_file);
  line.option("--page-port-file", arguments.page_port_file,
              "Write the number of the page's port into this file")
      .form("FILE");
  sail::add_log_level_option(line, arguments.log_level);
  line.notes(kNotes);
}

sail::Result<sail::Address> primary_of(const Arguments& arguments) {
  auto primary = sail::parse_address(arguments.standby_of, {"", sail::kDefaultControlPort});
  if (!primary) return sail::about_option("--standby-of", primary.error());
  if (!sail::is_by_mdns(*primary)) return primary;
  // An mDNS name could resolve to this manager itself.
  return sail::fail(sail::ErrorCode::kInvalidParams,
                    "--standby-of: give the manager's host, not an mDNS name");
}

sail::Result<std::vector<manager::Source>> load_commands(const std::string& name) {
  constexpr size_t kLargest = 1 << 20;
  if (name.empty()) return std::vector<manager::Source>();
  std::ifstream file(name, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) return sail::fail(sail::ErrorCode::kIo, fmt::format("cannot read {}", name));
  return sail::parse_json(text, kLargest).and_then(manager::parse_commands);
}

sail::Result<sail::Wall> find_wall(const Arguments& arguments) {
  if (!arguments.wall_file.empty()) return sail::load_wall(arguments.wall_file);
  if (arguments.standby_of.empty()) {
    return sail::fail(sail::ErrorCode::kInvalidParams, "--wall is missing: give the wall file");
  }
  const auto primary = primary_of(arguments);
  return primary ? manager::wall_of(*primary) : primary.error();
}

bool was_launched() {
  return sail::environment("VITRAIL_LAUNCHED") == "1";
}

// Returns the options for the standby that this manager starts, except addresses: its own ones.
std::vector<std::string> standby_options(const Arguments& arguments) {
  std::vector<std::string> words = {"--at-end",      arguments.at_end,   "--clock",
                                    arguments.clock, "--display",        arguments.options.display,
                                    "--announce",    arguments.announce, "--launch"};
  if (arguments.insecure) words.emplace_back("--insecure");
  // Loopback addresses mean another host there.
  for (const sail::Address& server : arguments.options.film_servers) {
    if (sail::is_loopback(server.host)) continue;
    words.insert(words.end(), {"--film-server", sail::address_text(server)});
  }
  return words;
}

// Sets all options from the command line, except those about earlier managers.
sail::Result<void> set_options(Arguments& arguments) {
  manager::FsManagerOptions& options = arguments.options;
  auto wall = find_wall(arguments);
  if (!wall) return wall.error();
  options.wall = std::move(*wall);
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
  auto commands = load_commands(arguments.commands);
  if (!commands) return sail::about_option("--commands", commands.error());

  options.commands = std::move(*commands);
  options.page_may_lack = arguments.page.empty();
  if (!arguments.page_certificate.empty()) {
    auto read = sail::WebCertificate::load({arguments.page_certificate, arguments.page_key});
    if (!read) return read.error();
    options.page_certificate = std::move(*read);
  }
  auto key = sail::key_to_ask_for(options.listen);
  if (!key) return key.error();
  options.key = std::move(*key);
  options.tls = sail::listening_tls(arguments.insecure);
  options.announce = arguments.announce == "on";
  options.clock = *sail::kClockSources.find(arguments.clock);
  options.uploads.folder = arguments.uploads;
  options.uploads.most_bytes = arguments.upload_limit_mib << 20;
  options.uploads.quota_bytes = arguments.uploads_quota_mib << 20;
  options.at_end = *manager::parse_at_end(arguments.at_end);
  options.receiver_program = sail::find_program("vitrail-receiver");
  options.player_program = sail::find_program("bplay");
  options.show_program = sail::find_program("vitrail-show");
  options.web_program = sail::find_program("vitrail-web");
  options.vnc_program = sail::find_program("vitrail-vnc");
  options.poster_program = sail::find_program("vitrail-poster");
  options.guest_program = sail::find_program("vitrail-guest");
  options.standby_program = sail::find_program("vitrail-manager");
  options.standby_options = standby_options(arguments);
  options.state_folder = arguments.state_folder;
  if (const auto ours = sail::user_state_folder(); options.state_folder.empty() && !ours.empty()) {
    const std::string& name = options.wall.name;
    options.state_folder = ours / manager::file_name_for(name.empty() ? "wall" : name);
    // The manager may use the same home folder.
    if (!arguments.standby_of.empty() && was_launched()) options.state_folder += ".standby";
  }
  options.run_folder = sail::process_record_folder();
  for (const auto& at : {std::optional(options.listen), options.page}) {
    if (!at) continue;
    auto safe = sail::check_exposure(*at, options.key, arguments.insecure);
    if (!safe) return safe;
  }
  return {};
}

// Follows the other manager until this one must take over. Empty: it received a request to end.
sail::Result<std::optional<manager::Inheritance>> stand_by(sail::Loop& loop,
                                                           const Arguments& arguments,
                                                           manager::FsManagerOptions& options,
                                                           const sail::Log& log) {
  const auto primary = primary_of(arguments);
  if (!primary) return primary.error();
  std::optional<manager::Inheritance> inherited;
  std::optional<sail::Error> failed;
  const auto standby_manager =
      manager::StandbyManager::start(loop,
                                     {.wall = options.wall,
                                      .listen = options.listen,
                                      .page = options.page,
                                      .page_by_tls = options.page_certificate.has_value(),
                                      .primary = *primary,
                                      .key = options.key,
                                      .clock = options.clock,
                                      .state_folder = options.state_folder,
                                      .ends_with_wall = was_launched() || arguments.found_ruler},
                                     {.on_take_over =
                                          [&](const manager::Inheritance& told) {
                                            inherited = told;
                                            loop.stop();
                                          },
                                      .on_end = [&loop] { loop.stop(); },
                                      .on_failed =
                                          [&](const sail::Error& error) {
                                            failed = error;
                                            loop.stop();
                                          }},
                                     log);
  if (!standby_manager) return standby_manager.error();
  options.listen = (*standby_manager)->address();
  options.former = *primary;
  if (auto written = sail::write_port_file(arguments.port_file, options.listen.port); !written) {
    return written.error();
  }
  fmt::print("vitrail-manager on {} stands by for {}\n", sail::address_text(options.listen),
             sail::address_text(*primary));
  std::fflush(stdout);
  sail::run_until_signal(loop, [&loop] { loop.stop(); });
  if (failed) return *failed;
  return inherited;
}

// Whether the other manager named in the state folder is active. A standby refuses the hello.
bool other_rules(const manager::SavedTerm& saved, uint64_t least_term, const sail::WallKey& key) {
  constexpr int64_t kWaitTimeoutMs = 1000;
  const auto at = sail::parse_address(saved.other, {});
  if (!at || at->host.empty()) return false;
  const auto client =
      sail::RpcClient::connect(*at, {.hello = {.role = sail::Role::kUi, .name = "standby"},
                                     .key = key,
                                     .timeout_ms = kWaitTimeoutMs,
                                     .advice = ""});
  if (!client) return false;
  const auto told = sail::message_from_json<sail::WelcomeTerm>((*client)->welcome());
  return told && told->term >= least_term && saved.is_fenced_by(told->term);
}

// Returns the term for a damaged file: the wall's standby may have taken over.
manager::SavedTerm lost_term(const sail::Wall& wall) {
  manager::SavedTerm lost{.followed = true};
  if (wall.standby) lost.other = wall.standby->listen;
  return lost;
}

sail::Result<void> begin_term(const manager::SavedTerm& saved, uint64_t least_term,
                              manager::FsManagerOptions& options, const sail::Log& log) {
  options.term = std::max(saved.next(), least_term);
  // The manager that this folder followed may be cut off, and must learn that its term is over.
  if (saved.followed && !saved.other.empty()) {
    if (auto at = sail::parse_address(saved.other, {})) options.former = *at;
  }
  if (options.term == saved.term || options.state_folder.empty()) return {};
  auto kept =
      manager::save_term(options.state_folder, {.term = options.term, .other = saved.other});
  // If the write fails, the folder still gives this term, unless --term has set a higher one.
  if (!kept && options.term != saved.next()) return kept;
  if (!kept) log.warning("{}", kept.error().message);
  return {};
}

// Determines term and clock; stands by first, if necessary. Returns false if the process must end.
sail::Result<bool> succeed(sail::Loop& loop, Arguments& arguments,
                           manager::FsManagerOptions& options, const sail::Log& log) {
  const auto kept = manager::load_term_at_start(options.state_folder);
  if (!kept) log.warning("{}", options.term_damage = kept.error().message);
  if (arguments.standby_of.empty()) {
    auto saved = kept.value_or(lost_term(options.wall));
    arguments.found_ruler = other_rules(saved, arguments.term, options.key);
    if (!arguments.found_ruler) {
      // Each takeover adds 1, so the seconds since 1970 exceed any term in use.
      if (!kept) saved.term = static_cast<uint64_t>(std::time(nullptr));
      auto begun = begin_term(saved, arguments.term, options, log);
      if (!begun) return begun.error();
      return true;
    }
    log.info("the manager at {} has taken over this wall: standing by for that manager",
             saved.other);
    arguments.standby_of = saved.other;
  }
  const auto inherited = stand_by(loop, arguments, options, log);
  if (!inherited) return inherited.error();
  if (!*inherited) return false;
  options.term = (*inherited)->term;
  options.former_clock = (*inherited)->clock;
  options.took_over = true;
  options.restore = manager::Autosave::kName;
  // The page may fail: a hanging manager may still have its port, and the wall is more important.
  options.page_may_lack = true;
  return true;
}

sail::Result<void> run(Arguments& arguments) {
  const sail::Log log("vitrail-manager", arguments.log_level);
  if (auto set = set_options(arguments); !set) return set;
  manager::FsManagerOptions& options = arguments.options;
  const std::string ready_text =
      fmt::format("wall '{}', {} tiles, {}×{} pixels", options.wall.name, options.wall.tiles.size(),
                  options.wall.size.width, options.wall.size.height);

  sail::raise_descriptor_limit();
  sail::Loop loop;
  const auto goes_on = succeed(loop, arguments, options, log);
  if (!goes_on) return goes_on.error();
  if (!*goes_on) return {};
  bool fenced = false;
  options.on_fenced = [&](uint64_t /*term*/) {
    fenced = true;
    loop.stop();
  };
  const auto manager =
      manager::FsManager::start(loop, std::move(options), log, [&loop] { loop.stop(); });
  if (!manager) return manager.error();
  const sail::Address address = (*manager)->address();
  const auto page_address = (*manager)->page_address();
  // The control port comes last: a reader that has found this file also finds the page's.
  sail::Result<void> written;
  if (page_address) {
    written = sail::write_port_file(arguments.page_port_file, page_address->port);
  }
  if (written) written = sail::write_port_file(arguments.port_file, address.port);
  if (!written) return written;
  fmt::print("vitrail-manager ready on {}: {}\n", sail::address_text(address), ready_text);
  for (const std::string& url : (*manager)->page_urls()) fmt::print("page: {}\n", url);
  std::fflush(stdout);

  sail::run_until_signal(loop, [&manager] { (*manager)->shut_down(); });
  // Exit as if killed: the other manager now owns the started programs, which must not end.
  if (fenced) std::_Exit(sail::kExitOutrun);
  return {};
}

}  // namespace

int vitrail_manager_main(int argc, char** argv) {
  sail::CommandLine line(
      "vitrail-manager",
      "Runs a wall: manages its tiles and windows, and sends the layout to receivers and "
      "applications.\nPixels go straight from applications to receivers.");
  Arguments arguments;
  describe(line, arguments);
  return line.run(argc, argv, [&] { return run(arguments); });
}
