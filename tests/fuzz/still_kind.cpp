// What a picture file is: whatever the bytes are, what is not a still has no traits of one.
#include "sail/media/still/still_kind.h"

#include "tests/fuzz/fuzz.h"

FUZZ_TARGET(still_kind) {
  const sail::StillTraits traits = sail::still_traits({data, size});
  if (traits.kind == sail::StillKind::kNone) {
    fuzz::require(!traits.film && !traits.wide, "what is not a still has no traits");
  }
  return 0;
}
