// Cost of a layout change for the manager and a receiver on a wall with many windows: one window is
// moved, raised or closed at a time, and each change is completed.
//
// Times are the thread's CPU time, so that other programs do not count. Messages are encoded and
// decoded as usual, but not sent.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "manager/wall/director.h"
#include "receiver/paint/composition.h"
#include "sail/core/command_line/command_line.h"
#include "sail/core/time/clock.h"
#include "sail/core/wire/rpc.h"
#include "sail/core/wire/scene_change.h"

namespace {

constexpr const char* kReceiver = "node1";

int64_t cpu_ns() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * sail::kSecondNs + time.tv_nsec;
}

struct Arguments {
  int windows = 1000;
  int changes = 300;
  int columns = 4;
  int rows = 4;
};

// Tiles of 1920×1080, four for each receiver.
sail::Wall make_wall(const Arguments& arguments) {
  sail::Wall wall;
  wall.name = "bench";
  for (int i = 0; i < arguments.columns * arguments.rows; ++i) {
    const std::string node = fmt::format("node{}", i / 4 + 1);
    if (i % 4 == 0) wall.receivers.push_back({node, ""});
    const sail::Rect rect{i % arguments.columns * 1940, i / arguments.columns * 1100, 1920, 1080};
    wall.tiles.push_back({.name = fmt::format("t{}", i),
                          .receiver = node,
                          .wall_rect = rect,
                          .resolution = {1920, 1080}});
    wall.size = {std::max(wall.size.width, rect.right()),
                 std::max(wall.size.height, rect.bottom())};
  }
  return wall;
}

class Bench {
 public:
  explicit Bench(const Arguments& arguments)
      : arguments_(arguments), wall_(make_wall(arguments)), director_(wall_, windows_) {
    std::vector<sail::TileInfo> tiles;
    for (const sail::Tile& tile : wall_.tiles) {
      if (tile.receiver != kReceiver) continue;
      tiles.push_back({.name = tile.name, .wall_rect = tile.wall_rect, .resolution = {1920, 1080}});
    }
    composition_.set_tiles(tiles);
    for (const auto& receiver : wall_.receivers) {
      director_.receiver_joined(receiver.name, {"127.0.0.1", 1}, now_ns_);
    }
    for (int i = 0; i < arguments.windows; ++i) open();
    finish_change();
    // From now on no stream is waited for, because the applications send nothing.
    for (int i = 0; i < 3; ++i) move(any());
    manager_us_.clear();
    receiver_us_.clear();
    bytes_.clear();
  }

  void run(const char* what, void (Bench::*change)(uint32_t window)) {
    for (int i = 0; i < arguments_.changes; ++i) (this->*change)(any());
    report(what);
  }
  void move(uint32_t window) {
    sail::Rect& rect = windows_.find(window)->wall_rect;
    rect.x = std::clamp(rect.x + between(-60, 60), 0, wall_.size.width - rect.width);
    rect.y = std::clamp(rect.y + between(-60, 60), 0, wall_.size.height - rect.height);
    finish_change();
  }
  void raise(uint32_t window) {
    windows_.reorder(manager::raised(windows_.order(), {window}));
    finish_change();
  }
  void close_and_open(uint32_t window) {
    windows_.remove(window);
    open();
    finish_change();
  }

 private:
  int between(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }
  uint32_t any() {
    const auto& all = windows_.bottom_to_top();
    return all[static_cast<size_t>(between(0, static_cast<int>(all.size()) - 1))].number;
  }
  // Together the windows cover the wall about four times, whatever their number.
  void open() {
    const double area = 4.0 * wall_.size.width * wall_.size.height / arguments_.windows;
    const int width = std::max(16, static_cast<int>(std::sqrt(area * 16 / 9)));
    const int height = std::max(16, width * 9 / 16);
    manager::Window window;
    window.frame_size = {1280, 720};
    window.block_size = sail::kDefaultBlockSize;
    window.secret = random_();
    window.max_reduction = 3;
    window.wall_rect = {between(0, std::max(0, wall_.size.width - width)),
                        between(0, std::max(0, wall_.size.height - height)), width, height};
    if (!windows_.open(std::move(window))) std::abort();
  }
  // The manager's part of a change until everything is sent, and a receiver's until the layout is
  // done.
  void finish_change() {
    const int64_t begin_ns = cpu_ns();
    director_.layout_changed(now_ns_);
    std::vector<manager::Order> orders = director_.take_orders();
    std::vector<std::string> lines;
    for (const manager::Order& order : orders) add_lines(order, lines);
    now_ns_ += sail::kSecondNs;
    director_.tick(now_ns_);
    for (const manager::Order& order : director_.take_orders()) add_lines(order, lines);
    manager_us_.push_back(static_cast<double>(cpu_ns() - begin_ns) / 1e3);
    for (const std::string& line : lines) {
      if (line.find("\"method\":\"scene") != std::string::npos) receive(line);
    }
  }
  static void add_lines(const manager::Order& order, std::vector<std::string>& lines) {
    if (const auto* scene = std::get_if<manager::SendScene>(&order)) {
      const bool whole = scene->know_the_last.empty();
      lines.push_back(whole ? sail::notification_line("scene", to_json(scene->scene))
                            : sail::notification_line("scene_change", to_json(scene->change)));
    } else if (const auto* routes = std::get_if<manager::SendRoutes>(&order)) {
      lines.push_back(sail::notification_line("routes", to_json(routes->routes)));
    } else if (const auto* taken = std::get_if<manager::SendTakeEffect>(&order)) {
      lines.push_back(sail::notification_line("take_effect", to_json(taken->taken)));
    } else if (const auto* go = std::get_if<manager::SendGo>(&order)) {
      lines.push_back(sail::notification_line("go", to_json(go->go)));
    }
  }
  void receive(const std::string& line) {
    bytes_.push_back(static_cast<double>(line.size()));
    const int64_t begin_ns = cpu_ns();
    const auto message = sail::parse_rpc(std::string_view(line).substr(0, line.size() - 1));
    const auto& request = std::get<sail::RpcRequest>(*message);
    auto scene = request.method == "scene"
                     ? sail::message_from_json<sail::Scene>(request.params)
                     : sail::message_from_json<sail::SceneChange>(request.params)
                           .and_then([this](const sail::SceneChange& change) {
                             return sail::changed_scene(scene_, change);
                           });
    if (!scene) std::abort();
    scene_ = *std::move(scene);
    composition_.set_scene(scene_, released_);
    composition_.take_changes();
    receiver_us_.push_back(static_cast<double>(cpu_ns() - begin_ns) / 1e3);
  }
  static double percentile(std::vector<double>& values, double share) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[static_cast<size_t>(share * static_cast<double>(values.size() - 1))];
  }
  void report(const char* what) {
    fmt::print(
        "{:<16} manager {:8.0f} us (p95 {:8.0f})   receiver {:8.0f} us (p95 {:8.0f})   {:8.0f} "
        "bytes to it\n",
        what, percentile(manager_us_, 0.5), percentile(manager_us_, 0.95),
        percentile(receiver_us_, 0.5), percentile(receiver_us_, 0.95), percentile(bytes_, 0.5));
    manager_us_.clear();
    receiver_us_.clear();
    bytes_.clear();
  }

  Arguments arguments_;
  sail::Wall wall_;
  manager::WindowStack windows_;
  manager::Director director_;
  receiver::Composition composition_;
  std::vector<std::unique_ptr<receiver::Frame>> released_;
  sail::Scene scene_;
  std::mt19937 random_{1};
  int64_t now_ns_ = sail::kSecondNs;
  std::vector<double> manager_us_;
  std::vector<double> receiver_us_;
  std::vector<double> bytes_;
};

}  // namespace

int main(int argc, char** argv) {
  sail::CommandLine line("layout_bench",
                         "What a change of the layout costs when the wall has many windows.");
  Arguments arguments;
  line.option("--windows", arguments.windows, "On the wall").between(1, 4096).shows_default();
  line.option("--changes", arguments.changes, "Of each kind").between(1, 100'000).shows_default();
  if (const auto answer = line.read(argc, argv)) return answer->say();
  fmt::print("{} windows on a wall of {} tiles; median CPU time of a change\n", arguments.windows,
             arguments.columns * arguments.rows);
  Bench bench(arguments);
  bench.run("move", &Bench::move);
  bench.run("raise", &Bench::raise);
  bench.run("close and open", &Bench::close_and_open);
  return 0;
}
