// vitrail-whip's command line.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "sail/net/web_certificate.h"
#include "sail/program/program_shell.h"

namespace sail {

// In the environment, since anybody on the machine can read command lines. Without it there is a
// new one each time.
constexpr const char* kWhipTokenVariable = "VITRAIL_WHIP_TOKEN";

constexpr uint16_t kUsualWhipPort = 7490;

struct WhipOptions : ShellOptions {
  std::string listen;
  std::string port_file;
  int wait_s = 0;                // 0: as long as it takes
  CertificateFiles certificate;  // for TLS; empty: without
};

std::variant<WhipOptions, CommandLineAnswer> parse_whip_options(int count,
                                                                const char* const* arguments);

}  // namespace sail
