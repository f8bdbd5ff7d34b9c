#include "sail/core/loop/loop.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/loop_test.h"

namespace sail {
namespace {

TEST(Loop, TasksRunInTheOrderOfPosting) {
  Loop loop;
  std::vector<int> order;
  for (int i = 0; i < 100; ++i) loop.post([&order, i] { order.push_back(i); });
  EXPECT_TRUE(order.empty()) << "a task ran inside post()";
  ASSERT_TRUE(run_until(loop, [&] { return order.size() == 100; }));
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<size_t>(i)], i);
}

TEST(Loop, TasksPostedFromManyThreadsAllRun) {
  constexpr int kThreads = 8;
  constexpr int kTasks = 5000;
  Loop loop;
  std::array<int, kThreads> next{};  // used on the loop's thread only
  int out_of_order = 0;
  int ran = 0;
  std::vector<std::thread> threads;
  for (size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kTasks; ++i) {
        loop.post([&, t, i] {
          if (next[t]++ != i) ++out_of_order;
          if (++ran == kThreads * kTasks) loop.stop();
        });
      }
    });
  }
  loop.run();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(ran, kThreads * kTasks);
  EXPECT_EQ(out_of_order, 0);
}

TEST(Loop, StopFromAnotherThreadEndsRun) {
  Loop loop;
  std::atomic<bool> ran = false;
  std::thread thread([&] { loop.run(); });
  loop.post([&] { ran = true; });
  loop.stop();
  thread.join();
  EXPECT_TRUE(ran) << "tasks posted before stop() run";
}

TEST(Loop, StopBeforeRunEndsTheNextRunOnly) {
  Loop loop;
  loop.stop();
  loop.run();
  bool ran = false;
  loop.post([&] { ran = true; });
  EXPECT_TRUE(run_until(loop, [&] { return ran; }));
}

TEST(Loop, StopWhileARunEndsIsNotKeptForTheNext) {
  Loop loop;
  loop.post([&] {
    loop.stop();
    loop.post([&] { loop.stop(); });  // runs when the first stop() is handled
  });
  loop.run();
  bool ran = false;
  Timer timer(loop);
  timer.start(50, 0, [&] {  // after the wake-up of the second stop()
    ran = true;
    loop.stop();
  });
  loop.run();
  EXPECT_TRUE(ran);
}

TEST(Loop, TasksLeftAreDestroyedUnrun) {
  auto held = std::make_shared<int>(0);
  bool ran = false;
  {
    Loop loop;
    // The destructor of the first task's state posts again.
    struct Poster {
      Loop* loop;
      std::shared_ptr<int> held;
      ~Poster() {
        loop->post([held = held] {});
      }
    };
    loop.post([&ran, poster = std::make_shared<Poster>(&loop, held)] { ran = true; });
  }
  EXPECT_FALSE(ran);
  EXPECT_EQ(held.use_count(), 1);
}

TEST(Loop, IgnoresSigpipeButKeepsAHandler) {
  struct sigaction before {};
  sigaction(SIGPIPE, nullptr, &before);
  struct sigaction now {};
  signal(SIGPIPE, SIG_DFL);
  { const Loop loop; }
  sigaction(SIGPIPE, nullptr, &now);
  EXPECT_EQ(now.sa_handler, SIG_IGN);

  const auto handler = [](int) {};
  signal(SIGPIPE, handler);
  { const Loop loop; }
  sigaction(SIGPIPE, nullptr, &now);
  EXPECT_EQ(now.sa_handler, static_cast<void (*)(int)>(handler));
  sigaction(SIGPIPE, &before, nullptr);
}

TEST(Timer, FiresOnceOrAgainAndAgain) {
  Loop loop;
  int once = 0;
  int repeated = 0;
  Timer a(loop);
  Timer b(loop);
  a.start(0, 0, [&] { ++once; });
  b.start(0, 1, [&] { ++repeated; });
  EXPECT_EQ(once, 0) << "the callback came inside start()";
  ASSERT_TRUE(run_until(loop, [&] { return repeated == 5; }));
  EXPECT_EQ(once, 1);
}

TEST(Timer, FiresInTheOrderOfTimesFromNow) {
  Loop loop;
  std::vector<int> order;
  Timer late(loop);
  Timer early(loop);
  late.start(20, 0, [&] { order.push_back(20); });
  early.start(5, 0, [&] { order.push_back(5); });
  ASSERT_TRUE(run_until(loop, [&] { return order.size() == 2; }));
  EXPECT_EQ(order, (std::vector{5, 20}));
}

TEST(Timer, StoppedOrDestroyedNeverFires) {
  Loop loop;
  bool fired = false;
  Timer stopped(loop);
  stopped.start(0, 0, [&] { fired = true; });
  stopped.stop();
  {
    Timer destroyed(loop);
    destroyed.start(0, 1, [&] { fired = true; });
  }
  run_some(loop);
  EXPECT_FALSE(fired);
}

TEST(Timer, MayChangeItselfInsideItsCallback) {
  Loop loop;
  std::string events;
  auto destroyed = std::make_unique<Timer>(loop);
  // The string keeps the callback's state on the heap, where ASan detects a use after free.
  destroyed->start(0, 1, [&, text = std::string(100, 'd')] {
    destroyed.reset();
    events += text[0];
  });
  Timer stopped(loop);
  stopped.start(0, 1, [&, text = std::string(100, 's')] {
    stopped.stop();
    events += text[0];
  });
  Timer restarted(loop);
  restarted.start(0, 1, [&, text = std::string(100, 'r')] {
    restarted.start(0, 0, [&] { events += 'R'; });
    events += text[0];
  });
  ASSERT_TRUE(run_until(loop, [&] { return events.size() == 4; }));
  run_some(loop);
  EXPECT_EQ(events, "dsrR");
}

TEST(Timer, ReleasesWhatItsCallbackHolds) {
  const auto held = std::make_shared<int>(0);
  {
    Loop loop;
    Timer once(loop);
    once.start(0, 0, [held] {});
    Timer stopped(loop);
    stopped.start(0, 1, [held] {});
    ASSERT_TRUE(run_until(loop, [&] { return held.use_count() == 2; })) << "after firing";
    stopped.stop();
    EXPECT_EQ(held.use_count(), 1) << "after stop()";
    // A timer owned by its own callback is destroyed with the loop.
    auto owned = std::make_shared<Timer>(loop);
    Timer& timer = *owned;
    timer.start(1000000, 0, [held, owned = std::move(owned)] {});
  }
  EXPECT_EQ(held.use_count(), 1) << "after the loop";
}

TEST(Timer, Moves) {
  Loop loop;
  int calls = 0;
  Timer a(loop);
  a.start(0, 1, [&] { ++calls; });
  const Timer b(std::move(a));
  EXPECT_TRUE(run_until(loop, [&] { return calls == 3; }));
}

TEST(SignalWatch, CallsBackUntilDestroyed) {
  Loop loop;
  int seen = 0;
  std::optional<SignalWatch> watch;
  watch.emplace(loop, SIGUSR1, [&, text = std::string(100, 's')] {
    if (++seen == 2) watch.reset();
    EXPECT_EQ(text.size(), 100U);
  });
  raise(SIGUSR1);
  ASSERT_TRUE(run_until(loop, [&] { return seen == 1; }));
  raise(SIGUSR1);
  ASSERT_TRUE(run_until(loop, [&] { return seen == 2; }));
  EXPECT_FALSE(watch);
}

TEST(ReadWatch, CallsBackWhenBytesAreThere) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  {
    Loop loop;
    std::string text;
    bool ended = false;
    std::unique_ptr<ReadWatch> watch;
    watch = std::make_unique<ReadWatch>(loop, ends[0], [&] {
      char byte = 0;
      if (read(ends[0], &byte, 1) == 1) {
        text += byte;
      } else {
        ended = true;
        watch.reset();
      }
    });
    run_some(loop);
    EXPECT_EQ(text, "");
    ASSERT_EQ(write(ends[1], "abc", 3), 3);
    ASSERT_TRUE(run_until(loop, [&] { return text == "abc"; }));
    close(ends[1]);
    ASSERT_TRUE(run_until(loop, [&] { return ended; }));
  }
  close(ends[0]);
}

TEST(ReadWatch, ARegularFileCanAlwaysBeRead) {
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  {
    Loop loop;
    int calls = 0;
    std::optional<ReadWatch> watch;
    watch.emplace(loop, fileno(file), [&] {
      if (++calls == 3) watch.reset();
    });
    EXPECT_TRUE(run_until(loop, [&] { return calls == 3; }));
  }
  std::fclose(file);
}

TEST(SocketWatch, TellsWhatIsWantedOfASocket) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  Loop loop;
  int readable = 0;
  int writable = 0;
  {
    SocketWatch watch(loop, ends[0], [&](bool can_read, bool can_write) {
      readable += can_read ? 1 : 0;
      writable += can_write ? 1 : 0;
    });
    run_some(loop);
    EXPECT_EQ(readable + writable, 0) << "nothing is wanted yet";
    watch.want(false, true);
    EXPECT_TRUE(run_until(loop, [&] { return writable > 0; }));
    watch.want(true, false);
    run_some(loop);
    EXPECT_EQ(readable, 0);
    ASSERT_EQ(write(ends[1], "x", 1), 1);
    EXPECT_TRUE(run_until(loop, [&] { return readable > 0; }));
    watch.want(false, false);
    readable = writable = 0;
    run_some(loop);
    EXPECT_EQ(readable + writable, 0);
    close(ends[1]);
    watch.want(true, true);
    EXPECT_TRUE(run_until(loop, [&] { return readable > 0 && writable > 0; }));
  }
  run_some(loop);
  close(ends[0]);
}

}  // namespace
}  // namespace sail
