// Command line of vitrail-whip.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "sail/apps/program/program_shell.h"
#include "sail/core/http/web_certificate.h"

namespace sail {

// An environment variable, because every user of the machine can read command lines. If it is not
// set, a new token is created at each start.
constexpr const char* kWhipTokenVariable = "VITRAIL_WHIP_TOKEN";

constexpr uint16_t kUsualWhipPort = 7490;

struct WhipOptions : ShellOptions {
  std::string listen;
  std::string port_file;
  int wait_s = 0;                // 0: no limit
  CertificateFiles certificate;  // for TLS; empty: no TLS
};

std::variant<WhipOptions, CommandLineAnswer> parse_whip_options(int count,
                                                                const char* const* arguments);

}  // namespace sail
