// Keeps the wall's receivers, and its standby, running: starts them, on this host as children and
// on others by ssh, and starts them again with growing pauses when they end. Those that a former
// manager started and that outlived it are waited for, not doubled: they come back by themselves.
// Thread: the loop's.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "manager/child_programs.h"
#include "manager/node_command.h"
#include "manager/node_logs.h"
#include "manager/receiver_roster.h"
#include "sail/base/log.h"
#include "sail/base/process_record.h"
#include "sail/net/loop.h"

namespace manager {

class ReceiverLauncher {
 public:
  using Command = std::function<sail::Result<NodeCommand>()>;
  struct Options {
    // Tells the next manager at this address which of them run; empty: nothing does.
    std::filesystem::path record;
    // Whether it is there already, started by hand. None is started beside it.
    std::function<bool(const std::string& name)> is_connected;
    std::function<void(const std::string& name, const ReceiverRun& run)> on_changed;
    // It is to end, and a signal to its child may not reach it.
    std::function<void(const std::string& name)> on_restart;
  };
  // Children and logs must outlive this; the children must be told to end by their owner.
  ReceiverLauncher(sail::Loop& loop, ChildPrograms& children, NodeLogs& logs, Options options,
                   const sail::Log& log);

  // By the command, which is made anew for each start.
  void launch(const std::string& name, Command command);
  // Ends it and starts it anew, without a long pause. kUnavailable when it is none of ours.
  sail::Result<void> restart(const std::string& name);

  // From now on none is started again.
  void stop();
  // Those of a former manager; the others are the children's.
  void signal_former(int number);
  bool former_run() const;

 private:
  struct Receiver {
    std::string name;
    Command command;
    std::unique_ptr<sail::Timer> pause;
    int64_t pause_ms = 0;
    int64_t started_ns = 0;
    int child = 0;  // while it runs
    ReceiverRun run;
  };
  void start(Receiver& receiver);
  sail::Result<int> start_program(Receiver& receiver);
  void ended(Receiver& receiver, int64_t exit_status, int signal);
  void start_later(Receiver& receiver, const std::string& why);
  bool former_runs(const std::string& name) const;
  void tell(const Receiver& receiver) { options_.on_changed(receiver.name, receiver.run); }

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
