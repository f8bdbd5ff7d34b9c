// vitrail-guest's command line.
#pragma once

#include <variant>

#include "sail/net/web_certificate.h"
#include "sail/program/program_shell.h"

namespace sail {

// In the environment, since anybody on the machine can read command lines.
constexpr const char* kGuestSecretVariable = "VITRAIL_GUEST_SECRET";

struct GuestOptions : ShellOptions {
  int wait_s = 30;
  CertificateFiles page;  // for TLS; empty: without
};

std::variant<GuestOptions, CommandLineAnswer> parse_guest_options(int count,
                                                                  const char* const* arguments);

}  // namespace sail
