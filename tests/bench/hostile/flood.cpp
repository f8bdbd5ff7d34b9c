#include "tests/bench/hostile/flood.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <random>
#include <vector>

#include "sail/core/wire/data/packets.h"

namespace bench {
namespace {

constexpr size_t kBatch = 64;
constexpr size_t kKinds = 4;
constexpr size_t kTooLong = 20000;

// Datagrams of each kind in turn.
std::vector<std::vector<uint8_t>> make_datagrams() {
  std::mt19937 random(1);
  const auto noise = [&](size_t bytes) {
    std::vector<uint8_t> datagram(bytes);
    for (uint8_t& byte : datagram) byte = static_cast<uint8_t>(random());
    return datagram;
  };
  const auto forged = [&](size_t bytes) {
    auto datagram = noise(bytes);
    const sail::PacketHeader header{.type = sail::PacketType::kSource,
                                    .stream = 1,
                                    .secret = random(),
                                    .number = 1 + random() % 1000};
    const sail::FramePacket packet{.name = {.frame = 1 + random() % 1000, .epoch = 1}};
    if (bytes < sail::kFramePacketBytes) datagram.resize(sail::kFramePacketBytes);
    sail::encode_to(datagram, header, packet);
    datagram.resize(bytes);
    return datagram;
  };
  std::vector<std::vector<uint8_t>> datagrams;
  for (size_t i = 0; i < kBatch; ++i) {
    switch (i % kKinds) {
      case 0:
        datagrams.push_back(noise(random() % 1500));
        break;
      case 1:
        datagrams.push_back(forged(1452));
        break;
      case 2:
        datagrams.push_back(forged(random() % sail::kFramePacketBytes));
        break;
      default:
        datagrams.push_back(i % 16 == 3 ? noise(kTooLong) : forged(200));
    }
  }
  return datagrams;
}

}  // namespace

Flood::Flood(uint16_t port, double per_second)
    : thread_([this, port, per_second] { run(port, per_second); }) {}

Flood::~Flood() {
  ended_ = true;
  thread_.join();
}

void Flood::run(uint16_t port, double per_second) {
  const int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto datagrams = make_datagrams();
  std::array<iovec, kBatch> parts{};
  std::array<mmsghdr, kBatch> messages{};
  for (size_t i = 0; i < kBatch; ++i) {
    parts[i] = {datagrams[i].data(), datagrams[i].size()};
    messages[i].msg_hdr.msg_name = &to;
    messages[i].msg_hdr.msg_namelen = sizeof to;
    messages[i].msg_hdr.msg_iov = &parts[i];
    messages[i].msg_hdr.msg_iovlen = 1;
  }
  const auto begin = std::chrono::steady_clock::now();
  while (!ended_) {
    const int count = sendmmsg(descriptor, messages.data(), kBatch, 0);
    if (count > 0) sent_ += static_cast<uint64_t>(count);
    std::this_thread::sleep_until(
        begin + std::chrono::duration<double>(static_cast<double>(sent_) / per_second));
  }
  close(descriptor);
}

}  // namespace bench
