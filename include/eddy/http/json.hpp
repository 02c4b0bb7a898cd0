#pragma once

// JSON in requests and responses, for which nlohmann's library is needed.

#include <eddy/http/routing/json.hpp>
