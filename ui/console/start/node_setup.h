// The settings of a display node that shows its tiles at boot (vitrail-kiosk.service), and the
// steps that set it up. Threads: blocks on the disk and on systemctl.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/core/text/json.h"

namespace ui {

// Variables of /etc/vitrail/receiver.env that it sets; without a value: the unit's default.
struct NodeSettings {
  std::optional<std::string> manager{};  // VITRAIL_MANAGER
  std::optional<std::string> node{};     // NODE
  std::optional<std::string> options{};  // OPTIONS

  bool operator==(const NodeSettings&) const = default;
};

// Parses an environment file of systemd.
NodeSettings settings_in(std::string_view text);
// Returns the text with these settings. Keeps all other lines; a commented line of a variable
// becomes its line. Variables without a value stay as they are.
std::string with_settings(std::string_view text, const NodeSettings& settings);
// Returns why a value cannot be in the file; empty if it can.
std::string setting_mistake(const NodeSettings& settings);

// Settings in the file of this root folder ("/" for this host).
sail::Result<NodeSettings> read_node_settings(const std::filesystem::path& root);

struct NodeSetup {
  std::filesystem::path root = "/";
  NodeSettings settings{};
  std::optional<std::string> key_file{};  // copied to /etc/vitrail/receiver.key
  bool dry_run = false;
};
struct SetupStep {
  std::string about;  // a file or unit
  std::string did;    // "written", "unchanged", …
};
// Does only what is not done yet. Returns the steps. kNotFound: the receiver is not installed.
sail::Result<std::vector<SetupStep>> set_up_node(const NodeSetup& setup);

// The key of the node's receiver.
std::filesystem::path node_key(const std::filesystem::path& root);
// The connected displays of this host, as in `vitrail-receiver --check`, from the kernel's files.
sail::Json kernel_displays(const std::filesystem::path& root);

}  // namespace ui
