// The module eddy.pq: PostgreSQL.
// Written by scripts/check_tree.py --update-modules from the public headers.
module;

#include <eddy/integrations/pq/array.hpp>
#include <eddy/integrations/pq/batch.hpp>
#include <eddy/integrations/pq/command.hpp>
#include <eddy/integrations/pq/connection.hpp>
#include <eddy/integrations/pq/connection_options.hpp>
#include <eddy/integrations/pq/converter.hpp>
#include <eddy/integrations/pq/copy_reader.hpp>
#include <eddy/integrations/pq/copy_writer.hpp>
#include <eddy/integrations/pq/error.hpp>
#include <eddy/integrations/pq/parameters.hpp>
#include <eddy/integrations/pq/pool.hpp>
#include <eddy/integrations/pq/result.hpp>
#include <eddy/integrations/pq/row.hpp>
#include <eddy/integrations/pq/transaction.hpp>
#include <eddy/integrations/pq/types.hpp>

export module eddy.pq;

export import eddy;

export namespace eddy::pq {
using eddy::pq::batch;
using eddy::pq::batch_outcome;
using eddy::pq::box;
using eddy::pq::bytea;
using eddy::pq::column;
using eddy::pq::column_binding;
using eddy::pq::columns;
using eddy::pq::columns_of;
using eddy::pq::command;
using eddy::pq::connection;
using eddy::pq::connection_options;
using eddy::pq::converter;
using eddy::pq::convertible_value;
using eddy::pq::copy_reader;
using eddy::pq::copy_writer;
using eddy::pq::described_struct;
using eddy::pq::errc;
using eddy::pq::error;
using eddy::pq::isolation;
using eddy::pq::make_error_code;
using eddy::pq::notice_handler;
using eddy::pq::notification;
using eddy::pq::numeric;
using eddy::pq::parameters;
using eddy::pq::pool;
using eddy::pq::pool_options;
using eddy::pq::pooled_connection;
using eddy::pq::pq_category;
using eddy::pq::prepared;
using eddy::pq::result;
using eddy::pq::row;
using eddy::pq::row_reader;
using eddy::pq::row_type;
using eddy::pq::server_fields;
using eddy::pq::timestamp;
using eddy::pq::transaction;
using eddy::pq::transaction_options;
}  // namespace eddy::pq

export namespace eddy::pq::sqlstate {
using eddy::pq::sqlstate::admin_shutdown;
using eddy::pq::sqlstate::cannot_connect_now;
using eddy::pq::sqlstate::check_violation;
using eddy::pq::sqlstate::deadlock_detected;
using eddy::pq::sqlstate::foreign_key_violation;
using eddy::pq::sqlstate::in_failed_transaction;
using eddy::pq::sqlstate::invalid_password;
using eddy::pq::sqlstate::not_null_violation;
using eddy::pq::sqlstate::query_canceled;
using eddy::pq::sqlstate::serialization_failure;
using eddy::pq::sqlstate::syntax_error;
using eddy::pq::sqlstate::too_many_connections;
using eddy::pq::sqlstate::undefined_table;
using eddy::pq::sqlstate::unique_violation;
}  // namespace eddy::pq::sqlstate
