#include "tests/bench/vod_server.h"

#include <fmt/core.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <utility>

#include "sail/base/environment.h"
#include "sail/base/log.h"
#include "sail/server/http_server.h"
#include "tests/bench/limited_disk.h"

namespace bench {
namespace {

constexpr double kBitsOfByte = 8;
constexpr double kMega = 1e6;
constexpr int64_t kFilmS = 3600;

double bytes_per_s(const std::string& film) {
  return std::strtod(film.c_str(), nullptr) * kMega / kBitsOfByte;
}

server::CatalogueEntry entry_of(const std::string& film) {
  server::FilmFacts facts;
  facts.duration_ns = kFilmS * 1'000'000'000;
  return {.title = film, .stamp = {}, .facts = facts, .tags = {}};
}

// The child's. tell: gets the port.
void serve(const std::string& folder, double peak_mb_per_s, int tell) {
  sail::raise_descriptor_limit();
  const auto disk = std::make_shared<Limiter>(peak_mb_per_s * kMega);
  sail::Loop loop;
  const auto storage = server::FilmStorage::create([&disk](const std::string& path) {
    const std::string film = std::filesystem::path(path).filename();
    const auto bytes = static_cast<uint64_t>(bytes_per_s(film) * kFilmS);
    return std::make_unique<LimitedFilm>(film, bytes, disk);
  });
  storage->set_peak(peak_mb_per_s);
  server::Promises promises;
  const auto promise = [&](const std::string& title, double mb_per_s, bool best_effort) {
    server::SourceLoad load{.peak_mb_per_s = peak_mb_per_s};
    promises.add_to(load);
    return promises.add(load, title, mb_per_s, best_effort);
  };
  server::HttpOptions options;
  options.listen = {"127.0.0.1", 0};
  options.max_films = options.max_films_each = 4096;
  const auto http = server::HttpServer::start(
      loop,
      {.library = server::Library::open(folder).value(),
       .storage = storage,
       .find = [](const std::string& title, const auto& answer) { answer(entry_of(title)); },
       .promise = promise},
      options, sail::Log("server", sail::LogLevel::kWarning));
  const uint16_t port = http ? (*http)->address().port : 0;
  if (write(tell, &port, sizeof port) == sizeof port) loop.run();
}

}  // namespace

sail::Result<VodServer> VodServer::start(const std::vector<std::string>& films,
                                         double peak_mb_per_s) {
  int ends[2];
  if (pipe(ends) != 0) return sail::fail(sail::ErrorCode::kIo, "no pipe");
  std::fflush(stdout);
  VodServer server;
  server.folder_ = (std::filesystem::temp_directory_path() / "vitrail-vod-XXXXXX").string();
  if (mkdtemp(server.folder_.data()) == nullptr) {
    return sail::fail(sail::ErrorCode::kIo, "no folder");
  }
  for (const std::string& film : films) std::ofstream(server.folder_ + "/" + film) << "-";
  server.pid_ = fork();
  if (server.pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(ends[0]);
    serve(server.folder_, peak_mb_per_s, ends[1]);
    _exit(0);
  }
  close(ends[1]);
  const ssize_t got = read(ends[0], &server.port_, sizeof server.port_);
  close(ends[0]);
  if (got != sizeof server.port_ || server.port_ == 0) {
    return sail::fail(sail::ErrorCode::kIo, "the server does not start");
  }
  return server;
}

VodServer::VodServer(VodServer&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      port_(other.port_),
      folder_(std::exchange(other.folder_, "")) {}

VodServer::~VodServer() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

}  // namespace bench
