#pragma once

#include <eddy/integrations/curl/request.hpp>

namespace eddy::curl {

class transfer_state;

/// Tells the easy handle of a transfer what is asked for. Throws std::system_error, std::bad_alloc.
void set_up(transfer_state& transfer, const request& asked, const transfer_options& options);

}  // namespace eddy::curl
