#pragma once

// A server and what its handlers get: exchanges, requests, responses, event streams, forms.

#include <eddy/http/codec/multipart_limits.hpp>
#include <eddy/http/server/connection_info.hpp>
#include <eddy/http/server/event_stream.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/http/server/multipart_reader.hpp>
#include <eddy/http/server/request_body.hpp>
#include <eddy/http/server/request_error.hpp>
#include <eddy/http/server/response.hpp>
#include <eddy/http/server/response_filter.hpp>
#include <eddy/http/server/server.hpp>
#include <eddy/http/server/server_options.hpp>
#include <eddy/http/server/uploaded_file.hpp>
