#include "tests/support/depot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

namespace test {
namespace {

constexpr int kLoad = 8;
constexpr int kNoSuchCapability = -4;
constexpr int kExceeds = -19;
constexpr int kBadFormat = -21;
constexpr int kInvalidParameter = -30;
constexpr const char* kTypeKey = "4242424242";

}  // namespace

class Depot::ClientConnection : public sail::TcpReader {
 public:
  ClientConnection(Depot& depot, std::unique_ptr<sail::TcpConnection> connection, int number)
      : depot_(depot), connection_(std::move(connection)), number_(number) {
    connection_->start_reading(*this);
  }

  std::span<uint8_t> read_buffer() override { return buffer_; }
  void on_read(size_t bytes) override {
    asked_.append(buffer_.begin(), buffer_.begin() + static_cast<ptrdiff_t>(bytes));
    for (size_t end; connection_ && (end = asked_.find('\n')) != std::string::npos;) {
      const std::string line = asked_.substr(0, end);
      asked_.erase(0, end + 1);
      send(depot_.answer(line, number_));
    }
  }
  void on_closed(const sail::Error& /*error*/) override { connection_.reset(); }

 private:
  void send(const DepotAnswer& answer) {
    if (!answer.bytes.empty()) {
      connection_->write_copy(
          {reinterpret_cast<const uint8_t*>(answer.bytes.data()), answer.bytes.size()});
    }
    const bool one_each = depot_.dialect_ == Dialect::kLoci;
    constexpr int64_t kAtMostMs = 1000;
    if (answer.then == DepotAnswer::Then::kClose ||
        (answer.then == DepotAnswer::Then::kAsEver && one_each)) {
      sail::TcpConnection::close_after_writes(std::move(connection_), kAtMostMs);
    }
  }

  Depot& depot_;
  std::unique_ptr<sail::TcpConnection> connection_;
  const int number_;
  std::array<uint8_t, 4096> buffer_{};
  std::string asked_;
};

Depot::Depot(Dialect dialect, Handler handler) : dialect_(dialect), handler_(std::move(handler)) {
  auto listener = sail::TcpListener::listen(
      loop_, {"127.0.0.1", 0}, [this](std::unique_ptr<sail::TcpConnection> connection) {
        const std::lock_guard lock(mutex_);
        client_connections_.push_back(
            std::make_unique<ClientConnection>(*this, std::move(connection), connections_++));
      });
  listener_ = std::move(listener.value());
  port_ = listener_->address().port;
  thread_ = std::thread([this] { loop_.run(); });
}

Depot::~Depot() {
  loop_.post([this] {
    client_connections_.clear();
    listener_.reset();
  });
  loop_.stop();
  thread_.join();
}

std::string Depot::store(std::string content) {
  const std::lock_guard lock(mutex_);
  const size_t number = contents_.size();
  const std::string key = dialect_ == Dialect::kLoci ? fmt::format("IBP-{:0>150}", number)
                                                     : fmt::format("0#aB+c~{}=", number);
  contents_[key] = std::move(content);
  return fmt::format("ibp://127.0.0.1:{}/{}/{}/READ", port_, key, kTypeKey);
}

void Depot::expire(const std::string& capability) {
  const std::lock_guard lock(mutex_);
  std::erase_if(contents_, [&](const auto& one) {
    return capability.find("/" + one.first + "/") != std::string::npos;
  });
}

std::vector<DepotLoad> Depot::loads() const {
  const std::lock_guard lock(mutex_);
  return loads_;
}

int Depot::connections() const {
  const std::lock_guard lock(mutex_);
  return connections_;
}

DepotAnswer Depot::answer(const std::string& line, int connection) {
  DepotLoad load;
  std::string type_key;
  int command = 0;
  int timeout_s = 0;
  std::istringstream words(line);
  const bool whole = static_cast<bool>(words >> load.version >> command >> load.key >> type_key >>
                                       load.offset >> load.bytes >> timeout_s);
  if (!whole || command != kLoad || timeout_s < 1) return refusal(kBadFormat);
  load.connection = connection;
  {
    const std::lock_guard lock(mutex_);
    load.number = loads_.size();
    loads_.push_back(load);
  }
  if (handler_) {
    if (auto wished = handler_(load)) return *wished;
  }
  return right(load, type_key);
}

DepotAnswer Depot::right(const DepotLoad& load, const std::string& type_key) const {
  const std::lock_guard lock(mutex_);
  if (dialect_ == Dialect::kLoci && load.version != 0) return {{}, DepotAnswer::Then::kClose};
  if (dialect_ == Dialect::kLstore && load.version != 1) return refusal(kInvalidParameter);
  const auto found = contents_.find(load.key);
  if (found == contents_.end() || type_key != kTypeKey) return refusal(kNoSuchCapability);
  const std::string& content = found->second;
  const uint64_t rest = content.size() - std::min<uint64_t>(load.offset, content.size());
  if (load.bytes > rest && dialect_ != Dialect::kLoci) return refusal(kExceeds);
  const uint64_t count = std::min(rest, load.bytes);
  DepotAnswer answer;
  answer.bytes = fmt::format("1 {}{}\n", count, dialect_ == Dialect::kLoci ? " " : "");
  answer.bytes.append(content, std::min<size_t>(load.offset, content.size()), count);
  return answer;
}

DepotAnswer Depot::refusal(int status) const {
  if (dialect_ == Dialect::kLoci) return {fmt::format(" {} \n", status), {}};
  return {fmt::format("{}\n", status), DepotAnswer::Then::kClose};
}

void ExnodeText::add(uint64_t begin, uint64_t bytes, const std::string& capability, uint64_t at,
                     const std::string& function) {
  const auto number = [](const char* name, uint64_t value) {
    return fmt::format("  <exnode:metadata name=\"{}\" type=\"integer\">{}</exnode:metadata>\n",
                       name, value);
  };
  mappings +=
      " <exnode:mapping>\n" + number("alloc_length", at + bytes) + number("alloc_offset", at) +
      number("e2e_blocksize", 0) + number("exnode_offset", begin) +
      number("logical_length", bytes) +
      "  <exnode:metadata name=\"end\" type=\"string\">Mon Nov 23 2026</exnode:metadata>\n" +
      function + "  <exnode:read>" + capability + "</exnode:read>\n </exnode:mapping>\n";
}

std::string ExnodeText::text(const std::string& size) const {
  std::string all =
      "<?xml version=\"1.0\"?>\n<exnode xmlns:exnode=\"http://loci.cs.utk.edu/exnode\">\n"
      " <exnode:metadata name=\"filename\" type=\"string\">film</exnode:metadata>\n"
      " <exnode:metadata name=\"Version\" type=\"double\">3.0</exnode:metadata>\n";
  if (!size.empty()) {
    all += " <exnode:metadata name=\"size\" type=\"integer\">" + size + "</exnode:metadata>\n";
  }
  return all + mappings + "</exnode>\n";
}

}  // namespace test
