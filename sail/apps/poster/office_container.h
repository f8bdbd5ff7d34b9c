// The files inside an office document, which is a ZIP file. Only office_container.cpp uses libgsf.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "sail/core/base/result.h"

typedef struct _GsfInfile GsfInfile;

namespace sail {

// Untrusted input. One thread.
class OfficeContainer {
 public:
  // bytes: must outlive this object. kBadData: not a ZIP file. Errors are phrases: "is …".
  static Result<OfficeContainer> open(std::string_view bytes);

  // name: as in "ppt/presentation.xml". Returns the content of the file. kNotFound: there is none.
  // kLimit: larger than most_bytes, which is checked before memory is allocated. kBadData: damaged.
  Result<std::string> read(const std::string& name, size_t most_bytes) const;

 private:
  struct Unref {
    void operator()(GsfInfile* file) const;
  };
  explicit OfficeContainer(GsfInfile* zip) : zip_(zip) {}

  std::unique_ptr<GsfInfile, Unref> zip_;
};

}  // namespace sail
