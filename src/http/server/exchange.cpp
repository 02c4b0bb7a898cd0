#include "http/server/exchange_parts.hpp"
#include "http/server/failure_report.hpp"
#include "http/server/server_state.hpp"

#include <eddy/http/server/detail/exchange_stream.hpp>
#include <eddy/http/server/exchange.hpp>

#include <exception>
#include <system_error>

namespace eddy::http {

// -- the request --

exchange_parts& exchange::parts() {
    return response_.stream().parts();
}

request_body& exchange::body() {
    exchange_parts& mine = parts();
    if (!mine.body) {
        exchange_stream& stream = response_.stream();
        const std::string_view arrived = stream.arrived();
        const bool awaits_continue = request().expects_continue() && arrived.empty() && !has_responded();
        mine.body.emplace(stream, request().framing(), arrived, awaits_continue);
    }
    return *mine.body;
}

const connection_info& exchange::connection() {
    return response_.stream().info();
}

path_parameters& exchange::parameters() {
    return parts().parameters;
}

http::attributes& exchange::attributes() {
    return parts().handed_on;
}

std::stop_token exchange::stop_token() const noexcept {
    return response_.stream().shared().draining.get_token();
}

std::int64_t exchange::unix_seconds() const noexcept {
    return response_.stream().shared().unix_seconds();
}

// -- failures --

// What a handler may let pass: its client has gone, or breaks the protocol that the connection was upgraded
// to.
bool exchange::is_of_the_client(const std::exception_ptr& error) const noexcept {
    const exchange_stream& stream = response_.stream();
    if (stream.is_broken())
        return true;
    const exchange_parts* const made = stream.parts_if_any();
    const bool has_lost_body = made != nullptr && made->body && made->body->has_failed();
    if (error == nullptr || !(response_.is_upgrade() || has_lost_body))
        return false;
    try {
        std::rethrow_exception(error);
    } catch (const std::system_error&) {
        return true;
    } catch (...) {
        return false;
    }
}

std::size_t exchange::unsent_bytes() const noexcept {
    return response_.stream().output().bytes().size();
}

void exchange::report_failure(const std::exception_ptr& error, bool is_reported) noexcept {
    if (is_failure_reported_ || is_of_the_client(error))
        return;
    is_failure_reported_ = true;
    server_state& shared = response_.stream().shared();
    ++shared.counts.handler_failures;
    if (is_reported)
        return;
    const auto& reporter = shared.options.failure_reporter();
    if (!reporter)
        return report_to_standard_error(*this, error);
    try {
        reporter(*this, error);
    } catch (...) {
        // A report that fails changes nothing for the client.
    }
}

}  // namespace eddy::http
