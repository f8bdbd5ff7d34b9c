#include "sail/core/wall/webhooks.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sail/core/text/limits.h"
#include "sail/core/wall/node_places.h"

namespace sail {
namespace {

constexpr size_t kMostWebhookUrl = 2048;
constexpr size_t kMostWebhookPath = 4096;

bool is_web_url(const std::string& url) {
  const size_t scheme = url.starts_with("https://") ? 8 : url.starts_with("http://") ? 7 : 0;
  return scheme > 0 && url.size() > scheme && url[scheme] != '/' &&
         url.find(' ') == std::string::npos;
}

std::string read_webhook_path(JsonFields& fields, const char* key) {
  if (!fields.has(key)) return "";
  std::string path = fields.raw_string(key, kMostWebhookPath);
  if (!path.starts_with('/')) {
    fields.mistake(key, "must be the absolute path of a file on the manager's host");
  }
  return path;
}

std::vector<Happening> read_happenings(JsonFields& fields) {
  std::vector<Happening> on;
  for (const Json& item : fields.array("on", std::size(kHappenings.words))) {
    const auto* word = item.get_ptr<const std::string*>();
    const auto happening = word == nullptr ? std::nullopt : kHappenings.find(*word);
    if (happening && happening != Happening::kTest) {
      on.push_back(*happening);
      continue;
    }
    std::string known;
    for (const auto& one : kHappenings.words) {
      if (one.value == Happening::kTest) continue;
      known += fmt::format("{}\"{}\"", known.empty() ? "" : ", ", one.word);
    }
    fields.mistake("on", "must contain some of " + known);
    return on;
  }
  if (on.empty()) fields.mistake("on", "must not be empty");
  return on;
}

Result<Webhook> read_webhook(const Json& object, const std::string& where) {
  JsonFields fields(object, where, JsonFields::Report::kAll);
  Webhook webhook;
  webhook.name = fields.string("name", kMaxNameLength);
  check_name(fields, "name", webhook.name);
  webhook.url = fields.raw_string("url", kMostWebhookUrl);
  if (!is_web_url(webhook.url)) {
    fields.mistake("url", R"(must be a web address, such as "https://example.org/wall")");
  }
  webhook.on = read_happenings(fields);
  webhook.secret_file = read_webhook_path(fields, "secret_file");
  webhook.headers_file = read_webhook_path(fields, "headers_file");
  if (auto error = fields.finish()) return *error;
  return webhook;
}

}  // namespace

bool Webhook::wants(Happening happening) const {
  return happening == Happening::kTest || std::ranges::find(on, happening) != on.end();
}

Result<std::vector<Webhook>> read_webhooks(const Json& list, const std::string& where) {
  std::vector<Webhook> webhooks;
  Mistakes mistakes;
  for (size_t i = 0; i < list.size(); ++i) {
    auto webhook = mistakes.take(read_webhook(list[i], fmt::format("{}[{}]", where, i)));
    if (webhook) webhooks.push_back(std::move(*webhook));
  }
  if (const auto name = repeated_name(webhooks)) {
    mistakes.add(fmt::format("{}: the name \"{}\" is used twice", where, *name));
  }
  if (mistakes.error()) return *mistakes.error();
  return webhooks;
}

Json webhooks_json(const std::vector<Webhook>& webhooks) {
  Json list = Json::array();
  for (const Webhook& webhook : webhooks) {
    Json on = Json::array();
    for (const Happening happening : webhook.on) on.push_back(kHappenings.word(happening));
    Json object = {{"name", webhook.name}, {"url", webhook.url}, {"on", std::move(on)}};
    if (!webhook.secret_file.empty()) object["secret_file"] = webhook.secret_file;
    if (!webhook.headers_file.empty()) object["headers_file"] = webhook.headers_file;
    list.push_back(std::move(object));
  }
  return list;
}

std::string public_part(const std::string& url) {
  const size_t scheme = url.find("://") + 3;
  const std::string host = url.substr(scheme, url.find_first_of("/?#", scheme) - scheme);
  return url.substr(0, scheme) + host.substr(host.rfind('@') + 1);
}

}  // namespace sail
