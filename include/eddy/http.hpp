#pragma once

// TLS, HTTP and WebSocket at once, for programs. Each header stands alone as well; JSON, which needs
// nlohmann's library, comes with <eddy/http/json.hpp>.

#include <eddy/http/client.hpp>
#include <eddy/http/message.hpp>
#include <eddy/http/router.hpp>
#include <eddy/http/server.hpp>
#include <eddy/http/static_files.hpp>
#include <eddy/http/websocket.hpp>
#include <eddy/tls/tls_client_options.hpp>
#include <eddy/tls/tls_context.hpp>
#include <eddy/tls/tls_error.hpp>
#include <eddy/tls/tls_server_options.hpp>
#include <eddy/tls/tls_stream.hpp>
#include <eddy/tls/tls_target.hpp>
