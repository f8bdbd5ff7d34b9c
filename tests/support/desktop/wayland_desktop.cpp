#include "tests/support/desktop/wayland_desktop.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <csignal>

#include "tests/support/headless_wall.h"

namespace test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPortal = "/usr/libexec/xdg-desktop-portal";
constexpr const char* kPermissions =
    "/usr/share/dbus-1/services/org.freedesktop.impl.portal.PermissionStore.service";

// The bus offers only the services in this folder, not all that are installed.
constexpr const char* kBus = R"(<!DOCTYPE busconfig PUBLIC
 "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type><listen>unix:path={0}/bus</listen><servicedir>{0}/services</servicedir>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
  </policy>
</busconfig>
)";

}  // namespace

std::string WaylandDesktop::missing() {
  for (const char* file : {"/usr/bin/pipewire", "/usr/bin/wireplumber", "/usr/bin/dbus-daemon",
                           kPortal, kPermissions}) {
    if (!fs::exists(file)) return file;
  }
  return {};
}

WaylandDesktop::WaylandDesktop(sail::Size size, Input input) {
  const std::string folder = folder_.path().string();
  const std::string bus = "unix:path=" + folder + "/bus";
  environment_ = {{"XDG_RUNTIME_DIR", folder},
                  {"HOME", folder},
                  {"XDG_CONFIG_HOME", folder + "/config"},
                  {"XDG_STATE_HOME", folder + "/state"},
                  {"XDG_DATA_HOME", folder + "/data"},
                  {"XDG_CURRENT_DESKTOP", "vitrail"},
                  {"XDG_SESSION_TYPE", "wayland"},
                  {"XDG_DESKTOP_PORTAL_DIR", folder + "/portals"},
                  {"DBUS_SESSION_BUS_ADDRESS", bus},
                  {"WAYLAND_DISPLAY", "wayland-1"},
                  {"DISPLAY", ""}};
  fs::create_directories(folder_.path() / "portals");
  fs::create_directories(folder_.path() / "services");
  fs::copy(kPermissions, folder_.path() / "services");
  folder_.write(
      "portals/vitrail.portal",
      fmt::format("[portal]\nDBusName={}\n"
                  "Interfaces=org.freedesktop.impl.portal.ScreenCast{}\nUseIn=vitrail\n",
                  DrawnScreen::kBusName,
                  input == Input::kNone ? "" : ";org.freedesktop.impl.portal.RemoteDesktop"));
  folder_.write("bus.conf", fmt::format(fmt::runtime(kBus), folder));
  start({"dbus-daemon", "--nofork", "--config-file=" + folder + "/bus.conf"});
  await("bus");
  pipewire_ = &start({"pipewire"});
  await("pipewire-0");
  start({"wireplumber"});
  screen_.emplace(bus, folder, size);
  const ChildProgram& portal = start({kPortal, "--verbose"});
  EXPECT_TRUE(eventually([&] {
    return portal.output().find("org.freedesktop.portal.Desktop acquired") != std::string::npos;
  })) << portal.output();
}

// Programs end in reverse order of their start.
ChildProgram& WaylandDesktop::start(const std::vector<std::string>& words) {
  return programs_.emplace_front(words, environment_);
}

void WaylandDesktop::await(const std::string& file) {
  ASSERT_TRUE(eventually([&] { return fs::exists(folder_.path() / file); }))
      << file << ": " << programs_.front().output();
}

void WaylandDesktop::kill_pipewire() {
  kill(pipewire_->pid(), SIGKILL);
  EXPECT_TRUE(eventually([&] { return pipewire_->exit_code().has_value(); }));
}

}  // namespace test
