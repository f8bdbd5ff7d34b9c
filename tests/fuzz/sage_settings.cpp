// A configuration file of SAGE: parsed texts must stay within their buffers.
#include <cstring>
#include <iterator>

#include "sail/bindings/sage/config_file.h"
#include "tests/fuzz/fuzz.h"

FUZZ_TARGET(sage_settings) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  sailConfig config;
  vitrail::read_settings(config, "app.conf", text);
  fuzz::require(strnlen(config.appName, std::size(config.appName)) < std::size(config.appName),
                "the name ends");
  fuzz::require(strnlen(config.fsIP, std::size(config.fsIP)) < std::size(config.fsIP),
                "the address ends");
  fuzz::require(config.protocol == SAGE_TCP || config.protocol == SAGE_UDP, "a known protocol");
  return 0;
}
