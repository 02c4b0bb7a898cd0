#pragma once

#include <eddy/integrations/curl/request.hpp>

namespace eddy::curl {

class transfer_state;

/// The part of set_up() that says what is sent, and by which method.
void set_up_method(transfer_state& transfer, const request& req);

}  // namespace eddy::curl
