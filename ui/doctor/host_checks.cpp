// Checks of this host.
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>

#include "sail/core/time/clock.h"
#include "ui/doctor/checks.h"

namespace ui {
namespace {

namespace fs = std::filesystem;
using Severity = Finding::Severity;

std::string first_line(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

std::optional<int64_t> number_in(const fs::path& file) {
  const std::string line = first_line(file);
  char* end = nullptr;
  const int64_t number = std::strtoll(line.c_str(), &end, 10);
  return end == line.c_str() ? std::nullopt : std::optional(number);
}

// Enough for a frame while the receiver is busy.
constexpr int64_t kWantedBufferBytes = 8 << 20;

void check_buffer(const fs::path& root, const char* name, Findings& findings) {
  const auto most = number_in(root / "proc/sys/net/core" / name);
  if (!most) return;
  const bool enough = *most >= kWantedBufferBytes;
  findings.push_back(
      {.severity = enough ? Severity::kGood : Severity::kNote,
       .about = "socket buffers",
       .what = fmt::format("{} is {} KiB", name, *most / 1024),
       .advice = enough
                     ? ""
                     : fmt::format("for streams over UDP, run sysctl -w net.core.{0}={1} and add "
                                   "net.core.{0} = {1} to /etc/sysctl.d/vitrail.conf",
                                   name, kWantedBufferBytes)});
}

void check_link(const fs::path& link, Findings& findings) {
  constexpr int64_t kGigabit = 1000;
  const std::string name = link.filename();
  const auto speed = number_in(link / "speed").value_or(-1);
  const std::string duplex = first_line(link / "duplex");
  Finding finding{.about = "link " + name,
                  .what = fmt::format("MTU {}", number_in(link / "mtu").value_or(0))};
  if (speed > 0) finding.what = fmt::format("{} Mbit/s, {} duplex, ", speed, duplex) + finding.what;
  if (duplex == "half") {
    finding.severity = Severity::kBad;
    finding.advice =
        "enable auto-negotiation at both ends of the cable, or set both to full duplex";
  } else if (speed > 0 && speed < kGigabit) {
    finding.severity = Severity::kNote;
    finding.advice = "a full HD film needs at least 250 Mbit/s: check the cable and the switch";
  }
  findings.push_back(std::move(finding));
}

constexpr size_t kDiskBytes = size_t{64} << 20;
constexpr size_t kPieceBytes = size_t{1} << 20;

double mb_per_s(int64_t begun_ns) {
  const auto took_ns = std::max<int64_t>(sail::steady_now_ns() - begun_ns, 1);
  return static_cast<double>(kDiskBytes) * 1e3 / static_cast<double>(took_ns);
}

struct DiskSpeed {
  double write = 0;  // MB/s
  double read = 0;
};

std::optional<DiskSpeed> disk_speed(int file) {
  const std::string piece(kPieceBytes, 'v');
  DiskSpeed speed;
  int64_t begun_ns = sail::steady_now_ns();
  for (size_t done = 0; done < kDiskBytes; done += kPieceBytes) {
    if (write(file, piece.data(), piece.size()) != std::ssize(piece)) return std::nullopt;
  }
  if (fdatasync(file) != 0) return std::nullopt;
  speed.write = mb_per_s(begun_ns);
  // Drops the page cache, so that the file is read from the disk.
  posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  std::string read_piece(kPieceBytes, '\0');
  begun_ns = sail::steady_now_ns();
  for (size_t done = 0; done < kDiskBytes; done += kPieceBytes) {
    if (pread(file, read_piece.data(), read_piece.size(), static_cast<off_t>(done)) <= 0) {
      return std::nullopt;
    }
  }
  speed.read = mb_per_s(begun_ns);
  return speed;
}

}  // namespace

void check_socket_buffers(const fs::path& root, Findings& findings) {
  check_buffer(root, "rmem_max", findings);
  check_buffer(root, "wmem_max", findings);
}

void check_links(const fs::path& root, Findings& findings) {
  std::error_code error;
  std::vector<fs::path> links;
  for (const auto& link : fs::directory_iterator(root / "sys/class/net", error)) {
    const bool loopback = link.path().filename() == "lo";
    if (!loopback && first_line(link.path() / "operstate") != "down") links.push_back(link.path());
  }
  std::ranges::sort(links);
  for (const fs::path& link : links) check_link(link, findings);
  if (links.empty()) {
    findings.push_back({.severity = Severity::kNote,
                        .about = "links",
                        .what = "no network interface is up except the loopback interface",
                        .advice = "other hosts cannot reach this host: check cables and ip link"});
  }
}

void check_load(const std::string& host, const sail::HostLoad& load, Findings& findings) {
  std::string busy;
  for (const std::string& name : load.busy) busy += (busy.empty() ? "" : ", ") + name;
  const bool bad = load.overloaded();
  findings.push_back(
      {.severity = bad ? Severity::kBad : Severity::kGood,
       .about = "load of " + host,
       .what = fmt::format("{:.1f} threads compete for {} processors{}", load.wanting, load.cores,
                           busy.empty() ? "" : "; busiest programs: " + busy),
       .advice = bad ? "frames are late on this host: end other programs, or show less" : ""});
}

void check_disk(const fs::path& folder, Findings& findings) {
  std::string name = (folder / "vitrail-doctor-XXXXXX").string();
  const int file = mkostemp(name.data(), O_CLOEXEC);
  const auto speed = file < 0 ? std::nullopt : disk_speed(file);
  const int why = errno;
  if (file >= 0) {
    close(file);
    unlink(name.c_str());
  }
  if (!speed) {
    findings.push_back(
        {.severity = Severity::kBad,
         .about = "disk",
         .what = fmt::format("{}: cannot write and read a file of {} MiB: {}", folder.string(),
                             kDiskBytes >> 20, std::strerror(why)),
         .advice = "free space in this folder, or choose another folder with --folder"});
    return;
  }
  constexpr double kSlow = 100;
  const bool slow = speed->read < kSlow;
  findings.push_back(
      {.severity = slow ? Severity::kNote : Severity::kGood,
       .about = "disk",
       .what = fmt::format("{}: {:.0f} MB/s written, {:.0f} MB/s read", folder.string(),
                           speed->write, speed->read),
       .advice =
           slow ? "converted films need 30 to 150 MB/s each: store them on a faster disk" : ""});
}

}  // namespace ui
