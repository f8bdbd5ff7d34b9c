// Films as JSON on the control connection, see README.md.
#pragma once

#include "sail/apps/server/catalogue/catalogue_service.h"
#include "sail/apps/server/playout/admission.h"
#include "sail/apps/server/playout/film.h"
#include "sail/apps/server/playout/film_storage.h"
#include "sail/core/text/json.h"

namespace server {

sail::Json film_json(const Film& film);
sail::Json source_json(const char* name, const SourceLoad& load, const ReadFigures& reading);
sail::Json title_json(const CatalogueEntry& entry);
sail::Json titles_json(const Titles& titles);
// Returns "ended", "closed", "stopped" or "failed".
const char* end_name(FilmEnd why);

}  // namespace server
