#include "sail/media/storage/http/far_document.h"

#include <fmt/format.h>

#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <span>

#include "sail/core/text/text.h"
#include "sail/media/storage/http/curl_transfers.h"
#include "sail/media/storage/http/far_reply.h"
#include "sail/media/storage/reading/loop_thread.h"

namespace sail {
namespace {

constexpr int64_t kDocumentSilenceMs = 5000;

}  // namespace

Result<std::string> fetch_document(const std::string& url, size_t most_bytes,
                                   const GiveUp& give_up) {
  const std::string name = without_passwords(url);
  std::string document(most_bytes, '\0');
  const std::span bytes(reinterpret_cast<uint8_t*>(document.data()), document.size());
  const auto replied = std::make_shared<std::promise<FarReply>>();
  auto answer = replied->get_future();
  LoopThread thread;
  std::optional<CurlTransfers> transfers;
  std::shared_ptr<CurlTransfers::Transfer> transfer;
  thread.run([&] {
    transfers.emplace(thread.loop(), FarAddress{url, {}}, kDocumentSilenceMs);
    transfer = transfers->begin({.offset = 0, .bytes = bytes, .whole = true},
                                [replied](const FarReply& reply) { replied->set_value(reply); });
  });
  const bool came = wait_unless_given_up(answer, give_up);
  thread.run([&] {
    transfer.reset();
    transfers.reset();
  });
  if (!came) return fail(ErrorCode::kTimeout, fmt::format("{} did not arrive in time", name));
  const FarReply reply = answer.get();
  if (reply.trouble == FarTrouble::kTooMuch) {
    return fail(ErrorCode::kLimit, fmt::format("{} has more than {} bytes", name, most_bytes));
  }
  const FarOutcome outcome = judge(FarFilm{name, 0, {}}, 0, reply);
  if (outcome.error) return *outcome.error;
  document.resize(reply.received);
  return document;
}

}  // namespace sail
