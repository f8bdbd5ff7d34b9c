// A wall of real processes on loopback for benchmarks: a manager, and receivers with displays in
// memory.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/core/rpc/rpc_client.h"

namespace bench {

// How long a manager on an overloaded machine may take to answer before a benchmark fails.
constexpr int64_t kAnswerMs = 60'000;

class BenchWall {
 public:
  struct Setup {
    sail::Size size;  // size of the wall, divided into columns × rows tiles
    int columns = 2;
    int rows = 2;
    // Arguments of `vitrail impair` for a relay in front of each receiver; empty optional: no
    // relays.
    std::optional<std::vector<std::string>> relays{};
    // Refresh rate of the receivers' displays; 0: they show everything at once. phases_ms is the
    // phase difference between the first and the last display.
    double refresh_hz = 0;
    double phases_ms = 0;
    // Writes the programs' output to log_file().
    bool log_to_file = false;
    // Columns and rows of tiles of each receiver.
    sail::Size tiles_of_receiver{1, 1};
    // 0: each receiver is a vitrail-receiver. Otherwise this number of processes hosts all
    // receivers, and receivers() lists these processes; relays and refresh are not supported.
    int node_processes = 0;
  };
  // Starts everything and waits until all receivers are connected.
  static sail::Result<std::unique_ptr<BenchWall>> start(const Setup& setup);
  // Starts another program of the build, which is ended with the others.
  sail::Result<pid_t> start_program(const char* name, std::vector<std::string> arguments);
  // Runs a program to its end. Returns an error if it failed.
  sail::Result<void> run_program(const char* name, std::vector<std::string> arguments);
  // Sends the signal and waits for the end. Returns an error if the program ended in another way.
  sail::Result<void> end_program(pid_t pid, int signal = SIGTERM);
  // Returns an error if one of the programs has ended.
  sail::Result<void> nobody_has_ended();
  // Starts another manager on the former one's port; call end_program(manager()) before.
  sail::Result<void> start_manager_again();
  // Makes a new client(): retries for 15 s until the manager admits it.
  sail::Result<void> connect();
  // Ends a receiver, by its index in receivers(), and starts another in its place.
  sail::Result<void> replace_receiver(size_t index, int signal = SIGKILL);
  // Polls every 20 ms until the file contains a number, for at most 15 s.
  static sail::Result<int> wait_for_port(const std::string& file);
  // Bytes that the relays forwarded to the receivers in each ms, by time of day in ms. Ends the
  // relays.
  std::map<int64_t, uint64_t> end_relays();
  // Folder for files of the programs; deleted at the end.
  const std::string& folder() const { return folder_; }
  std::string log_file() const { return folder_ + "/log"; }
  // Ends every process and waits for it.
  ~BenchWall();
  BenchWall(const BenchWall&) = delete;
  BenchWall& operator=(const BenchWall&) = delete;

  const std::string& manager_address() const { return manager_address_; }
  // The receivers' ports for streams.
  const std::vector<uint16_t>& data_ports() const { return data_ports_; }
  pid_t manager() const { return manager_; }
  const std::vector<pid_t>& receivers() const { return receivers_; }
  sail::RpcClient& client() { return *client_; }

 private:
  BenchWall() = default;
  sail::Result<void> start_manager(const std::string& listen);
  sail::Result<void> start_receivers(const Setup& setup);
  sail::Result<void> start_receiver(const Setup& setup, int number);
  // Returns the relay's port.
  sail::Result<int> start_relay(const std::vector<std::string>& options, int number, int data_port);
  std::string traffic_file(int number) const;

  std::string folder_;
  bool log_to_file_ = false;
  std::string manager_address_;
  pid_t manager_ = 0;
  std::vector<pid_t> processes_;                              // all of them
  std::vector<pid_t> receivers_;                              // the receivers among them
  std::vector<std::vector<std::string>> receiver_arguments_;  // command line of each
  std::vector<pid_t> relays_;                                 // the relays among the processes
  std::vector<uint16_t> data_ports_;
  std::unique_ptr<sail::RpcClient> client_;
};

}  // namespace bench
