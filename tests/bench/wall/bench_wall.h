// A wall of real processes on loopback for benchmarks: manager and receivers, in memory.
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

class BenchWall {
 public:
  struct Setup {
    sail::Size size;  // of the wall, cut into columns × rows tiles
    int columns = 2;
    int rows = 2;
    // Arguments of `vitrail impair` for a relay before each receiver; nothing: no relays.
    std::optional<std::vector<std::string>> relays{};
    // Of the receivers' displays; 0: they show everything at once. From the first to the last of
    // them it is by so much later.
    double refresh_hz = 0;
    double phases_ms = 0;
    // What the programs say goes into log_file().
    bool log_to_file = false;
    // Columns and rows of tiles that a receiver has.
    sail::Size tiles_of_receiver{1, 1};
    // 0: each receiver is a vitrail-receiver. Else they are shared out among so many processes,
    // which receivers() are then; no relays and no refresh.
    int node_processes = 0;
  };
  // Starts everything and waits until all receivers are connected.
  static sail::Result<std::unique_ptr<BenchWall>> start(const Setup& setup);
  // Another program of the build, ended with the others; its arguments follow its name.
  sail::Result<pid_t> start_program(const char* name, std::vector<std::string> arguments);
  // One that ends by itself: waits for that. An error when it says that it failed.
  sail::Result<void> run_program(const char* name, std::vector<std::string> arguments);
  // By that signal, and waits for its end; an error when it ended otherwise.
  sail::Result<void> end_program(pid_t pid, int signal = SIGTERM);
  // An error when one of its programs has ended by itself.
  sail::Result<void> nobody_has_ended();
  // Another manager on the port of the one that was: end_program(manager()) comes before.
  sail::Result<void> start_manager_again();
  // A new client(): as soon as the manager lets it in, within 15 s.
  sail::Result<void> connect();
  // Ends a receiver, by its place in receivers(), and starts another in its place.
  sail::Result<void> replace_receiver(size_t index, int signal = SIGKILL);
  // Looks every 20 ms until that file has a number, for at most 15 s.
  static sail::Result<int> wait_for_port(const std::string& file);
  // What the relays have counted on their way to the receivers: bytes in each ms, by the time of
  // day in ms. Ends the relays.
  std::map<int64_t, uint64_t> end_relays();
  // For files of its programs; emptied in the end.
  const std::string& folder() const { return folder_; }
  std::string log_file() const { return folder_ + "/log"; }
  // Ends every process and waits for it.
  ~BenchWall();
  BenchWall(const BenchWall&) = delete;
  BenchWall& operator=(const BenchWall&) = delete;

  const std::string& manager_address() const { return manager_address_; }
  // Where the receivers listen for streams.
  const std::vector<uint16_t>& data_ports() const { return data_ports_; }
  pid_t manager() const { return manager_; }
  const std::vector<pid_t>& receivers() const { return receivers_; }
  sail::RpcClient& client() { return *client_; }

 private:
  BenchWall() = default;
  sail::Result<void> start_manager(const std::string& listen);
  sail::Result<void> start_receivers(const Setup& setup);
  sail::Result<void> start_receiver(const Setup& setup, int number);
  // Its port.
  sail::Result<int> start_relay(const std::vector<std::string>& options, int number, int data_port);
  std::string traffic_file(int number) const;

  std::string folder_;
  bool log_to_file_ = false;
  std::string manager_address_;
  pid_t manager_ = 0;
  std::vector<pid_t> processes_;                              // all of them
  std::vector<pid_t> receivers_;                              // of them
  std::vector<std::vector<std::string>> receiver_arguments_;  // of each
  std::vector<pid_t> relays_;                                 // of the processes
  std::vector<uint16_t> data_ports_;
  std::unique_ptr<sail::RpcClient> client_;
};

}  // namespace bench
