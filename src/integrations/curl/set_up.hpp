#pragma once

#include <eddy/integrations/curl/request.hpp>

namespace eddy::curl {

class transfer_state;

/// Sets the options of a transfer's easy handle. Throws std::system_error, std::bad_alloc.
void set_up(transfer_state& transfer, const request& req, const transfer_options& options);

}  // namespace eddy::curl
