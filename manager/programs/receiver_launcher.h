// Keeps the wall's receivers, its standby and vitrail-hooks running. Starts them as children on
// this host and by ssh on others, and restarts them with growing delays. Programs of an earlier
// manager that still run are not started again: they reconnect on their own. Runs on the loop
// thread.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "manager/files/node_logs.h"
#include "manager/peers/receiver_roster.h"
#include "manager/programs/child_programs.h"
#include "manager/programs/node_command.h"
#include "sail/core/base/log.h"
#include "sail/core/base/process_record.h"
#include "sail/core/loop/loop.h"

namespace manager {

class ReceiverLauncher {
 public:
  using Command = std::function<sail::Result<NodeCommand>()>;
  struct Options {
    // File that records the running programs for the next manager at this address; empty: none.
    std::filesystem::path record;
    // Whether the program is connected. A connected program, perhaps started by hand, is not
    // started.
    std::function<bool(const std::string& name)> is_connected;
    std::function<void(const std::string& name, const ReceiverRun& run)> on_changed;
    // Asks the program itself to end: a signal to ssh may not reach the program on the other host.
    std::function<void(const std::string& name)> on_restart;
  };
  // children and logs must outlive this object. The owner of `children` must end them.
  ReceiverLauncher(sail::Loop& loop, ChildPrograms& children, NodeLogs& logs, Options options,
                   const sail::Log& log);

  // Keeps the program running. Calls `command` for each start.
  void launch(const std::string& name, Command command);
  // Ends the program and restarts it soon; kills one that does not end, as it may hang.
  // kUnavailable: this manager does not launch it.
  sail::Result<void> restart(const std::string& name);

  // Restarts nothing from now on.
  void stop();
  // Signals the programs of an earlier manager. ChildPrograms signals those of this one.
  void signal_former(int number);
  bool former_run() const;

 private:
  struct Receiver {
    std::string name;
    Command command;
    std::unique_ptr<sail::Timer> pause;
    std::unique_ptr<sail::Timer> kill_timeout;  // After which restart() kills the program.
    int64_t pause_ms = 0;
    int64_t started_ns = 0;
    int child = 0;  // 0: not running.
    ReceiverRun run;
  };
  void start(Receiver& receiver);
  void signal(const Receiver& receiver, int number);
  sail::Result<int> start_program(Receiver& receiver);
  void ended(Receiver& receiver, int64_t exit_status, int signal);
  void start_later(Receiver& receiver, const std::string& why);
  bool former_runs(const std::string& name) const;
  void report(const Receiver& receiver) { options_.on_changed(receiver.name, receiver.run); }

  sail::Loop& loop_;
  ChildPrograms& children_;
  NodeLogs& logs_;
  Options options_;
  sail::Log log_;
  sail::ProcessRecord record_;
  std::map<std::string, sail::ProcessIdentity> former_;
  bool stopped_ = false;
  std::map<std::string, Receiver> receivers_;
};

}  // namespace manager
