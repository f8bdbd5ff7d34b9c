#include "tests/bench/film/vod_server.h"

#include <fmt/core.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <utility>

#include "sail/apps/server/catalogue/placed_film.h"
#include "sail/apps/server/http/http_server.h"
#include "sail/core/base/environment.h"
#include "sail/core/base/log.h"
#include "tests/bench/wall/limited_disk.h"
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

// Disk servers, each on its own thread.
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

  const std::vector<sail::Address>& addresses() const { return addresses_; }
  // Stripes a film over all disks.
  void place(const std::string& film) const {
    const server::PlacePlan plan{.bytes = film_bytes(film),
                                 .name = film,
                                 .disks = addresses_,
                                 .stripe = addresses_.size(),
                                 .copies = 1};
    for (size_t i = 0; i < plan.stripes(); ++i) {
      std::ofstream(server::part_path(folder_, plan.part(i, 0).name)) << "-";
    }
    std::ofstream(folder_ + "/" + film + server::kPlacedExtension) << plan.exnode().text();
  }

 private:
  const std::string folder_;
  std::vector<std::unique_ptr<test::DiskServerThread>> disks_;
  std::vector<sail::Address> addresses_;
};

// The film server's catalogue and admission: an hour of each film, and one sum of all rates.
class Films : public server::FilmAccess {
 public:
  Films(server::FilmFiles files, double peak_mb_per_s)
      : files_(std::move(files)), peak_mb_per_s_(peak_mb_per_s) {}

  const server::FilmFiles& files() const override { return files_; }
  void find(const std::string& title, Answer<server::CatalogueEntry> answer) override {
    answer(entry_of(title));
  }
  void poster(const std::string&, Answer<std::string>) override {}
  sail::Result<server::Promise> reserve(const std::string& title,
                                        const server::FilmNeed& need) override {
    server::SourceLoad load{.peak_mb_per_s = peak_mb_per_s_};
    for (const auto& other : promises_.all()) load.add(other.mb_per_s, !other.promised());
    if (need.promised()) {
      if (auto admitted = server::admit(load, title, need.mb_per_s); !admitted) {
        return std::move(admitted.error());
      }
    }
    const server::ReadClaim claim{need.mb_per_s * server::kBytesOfMb, !need.promised()};
    files_.storage->claim(need.stream, claim);
    return promises_.add(need);
  }

 private:
  const server::FilmFiles files_;
  const double peak_mb_per_s_;
  server::Promises promises_;
};

// Runs in the child process. tell: pipe for the port.
void serve(const std::string& folder, const std::vector<std::string>& films, double peak_mb_per_s,
           size_t disk_servers, int tell) {
  sail::raise_descriptor_limit();
  const auto disk = std::make_shared<Limiter>(peak_mb_per_s * kMega);
  const double disk_mb_per_s = peak_mb_per_s / static_cast<double>(disk_servers);
  const Disks disks(folder, disk_servers, disk_mb_per_s);
  if (disk_servers > 0) std::ranges::for_each(films, [&](const auto& film) { disks.place(film); });
  const auto links = std::make_shared<sail::DiskLinks>(
      sail::DiskLink::Options{.key = sail::WallKey(), .silence_ms = 10'000});
  sail::Loop loop;
  const auto storage = server::FilmStorage::create(
      [&](const std::string& path) -> sail::Result<std::unique_ptr<const sail::ByteSource>> {
        if (disk_servers > 0) return server::open_stored(path, links);
        return std::make_unique<LimitedFilm>(path, film_bytes(path), disk);
      });
  storage->set_peak(peak_mb_per_s);
  for (const sail::Address& its : disks.addresses()) {
    storage->set_peak_of(sail::address_text(its), disk_mb_per_s);
  }
  Films access({server::Library::open(folder).value(), storage}, peak_mb_per_s);
  server::HttpOptions options;
  options.listen = {"127.0.0.1", 0};
  options.max_films = options.max_films_each = 4096;
  const auto http = server::HttpServer::start(loop, access, options,
                                              sail::Log("server", sail::LogLevel::kWarning));
  const uint16_t port = http ? (*http)->address().port : 0;
  if (write(tell, &port, sizeof port) == sizeof port) loop.run();
}

}  // namespace

sail::Result<VodServer> VodServer::start(const std::vector<std::string>& films,
                                         double peak_mb_per_s, size_t disks) {
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
    serve(server.folder_, films, peak_mb_per_s, disks, ends[1]);
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
