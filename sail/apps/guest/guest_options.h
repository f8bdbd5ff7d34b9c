// Command line of vitrail-guest.
#pragma once

#include <variant>

#include "sail/apps/program/program_shell.h"
#include "sail/core/http/web_certificate.h"

namespace sail {

// An environment variable, because every user of the machine can read command lines.
constexpr const char* kGuestSecretVariable = "VITRAIL_GUEST_SECRET";

struct GuestOptions : ShellOptions {
  int wait_s = 30;
  CertificateFiles page;  // TLS certificate; empty: no TLS
};

std::variant<GuestOptions, CommandLineAnswer> parse_guest_options(int count,
                                                                  const char* const* arguments);

}  // namespace sail
