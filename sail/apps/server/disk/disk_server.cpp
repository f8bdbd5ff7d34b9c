#include "sail/apps/server/disk/disk_server.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "sail/core/time/clock.h"

namespace server {
namespace {

using sail::ErrorCode;

constexpr int64_t kFlushMs = 1000;

// Part names are always file names, never URLs.
sail::Result<std::unique_ptr<const sail::ByteSource>> open_file(const std::string& path) {
  auto file = sail::File::open_to_read(path);
  if (!file) return std::move(file.error());
  return std::make_unique<const sail::File>(std::move(*file));
}

// The refusal for a peer that speaks without TLS, in the disk protocol.
std::string plain_refusal() {
  const auto message = sail::encode_disk(
      0, sail::DiskFailed{sail::DiskFault::kRefused,
                          "this disk server accepts other machines by TLS 1.3 only"});
  return {message.begin(), message.end()};
}

}  // namespace

sail::Result<std::unique_ptr<DiskServer>> DiskServer::start(sail::Loop& loop,
                                                            DiskServerOptions options,
                                                            const sail::Log& log) {
  std::error_code error;
  if (!std::filesystem::is_directory(options.folder, error)) {
    return sail::fail(ErrorCode::kNotFound, fmt::format("there is no folder {}", options.folder));
  }
  std::unique_ptr<DiskServer> server(new DiskServer(loop, std::move(options), log));
  if (auto listening = server->listen(); !listening) return listening.error();
  return server;
}

DiskServer::DiskServer(sail::Loop& loop, DiskServerOptions options, const sail::Log& log)
    : loop_(loop),
      options_(std::move(options)),
      log_(log),
      rate_limited_log_(log),
      flush_timer_(loop),
      guard_(options_.key),
      host_{.loop = loop,
            .folder = options_.folder,
            .storage = FilmStorage::create(options_.open ? options_.open : open_file),
            .guard = guard_,
            .admit = [this]() -> sail::Result<void> {
              const auto in = std::ranges::count_if(
                  sessions_, [](const auto& one) { return one.second->is_in(); });
              if (static_cast<size_t>(in) < sail::kMaxDiskConnections) return {};
              return sail::fail(ErrorCode::kLimit, "this disk server has too many connections");
            },
            .welcome =
                [this] {
                  return sail::DiskWelcome{static_cast<uint64_t>(peak_mb_per_s_ * kBytesOfMb),
                                           free_bytes(options_.folder)};
                },
            .on_kept =
                [this] {
                  if (peak_mb_per_s_ <= 0) measure();
                },
            .on_over =
                [this](uint64_t id, const std::string& why) {
                  loop_.post([this, id, why, alive = std::weak_ptr(alive_)] {
                    if (!alive.expired()) over(id, why);
                  });
                }},
      peak_mb_per_s_(options_.peak_mb_per_s) {
  flush_timer_.start(kFlushMs, kFlushMs,
                     [this] { rate_limited_log_.flush(sail::steady_now_ns()); });
  if (peak_mb_per_s_ > 0) {
    host_.storage->set_peak(peak_mb_per_s_);
  } else {
    measure();
  }
}

DiskServer::~DiskServer() {
  listener_.reset();
  sessions_.clear();
  host_.storage->stop();
}

sail::Result<void> DiskServer::listen() {
  auto listener = sail::TcpListener::listen(
      loop_, options_.listen, [this](auto connection) { accept(std::move(connection)); },
      [this](const sail::Error& why) {
        rate_limited_log_.warning("descriptors", "", sail::steady_now_ns(), "{}", why.message);
      },
      {.tls = options_.tls, .refusal = plain_refusal()});
  if (!listener) return listener.error();
  listener_ = std::move(*listener);
  return {};
}

void DiskServer::accept(std::unique_ptr<sail::TcpConnection> connection) {
  const auto unauthenticated =
      std::ranges::count_if(sessions_, [](const auto& one) { return !one.second->is_in(); });
  if (static_cast<size_t>(unauthenticated) >= sail::kMaxUnauthenticatedDiskPeers) {
    sessions_.erase(
        std::ranges::find_if(sessions_, [](const auto& one) { return !one.second->is_in(); }));
  }
  const uint64_t id = next_id_++;
  const auto session =
      std::make_shared<DiskSession>(host_, id, std::move(connection), options_.hello_ms);
  sessions_.emplace(id, session);
  session->begin();
}

void DiskServer::over(uint64_t id, const std::string& why) {
  const auto ended = sessions_.extract(id);
  if (ended.empty()) return;
  const DiskSession& session = *ended.mapped();
  if (session.is_in())
    return log_.info("{} disconnected: {}", sail::address_text(session.peer()), why);
  rate_limited_log_.warning("refused", sail::network_of(session.peer().host), sail::steady_now_ns(),
                            "refused {}: {}", sail::address_text(session.peer()), why);
}

void DiskServer::measure() {
  if (measuring_) return;
  const auto measured = std::make_shared<double>(0);
  measuring_ = sail::in_background(
      loop_, [measured, folder = options_.folder] { *measured = measure_parts(folder); },
      [this, measured] {
        measuring_.reset();
        if (*measured <= 0) return;
        peak_mb_per_s_ = *measured;
        host_.storage->set_peak(peak_mb_per_s_);
        log_.info("storage reads parts at up to {:.0f} MB/s", peak_mb_per_s_);
      });
}

}  // namespace server
