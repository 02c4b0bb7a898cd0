#pragma once

// A router and its middleware: authentication, compression, CORS, limits, logs, metrics. JSON, which needs nlohmann's library, comes
// with <eddy/http/json.hpp>.

#include <eddy/http/routing/access_log.hpp>
#include <eddy/http/routing/authentication.hpp>
#include <eddy/http/routing/compression.hpp>
#include <eddy/http/routing/concurrency_limit.hpp>
#include <eddy/http/routing/cors.hpp>
#include <eddy/http/routing/extract.hpp>
#include <eddy/http/routing/health.hpp>
#include <eddy/http/routing/metrics_registry.hpp>
#include <eddy/http/routing/middleware.hpp>
#include <eddy/http/routing/rate_limit.hpp>
#include <eddy/http/routing/request_id.hpp>
#include <eddy/http/routing/request_timeout.hpp>
#include <eddy/http/routing/route.hpp>
#include <eddy/http/routing/route_handler.hpp>
#include <eddy/http/routing/router.hpp>
#include <eddy/http/routing/security_headers.hpp>
#include <eddy/http/routing/serve.hpp>
#include <eddy/http/routing/server_metrics.hpp>
#include <eddy/http/routing/token_bucket.hpp>
