// The command line of vitrail-manager.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "manager/fs_manager.h"
#include "manager/media/play_request.h"
#include "sail/core/base/log.h"
#include "sail/core/base/result.h"
#include "sail/core/command_line/command_line.h"
#include "sail/core/socket/tcp.h"

namespace manager {

struct Arguments {
  std::string wall_file;
  std::string walls;  // file of the walls of the site; empty: none
  std::string listen;
  std::string port_file;
  std::string page;
  std::string page_port_file;
  std::string page_certificate;
  std::string page_key;
  bool insecure = false;
  std::string announce = "on";
  sail::LogLevel log_level = sail::LogLevel::kInfo;
  std::string uploads = default_uploads();
  uint64_t upload_limit_mib = 4096;
  uint64_t uploads_quota_mib = 65536;
  std::string commands;
  std::string events;
  std::vector<std::string> film_servers;
  std::string state_folder;
  std::string standby_of;
  bool found_active = false;  // standby_of comes from the state folder.
  uint64_t term = 1;
  std::string at_end = at_end_name(AtEnd::kHold);
  std::string clock = "manager";
  FsManagerOptions options{};  // The command line sets some options directly.

  // Empty if there is no home folder.
  static std::string default_uploads();
};

void describe(const sail::Command& line, Arguments& arguments);
// Sets all options from the command line, except those about earlier managers.
sail::Result<void> set_options(Arguments& arguments);
// Returns the address of --standby-of.
sail::Result<sail::Address> primary_of(const Arguments& arguments);
// Whether another manager started this one.
bool was_launched();

}  // namespace manager
