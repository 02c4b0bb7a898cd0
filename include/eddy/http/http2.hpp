#pragma once

// HTTP/2, for servers and clients. Programs that include this are linked with eddy::http2.
#include <eddy/http/h2/http2.hpp>
#include <eddy/http/h2/http2_options.hpp>
