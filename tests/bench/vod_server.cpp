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
#include "sail/server/placed_film.h"
#include "sail/storage/depot_bytes.h"
#include "tests/bench/limited_disk.h"
#include "tests/support/disk_server_thread.h"

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

uint64_t film_bytes(const std::string& path) {
  return static_cast<uint64_t>(bytes_per_s(std::filesystem::path(path).filename()) * kFilmS);
}

// Disk servers, each on a thread of its own, that have parts of every film.
class Disks {
 public:
  Disks(const std::string& folder, size_t count, double peak_mb_per_s) : folder_(folder) {
    for (size_t i = 0; i < count; ++i) {
      const auto limiter = std::make_shared<Limiter>(peak_mb_per_s * kMega);
      test::DiskServerThread& disk =
          *disks_.emplace_back(std::make_unique<test::DiskServerThread>(server::DiskServerOptions{
              .folder = folder,
              .peak_mb_per_s = peak_mb_per_s,
              .open = [limiter](const std::string& path) {
                return std::make_unique<LimitedFilm>(path, sail::kMaxCounter, limiter);
              }}));
      addresses_.push_back(disk.address());
    }
  }

  // Striped over all.
  std::unique_ptr<const sail::ByteSource> open(const std::string& path) const {
    const server::PlacePlan plan{.bytes = film_bytes(path),
                                 .name = std::filesystem::path(path).filename(),
                                 .disks = addresses_,
                                 .stripe = addresses_.size(),
                                 .copies = 1};
    for (size_t i = 0; i < plan.stripes(); ++i) {
      std::ofstream(server::part_path(folder_, plan.part(i, 0).name)) << "-";
    }
    return std::make_unique<const sail::DepotBytes>(plan.name, plan.exnode(), sail::DepotReading(),
                                                    links_);
  }

 private:
  const std::string folder_;
  std::vector<std::unique_ptr<test::DiskServerThread>> disks_;
  std::vector<sail::Address> addresses_;
  const std::shared_ptr<sail::DiskLinks> links_ = std::make_shared<sail::DiskLinks>(
      sail::DiskLink::Options{.key = sail::WallKey(), .silence_ms = 10'000});
};

// The child's. tell: gets the port.
void serve(const std::string& folder, double peak_mb_per_s, size_t disk_servers, int tell) {
  sail::raise_descriptor_limit();
  const auto disk = std::make_shared<Limiter>(peak_mb_per_s * kMega);
  const Disks disks(folder, disk_servers, peak_mb_per_s / static_cast<double>(disk_servers));
  sail::Loop loop;
  const auto storage = server::FilmStorage::create(
      [&](const std::string& path) -> std::unique_ptr<const sail::ByteSource> {
        if (disk_servers > 0) return disks.open(path);
        return std::make_unique<LimitedFilm>(path, film_bytes(path), disk);
      });
  storage->set_peak(peak_mb_per_s);
  server::Promises promises;
  const auto promise = [&](server::Store, const std::string& title, double mb_per_s,
                           bool best_effort) {
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
                                         double peak_mb_per_s, size_t disks) {
  int ends[2];
       .poster = {},
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
    serve(server.folder_, peak_mb_per_s, disks, ends[1]);
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
