// The module eddy.redis: Redis.
// Written by scripts/check_tree.py --update-modules from the public headers.
module;

#include <eddy/integrations/redis/client.hpp>
#include <eddy/integrations/redis/cluster_client.hpp>
#include <eddy/integrations/redis/connection.hpp>
#include <eddy/integrations/redis/error.hpp>
#include <eddy/integrations/redis/executor.hpp>
#include <eddy/integrations/redis/options.hpp>
#include <eddy/integrations/redis/reply.hpp>
#include <eddy/integrations/redis/reply_conversion.hpp>
#include <eddy/integrations/redis/request.hpp>
#include <eddy/integrations/redis/scan.hpp>
#include <eddy/integrations/redis/script.hpp>
#include <eddy/integrations/redis/subscriber.hpp>

export module eddy.redis;

export import eddy.tls;

export namespace eddy::redis {
using eddy::redis::client;
using eddy::redis::client_error;
using eddy::redis::cluster_client;
using eddy::redis::connection;
using eddy::redis::connection_event;
using eddy::redis::dedicated_connection;
using eddy::redis::error;
using eddy::redis::error_category;
using eddy::redis::event_handler;
using eddy::redis::executor;
using eddy::redis::first_key;
using eddy::redis::make_error_code;
using eddy::redis::message;
using eddy::redis::options;
using eddy::redis::pipeline;
using eddy::redis::reply;
using eddy::redis::reply_conversion;
using eddy::redis::reply_kind;
using eddy::redis::reply_limits;
using eddy::redis::reply_reader;
using eddy::redis::request;
using eddy::redis::scan;
using eddy::redis::scan_hash;
using eddy::redis::scan_options;
using eddy::redis::scan_set;
using eddy::redis::scan_sorted_set;
using eddy::redis::script;
using eddy::redis::subscriber;
using eddy::redis::throw_wrong_type;
using eddy::redis::to_string;
}  // namespace eddy::redis
