#pragma once

#include <eddy/http/routing/router.hpp>

namespace todo {

/// The page for browsers: /, with /style.css and /script.js. It is part of the program.
void add_page_to(eddy::http::router& routes);

}  // namespace todo
