#include "receiver/display/outputs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <wayland-client.h>
#include <xcb/randr.h>
#include <xf86drmMode.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>

#include "sail/core/base/c_library.h"
#include "sail/core/base/environment.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"

namespace receiver {
namespace {

constexpr size_t kMostOutputs = 64;

template <typename Object, auto kFree>
using Owned = std::unique_ptr<Object, sail::FreedBy<kFree>>;

std::string output_name(std::string_view name) {
  return sail::make_plain_text(name, sail::kMaxNameLength);
}

// --- X: the monitors of RandR, which have the names that xrandr shows

std::string atom_name(xcb_connection_t* x11, xcb_atom_t atom) {
  const Owned<xcb_get_atom_name_reply_t, std::free> reply(
      xcb_get_atom_name_reply(x11, xcb_get_atom_name(x11, atom), nullptr));
  if (!reply) return "";
  return {xcb_get_atom_name_name(reply.get()),
          static_cast<size_t>(xcb_get_atom_name_name_length(reply.get()))};
}

std::vector<ReportedOutput> x11_outputs() {
  int number = 0;
  const Owned<xcb_connection_t, xcb_disconnect> x11(xcb_connect(nullptr, &number));
  if (xcb_connection_has_error(x11.get()) != 0) return {};
  auto screens = xcb_setup_roots_iterator(xcb_get_setup(x11.get()));
  for (; number > 0 && screens.rem > 1; --number) xcb_screen_next(&screens);
  const Owned<xcb_randr_get_monitors_reply_t, std::free> reply(xcb_randr_get_monitors_reply(
      x11.get(), xcb_randr_get_monitors(x11.get(), screens.data->root, 1), nullptr));
  std::vector<ReportedOutput> outputs;
  if (!reply) return outputs;
  auto monitors = xcb_randr_get_monitors_monitors_iterator(reply.get());
  for (; monitors.rem > 0 && outputs.size() < kMostOutputs;
       xcb_randr_monitor_info_next(&monitors)) {
    const xcb_randr_monitor_info_t& monitor = *monitors.data;
    outputs.push_back({.name = output_name(atom_name(x11.get(), monitor.name)),
                       .rect = {monitor.x, monitor.y, monitor.width, monitor.height}});
  }
  return outputs;
}

// --- Wayland: the globals wl_output, in the compositor's order

struct WaylandOutputs {
  struct One {
    Owned<wl_output, wl_output_destroy> global;
    ReportedOutput output{};
  };
  std::vector<std::unique_ptr<One>> all;
};

void on_global(void* data, wl_registry* registry, uint32_t name, const char* interface,
               uint32_t version) {
  auto& outputs = static_cast<WaylandOutputs*>(data)->all;
  if (interface != std::string_view("wl_output") || outputs.size() == kMostOutputs) return;
  static const wl_output_listener kListener{
      .geometry =
          [](void* one, wl_output* /*output*/, int32_t /*x*/, int32_t /*y*/, int32_t /*width_mm*/,
             int32_t /*height_mm*/, int32_t /*subpixel*/, const char* /*make*/, const char* model,
             int32_t /*transform*/) {
            static_cast<WaylandOutputs::One*>(one)->output.descriptions.emplace_back(model);
          },
      .mode = [](void*, wl_output*, uint32_t, int32_t, int32_t, int32_t) {},
      .done = [](void*, wl_output*) {},
      .scale = [](void*, wl_output*, int32_t) {},
      .name =
          [](void* one, wl_output* /*output*/, const char* text) {
            static_cast<WaylandOutputs::One*>(one)->output.name = output_name(text);
          },
      .description =
          [](void* one, wl_output* /*output*/, const char* text) {
            static_cast<WaylandOutputs::One*>(one)->output.descriptions.emplace_back(text);
          }};
  constexpr uint32_t kWithNames = 4;
  auto* const global = static_cast<wl_output*>(
      wl_registry_bind(registry, name, &wl_output_interface, std::min(version, kWithNames)));
  auto& one = outputs.emplace_back(new WaylandOutputs::One);
  one->global.reset(global);
  wl_output_add_listener(global, &kListener, one.get());
}

std::vector<ReportedOutput> wayland_outputs() {
  const Owned<wl_display, wl_display_disconnect> display(wl_display_connect(nullptr));
  if (!display) return {};
  const Owned<wl_registry, wl_registry_destroy> registry(wl_display_get_registry(display.get()));
  static const wl_registry_listener kListener{
      .global = on_global, .global_remove = [](void*, wl_registry*, uint32_t) {}};
  WaylandOutputs found;
  wl_registry_add_listener(registry.get(), &kListener, &found);
  // The first answers name the globals, the second ones describe them.
  if (wl_display_roundtrip(display.get()) < 0 || wl_display_roundtrip(display.get()) < 0) return {};
  std::vector<ReportedOutput> outputs;
  for (const auto& one : found.all) outputs.push_back(std::move(one->output));
  return outputs;
}

// --- KMS: the connected connectors, in the kernel's order, of the card that SDL uses

std::vector<ReportedOutput> outputs_of_card(int number) {
  const int card = open(fmt::format("/dev/dri/card{}", number).c_str(), O_RDWR | O_CLOEXEC);
  if (card < 0) return {};
  std::vector<ReportedOutput> outputs;
  const Owned<drmModeRes, drmModeFreeResources> resources(drmModeGetResources(card));
  for (int i = 0; resources && i < resources->count_connectors; ++i) {
    const Owned<drmModeConnector, drmModeFreeConnector> connector(
        drmModeGetConnectorCurrent(card, resources->connectors[i]));
    if (!connector || connector->connection != DRM_MODE_CONNECTED || connector->count_modes == 0) {
      continue;
    }
    const char* const type = drmModeGetConnectorTypeName(connector->connector_type);
    outputs.push_back({.name = fmt::format("{}-{}", type == nullptr ? "Unknown" : type,
                                           connector->connector_type_id)});
  }
  close(card);
  return outputs;
}

// SDL takes the first card with a connected display, unless its variable names another one.
std::vector<ReportedOutput> kms_outputs() {
  constexpr int kMostCards = 16;
  const std::string chosen = sail::environment("SDL_KMSDRM_DEVICE_INDEX");
  if (!chosen.empty()) return outputs_of_card(std::atoi(chosen.c_str()));
  for (int card = 0; card < kMostCards; ++card) {
    auto outputs = outputs_of_card(card);
    if (!outputs.empty()) return outputs;
  }
  return {};
}

// The place of the only reported output with this description; empty optional: none or several.
std::optional<size_t> described(const std::vector<ReportedOutput>& reported,
                                const std::string& description) {
  std::optional<size_t> found;
  for (size_t i = 0; i < reported.size(); ++i) {
    if (std::ranges::count(reported[i].descriptions, description) == 0) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

}  // namespace

std::vector<ReportedOutput> reported_outputs(std::string_view driver) {
  const std::string name = sail::lower(driver);
  if (name == "x11") return x11_outputs();
  if (name == "wayland") return wayland_outputs();
  return name == "kmsdrm" ? kms_outputs() : std::vector<ReportedOutput>();
}

std::vector<Output> name_displays(std::vector<Output> displays,
                                  const std::vector<ReportedOutput>& reported) {
  const bool all_described = std::ranges::all_of(displays, [&](const Output& display) {
    return described(reported, display.name).has_value();
  });
  for (size_t i = 0; i < displays.size(); ++i) {
    std::string name;
    if (reported.size() == displays.size()) {
      name = reported[all_described ? *described(reported, displays[i].name) : i].name;
    }
    displays[i].name = name.empty() ? fmt::format("{}", i) : name;
  }
  return displays;
}

std::string output_names(const std::vector<Output>& outputs) {
  std::string names;
  for (const Output& output : outputs) names += (names.empty() ? "" : ", ") + output.name;
  return names.empty() ? "none" : names;
}

}  // namespace receiver
