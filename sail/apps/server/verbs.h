// The verbs of the control connection, and films as JSON in their answers. README.md is the
// normative text; a test compares the two.
#pragma once

#include <vector>

#include "sail/apps/server/catalogue/catalogue_service.h"
#include "sail/apps/server/playout/admission.h"
#include "sail/apps/server/playout/film.h"
#include "sail/apps/server/playout/film_storage.h"
#include "sail/core/rpc/rpc_service.h"
#include "sail/core/text/json.h"

namespace server {

class FilmServer;

// Sorted by name. The server must outlive the verbs.
std::vector<sail::RpcVerb> film_verbs(FilmServer& server);

sail::Json film_json(const Film& film);
sail::Json source_json(const char* name, const SourceLoad& load, const ReadFigures& reading);
sail::Json title_json(const CatalogueEntry& entry);
sail::Json titles_json(const Titles& titles);
// Returns "ended", "closed", "stopped" or "failed".
const char* end_name(FilmEnd why);

}  // namespace server
