// Built instead of nfs_bytes.cpp if libnfs is missing.
#include "sail/media/storage/nfs/nfs_bytes.h"

namespace sail {

Result<std::unique_ptr<const ByteSource>> open_nfs(const std::string& uri, const GiveUp&,
                                                   const FarTimeouts&) {
  return fail(
      ErrorCode::kInvalidParams,
      "cannot open " + uri + ": this program was built without libnfs: mount the export instead");
}

}  // namespace sail
