// Opens films by their names, whatever they are: cinema packages (DCP, IMF), JPEG 2000 as it is
// stored, stills of libvips, and all that FFmpeg reads. Not .vmov. Errors begin with a name.
#pragma once

#include <memory>
#include <string>

#include "sail/core/base/result.h"
#include "sail/media/codestream/codestream_source.h"
#include "sail/media/ffmpeg/media_source.h"
#include "sail/media/ffmpeg/sound/media_source_sound.h"
#include "sail/media/source/source.h"

namespace sail {

// True for packages, and as is_codestream_film().
bool is_stored_film(const std::string& name);
// Pictures as they are stored; info().stored is set.
Result<std::unique_ptr<Source>> open_stored_film(const std::string& name,
                                                 const CodestreamOptions& options);
// Access units; info().stored is set. Refuses films that must be decoded before they are sent.
Result<std::unique_ptr<Source>> open_carried_film(const std::string& name,
                                                  const MediaOptions& options);
Result<std::unique_ptr<Source>> open_decoded_film(const std::string& name,
                                                  const MediaOptions& options);

// Opens the sound of packages, files and sound cards. track: see parse_sound_track(); not for
// packages. kNotFound: no sound, or none that can be opened a second time.
Result<std::unique_ptr<MediaSound>> open_film_sound(const std::string& name,
                                                    int track = kUsualSoundTrack);

}  // namespace sail
