// Built instead of gluster_bytes.cpp without libgfapi.
#include "sail/media/storage/gluster/gluster_bytes.h"

namespace sail {

Result<std::unique_ptr<const ByteSource>> open_gluster(const std::string& uri, const GiveUp&,
                                                       int64_t) {
  return fail(ErrorCode::kInvalidParams,
              "cannot open " + uri + ": this was built without libgfapi (mount it instead)");
}

}  // namespace sail
