#include "integrations/redis/connection_state.hpp"
#include "integrations/redis/handshake.hpp"
#include "integrations/redis/transaction.hpp"

#include <eddy/integrations/redis/connection.hpp>

#include <exception>
#include <system_error>
#include <utility>

namespace eddy::redis {

connection::connection(any_stream stream, const options& wanted, reply_reader reader)
    : state_(std::make_unique<detail::connection_state>(std::move(stream), std::move(reader), wanted)) {}
connection::connection(connection&&) noexcept = default;
connection& connection::operator=(connection&&) noexcept = default;
connection::~connection() = default;

task<connection> connection::open(options wanted) {
    detail::greeted_stream made = co_await detail::greet(wanted);
    co_return connection(std::move(made.stream), wanted, std::move(made.reader));
}

task<reply> connection::execute(request req) {
    return state_->exchange_one(std::move(req));
}

task<std::vector<reply>> connection::execute_all(pipeline batch) {
    return state_->exchange(std::move(batch).take());
}

task<std::vector<reply>> connection::execute_transaction(pipeline batch) {
    std::vector<reply> replies = co_await state_->exchange(detail::in_transaction(std::move(batch)));
    co_return detail::results_of_transaction(std::move(replies));
}

bool connection::is_open() const noexcept {
    return state_->is_open();
}

std::exception_ptr connection::failure() const noexcept {
    return state_->failure();
}

std::size_t connection::replies_awaited() const noexcept {
    return state_->replies_awaited();
}

void connection::close() noexcept {
    state_->fail(std::make_exception_ptr(std::system_error(client_error::closed)));
}

}  // namespace eddy::redis
