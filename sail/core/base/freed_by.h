// Deleter for objects of a C library: std::unique_ptr<CURL, FreedBy<curl_easy_cleanup>>.
#pragma once

namespace sail {

template <auto kFree>
struct FreedBy {
  void operator()(auto* object) const { kFree(object); }
};

}  // namespace sail
