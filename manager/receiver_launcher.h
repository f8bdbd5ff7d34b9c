// Keeps the receivers of the manager's own host running: starts them, and starts them again with
// growing pauses when they end. Those that a former manager started and that outlived it are waited
// for, not doubled: they come back by themselves. Thread: the loop's.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "manager/child_programs.h"
#include "sail/base/log.h"
#include "sail/base/process_record.h"
#include "sail/net/loop.h"

namespace manager {

class ReceiverLauncher {
 public:
  struct Options {
    std::string program;  // of the receivers
    std::string manager;  // HOST:PORT for their --manager
    std::string token;    // for their $VITRAIL_TOKEN
    std::string display;  // for their --display
    // Tells the next manager at this address which of them run; empty: nothing does.
    std::filesystem::path record;
    // Whether a receiver is there already, started by hand. None is started beside it.
    std::function<bool(const std::string& name)> is_connected;
  };
  // The children must outlive this, and must be told to end by their owner.
  ReceiverLauncher(sail::Loop& loop, ChildPrograms& children, Options options,
                   const sail::Log& log);

  void launch(const std::string& name);
  // From now on none is started again.
  void stop();
  // Those of a former manager; the others are the children's.
  void signal_former(int number);
  bool former_run() const;

 private:
  struct Receiver {
    std::unique_ptr<sail::Timer> pause;
    int64_t pause_ms = 0;
    int64_t started_ns = 0;
  };
  void start(const std::string& name);
  void start_later(const std::string& name, const std::string& why);

  sail::Loop& loop_;
  ChildPrograms& children_;
  Options options_;
  sail::Log log_;
  sail::ProcessRecord record_;
  std::map<std::string, sail::ProcessIdentity> former_;
  bool stopped_ = false;
  std::map<std::string, Receiver> receivers_;
};

}  // namespace manager
