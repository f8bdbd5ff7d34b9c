// Runs `vitrail doctor` on a node and returns its findings. Runs on the loop thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "manager/files/node_logs.h"
#include "manager/programs/node_command.h"
#include "sail/core/process/process.h"
#include "sail/core/text/json.h"

namespace manager {

class NodeCheckups {
 public:
  static constexpr size_t kMostAtOnce = 64;
  static constexpr int64_t kTimeoutMs = 60'000;  // The doctor itself waits for silent hosts.

  // wall must outlive this object. program: path of vitrail on this host.
  NodeCheckups(sail::Loop& loop, NodeLogs& logs, const sail::Wall& wall, NodeStart start,
               std::string program, int64_t timeout_ms = kTimeoutMs);

  // Calls done once, with the findings. kNotFound: unknown node. kLimit: too many checks are
  // running. kUnavailable: the node cannot reach this manager. kIo: the check failed or timed out.
  using Done = std::function<void(const sail::Result<sail::Json>&)>;
  void run(const std::string& node, const Done& done);

 private:
  struct Checkup {
    std::unique_ptr<sail::Process> process;
    std::unique_ptr<sail::Timer> timeout;
    bool late = false;  // The timeout has ended it.
  };
  // Returns the command for the node.
  NodeProgram program_for(const sail::AppPlace& node) const;
  sail::Result<sail::Json> findings(const std::string& node, std::string_view output,
                                    const std::string& how) const;

  sail::Loop& loop_;
  NodeLogs& logs_;
  const sail::Wall& wall_;
  const NodeStart start_;
  const std::string program_;
  const int64_t timeout_ms_;
  int next_ = 1;
  std::map<int, Checkup> checkups_;
};

}  // namespace manager
