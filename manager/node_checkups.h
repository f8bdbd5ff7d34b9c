// Has `vitrail doctor` look at a node from there, and brings what it has found. Thread: the loop's.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "manager/node_command.h"
#include "manager/node_logs.h"
#include "sail/net/process.h"
#include "sail/wire/json.h"

namespace manager {

class NodeCheckups {
 public:
  static constexpr size_t kMostAtOnce = 64;

  // The wall outlives this. program: vitrail, of this host.
  NodeCheckups(sail::Loop& loop, NodeLogs& logs, const sail::Wall& wall, NodeStart start,
               std::string program);

  // done comes once: the findings. kNotFound: the wall has no such node; kLimit; kIo, kTimeout: why
  // it could not look.
  using Done = std::function<void(const sail::Result<sail::Json>&)>;
  void run(const std::string& node, const Done& done);

 private:
  struct Checkup {
    std::unique_ptr<sail::Process> process;
    std::unique_ptr<sail::Timer> patience;
  };
  // What is run there, and with which program.
  NodeProgram program_for(const sail::AppPlace& node) const;
  sail::Result<sail::Json> findings(const std::string& node, std::string_view output,
                                    const std::string& how) const;

  sail::Loop& loop_;
  NodeLogs& logs_;
  const sail::Wall& wall_;
  const NodeStart start_;
  const std::string program_;
  int next_ = 1;
  std::map<int, Checkup> checkups_;
};

}  // namespace manager
