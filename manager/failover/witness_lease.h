// This manager's lease from the witness: got and renewed once a second, on a thread of its own.
// Thread: any.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "manager/failover/etcd_client.h"
#include "manager/failover/quorum.h"
#include "sail/core/base/result.h"
#include "sail/core/wall/witness.h"

namespace manager {

class WitnessLease {
 public:
  struct State {
    uint64_t term = 0;                  // term of the lease
    std::optional<int64_t> asked_ns{};  // steady time before the last confirmation; empty: no lease
    uint64_t other_term = 0;            // term of a manager that has or had the lease instead; 0:
                                        // none
    std::string trouble{};              // a sentence; empty: the witness answered last time

    bool held(int64_t now_ns) const { return asked_ns && Quorum::lasts(*asked_ns, now_ns); }
  };

  // wall: the wall's name.
  WitnessLease(const sail::Witness& witness, const std::string& wall);
  // Gives the lease back. Waits at most for three calls of EtcdClient.
  ~WitnessLease();
  WitnessLease(const WitnessLease&) = delete;
  WitnessLease& operator=(const WitnessLease&) = delete;

  // Tries to get and keep the lease until release(). A claim like the last one changes nothing.
  void claim(const Claim& claim);
  void release();
  State state() const;

 private:
  struct Round {
    uint64_t term = 0;   // 0: another manager has the lease
    uint64_t other = 0;  // term of that manager
  };

  void run();
  // Gets or renews the lease. Only on the thread.
  sail::Result<Round> try_once(const Claim& claim);
  void note(int64_t asked_ns, const sail::Result<Round>& round);
  void give_back();

  const std::string name_;  // text of the witness's address
  EtcdClient client_;
  size_t trouble_server_ = 0;  // The server that State::trouble is about.
  std::string lease_;          // id of the lease; empty: none. Only on the thread.
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by mutex_.
  std::optional<Claim> claim_;
  State state_;
  bool ending_ = false;
  std::thread thread_;  // Last, because it uses the other members.
};

}  // namespace manager
