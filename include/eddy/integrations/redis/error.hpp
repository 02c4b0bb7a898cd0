#pragma once

#include <eddy/detail/build.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace eddy::redis {

/// What the server answered with an error, in its own words: `WRONGTYPE Operation against a key ...`.
class error : public std::runtime_error {
public:
    /// With a message for the log.
    explicit error(const std::string& message);

    /// The first word, which programs may go by: "ERR", "WRONGTYPE", "NOSCRIPT", "MOVED" ...
    [[nodiscard]] std::string_view code() const noexcept {
        return std::string_view(what()).substr(0, code_size_);
    }

private:
    std::size_t code_size_;
};

/// What goes wrong between this end and the server, thrown as std::system_error.
enum class client_error {
    connection_lost = 1,   ///< the server has ended the connection; the command may have been carried out
    protocol,              ///< what came is no RESP, or belongs to no command
    limit_exceeded,        ///< a reply is beyond reply_limits
    wrong_type,            ///< a reply is not what as<T>() was to make of it
    silent,                ///< the server has not answered within health_timeout()
    closed,                ///< close() was called
    aborted,               ///< a watched key has changed (WATCH): nothing was executed
    no_node,               ///< no node of the cluster serves that slot, or none answers
    too_many_redirections  ///< a command was sent from node to node too often
};

/// The category of client_error.
const std::error_category& error_category() noexcept;

/// The error as a std::error_code.
inline std::error_code make_error_code(client_error value) noexcept {
    return {static_cast<int>(value), error_category()};
}

}  // namespace eddy::redis

template <>
struct std::is_error_code_enum<eddy::redis::client_error> : std::true_type {};
