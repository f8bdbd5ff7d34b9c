#include "sail/bindings/sage/include/sail.h"

#include <sail/sail.h>

#include <cmath>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "sail/bindings/sage/config_file.h"
#include "sail/bindings/sage/messages.h"
#include "sail/bindings/sage/pictures.h"
#include "sail/bindings/sage/window.h"

using vitrail::MessageQueue;
using vitrail::Pictures;
using vitrail::Window;

// Members are destroyed in reverse order.
struct sail::Inside {
  sailConfig config;
  std::string part_name;
  std::unique_ptr<MessageQueue> messages = std::make_unique<MessageQueue>();
  std::unique_ptr<Pictures> pictures;
  std::mutex mutex;  // guards the window: programs call shutdown() while another thread swaps
  std::shared_ptr<Window> window;

  std::shared_ptr<Window> current() {
    const std::lock_guard lock(mutex);
    return window;
  }
  void become(std::shared_ptr<Window> next) {
    {
      const std::lock_guard lock(mutex);
      std::swap(window, next);
    }
    if (next) next->end();
  }
};

namespace {

constexpr int kSagePort = 20002;  // port of SAGE's fsManager, found in all its configuration files

// fsManager.conf contains "fsManager NAME ADDRESS …".
std::string manager_of_wall() {
  const auto text = vitrail::find_sage_file("fsManager.conf", "");
  if (!text) return {};
  const auto words = vitrail::words_of(*text);
  for (size_t i = 0; i + 2 < words.size(); ++i) {
    if (words[i] == "fsManager") return words[i + 2];
  }
  return {};
}

std::string manager_of(const sailConfig& config) {
  if (getenv("VITRAIL_MANAGER") != nullptr) return {};
  std::string host = config.fsIP[0] != '\0' ? config.fsIP : manager_of_wall();
  const bool is_ours = config.fsPort > 0 && config.fsPort != kSagePort;
  if (host.empty() || !is_ours) return host;
  return host + ":" + std::to_string(config.fsPort);
}

int fraction(int whole, float of) {
  return static_cast<int>(std::lround(static_cast<double>(of) * whole));
}

int whole_of(int part, float from, float to) {
  const double share = static_cast<double>(to) - static_cast<double>(from);
  return share > 0 ? static_cast<int>(std::lround(part / share)) : part;
}

void read_part(const sailConfig& config, const std::string& name, vitrail::WindowWishes& wishes) {
  const sageRect& map = config.imageMap;
  const bool told = config.totalWidth > 0 && config.totalHeight > 0;
  wishes.total_width = told ? config.totalWidth : whole_of(config.resX, map.left, map.right);
  wishes.total_height = told ? config.totalHeight : whole_of(config.resY, map.bottom, map.top);
  sail_part part{};
  part.name = name.c_str();
  part.rank = config.rank;
  part.ranks = config.nodeNum;
  part.region = {fraction(wishes.total_width, map.left), fraction(wishes.total_height, 1 - map.top),
                 config.resX, config.resY};
  wishes.part = part;
}

int refuse_message() {
  sage::printLog("sendMessage: Vitrail's manager does not support SAGE messages");
  return -1;
}

}  // namespace

sail::sail() : inside_(new Inside) {}

sail::~sail() {
  shutdown();
  delete inside_;
}

int sail::init(sailConfig& conf) {
  inside_->become(nullptr);
  inside_->messages = std::make_unique<MessageQueue>();
  inside_->config = conf;
  inside_->pictures =
      std::make_unique<Pictures>(conf.pixFmt, conf.resX, conf.resY, conf.rowOrd == BOTTOM_TO_TOP);
  std::string error = inside_->pictures->refusal();
  if (!conf.rendering) error = "a program with rendering off has no window on this wall";
  if (error.empty()) {
    vitrail::WindowWishes wishes{.manager = manager_of(conf),
                                 .title = conf.appName,
                                 .udp = conf.protocol == SAGE_UDP,
                                 .frame_rate = conf.frameRate};
    inside_->part_name = std::string(conf.appName).substr(0, 40) + "-" + std::to_string(conf.appID);
    if (conf.nodeNum > 1) read_part(conf, inside_->part_name, wishes);
    inside_->become(Window::open(wishes, *inside_->pictures, *inside_->messages, &error));
  }
  if (inside_->current()) return 0;
  sage::printLog("%s is not shown: %s", conf.appName, error.c_str());
  inside_->messages->push_quit();
  return -1;
}

void* sail::getBuffer() {
  return inside_->pictures ? inside_->pictures->front() : nullptr;
}

int sail::getBufSize() {
  return inside_->pictures ? static_cast<int>(inside_->pictures->byte_count()) : 0;
}

int sail::swapBuffer(int mode) {
  const auto window = inside_->current();
  return window ? window->swap(mode != SAGE_NON_BLOCKING) : -1;
}

int sail::checkMsg(sageMessage& msg, bool blocking) {
  return inside_->messages->pop(msg, blocking) ? 1 : 0;
}

int sail::shutdown() {
  inside_->messages->close();
  inside_->become(nullptr);
  return 0;
}

int sail::getRowOrder() {
  return inside_->config.rowOrd;
}

bool sail::isSailOn() {
  const auto window = inside_->current();
  return window && window->is_open();
}

int sail::getWinID() {
  const auto window = inside_->current();
  return window ? window->number() : 0;
}

sailConfig& sail::Config() {
  return inside_->config;
}

void sail::getWindow(int& x, int& y, int& width, int& height) {
  const auto window = inside_->current();
  const sail_rect place = window ? window->place() : sail_rect{};
  x = place.x;
  y = place.y;
  width = place.width;
  height = place.height;
}

int sail::sendMessage(sageMessage& /*msg*/) {
  return refuse_message();
}

int sail::sendMessage(int /*code*/) {
  return refuse_message();
}

int sail::sendMessage(int /*code*/, int /*data*/) {
  return refuse_message();
}

int sail::sendMessage(int /*code*/, char* /*data*/) {
  return refuse_message();
}
