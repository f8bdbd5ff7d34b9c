// vitrail-hooks: sends what happens on a wall to web servers.
#include "sail/core/command_line/shared_options.h"
#include "sail/core/socket/tcp.h"
#include "ui/hooks/webhook_sender.h"

namespace {

struct HooksArguments {
  std::string manager;
  sail::LogLevel log_level = sail::LogLevel::kInfo;
};

const char* const kHooksNotes =
    R"(The manager starts this program if the wall file has "webhooks" (sail/core/wall/README.md).
`vitrail webhooks` prints the state of each webhook, and `vitrail webhooks test` tests them.)";

sail::Result<void> run_hooks(const HooksArguments& arguments) {
  const auto manager = sail::manager_address(arguments.manager);
  if (!manager) return manager.error();
  const sail::Log log("vitrail-hooks", arguments.log_level);
  sail::Loop loop;
  sail::Result<void> end;
  ui::WebhookSender sender(
      loop, *manager,
      [&](const sail::Result<void>& result) {
        end = result;
        loop.stop();
      },
      log);
  sail::run_until_signal(loop, [&loop] { loop.stop(); });
  return end;
}

}  // namespace

int vitrail_hooks_main(int argc, char** argv) {
  sail::CommandLine line("vitrail-hooks",
                         "Send what happens on a Vitrail wall to web servers (webhooks).");
  HooksArguments arguments;
  sail::add_manager_option(line, arguments.manager);
  sail::add_log_level_option(line, arguments.log_level);
  line.notes(kHooksNotes);
  return line.run(argc, argv, [&] { return run_hooks(arguments); });
}
