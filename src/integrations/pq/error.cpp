#include <eddy/integrations/pq/error.hpp>

namespace eddy::pq {
namespace {

const char* message_of(errc error) noexcept {
    switch (error) {
        case errc::server_error:
            return "the server refused the command";
        case errc::connect_failed:
            return "no connection to the database";
        case errc::connect_timed_out:
            return "no connection to the database came about in time";
        case errc::connection_lost:
            return "the connection to the database is lost";
        case errc::pool_timed_out:
            return "no connection of the pool came free in time";
        case errc::pool_closed:
            return "the pool of connections is closed";
        case errc::wrong_type:
            return "a value is of another type";
        case errc::unexpected_null:
            return "a value is NULL";
        case errc::wrong_columns:
            return "the columns are others";
        case errc::wrong_row_count:
            return "the number of rows is another";
        case errc::invalid_argument:
            return "the command cannot be sent";
        case errc::wrong_command:
            return "the command is of another kind";
    }
    return "unknown error of a database";
}

class category final : public std::error_category {
public:
    [[nodiscard]] const char* name() const noexcept override { return "pq"; }
    [[nodiscard]] std::string message(int value) const override {
        return message_of(static_cast<errc>(value));
    }
    [[nodiscard]] std::error_condition default_error_condition(int value) const noexcept override {
        const auto error = static_cast<errc>(value);
        if (error == errc::connect_timed_out || error == errc::pool_timed_out)
            return std::errc::timed_out;
        return {value, *this};
    }
};

}  // namespace

const std::error_category& pq_category() noexcept {
    static const category only;
    return only;
}

const server_fields& error::fields() const noexcept {
    static const server_fields none;
    return fields_ == nullptr ? none : *fields_;
}

}  // namespace eddy::pq
