#pragma once

// A client, its requests and responses, its cookies and proxies.

#include <eddy/http/client/client.hpp>
#include <eddy/http/client/client_connection.hpp>
#include <eddy/http/client/client_options.hpp>
#include <eddy/http/client/client_request.hpp>
#include <eddy/http/client/client_response.hpp>
#include <eddy/http/client/cookie_jar.hpp>
#include <eddy/http/client/outgoing_body.hpp>
#include <eddy/http/client/response_body.hpp>
