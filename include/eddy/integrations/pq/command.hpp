#pragma once

#include <eddy/integrations/pq/parameters.hpp>

#include <string>
#include <utility>

namespace eddy::pq {

/// A statement that a connection has prepared (connection::prepare()). A value; good for that connection,
/// and for as long as it lasts.
class prepared {
public:
    /// The name of a statement that was prepared on the connection.
    explicit prepared(std::string name) noexcept : name_(std::move(name)) {}
    /// The name of the prepared statement at the server.
    [[nodiscard]] const std::string& name() const noexcept { return name_; }

private:
    std::string name_;
};

/// One SQL command, or a prepared one, and its parameters. A value.
class command {
public:
    /// A statement with its parameters, which it owns.
    template <class... Values>
    explicit command(std::string sql, const Values&... values)
        : text_(std::move(sql)), parameters_(make(values...)) {}
    template <class... Values>
    explicit command(const prepared& statement, const Values&... values)
        : text_(statement.name()), parameters_(make(values...)), is_prepared_(true) {}

    /// The SQL, or the name of what was prepared.
    [[nodiscard]] const std::string& text() const noexcept { return text_; }
    /// The values of $1 and so on.
    [[nodiscard]] const pq::parameters& parameters() const noexcept { return parameters_; }
    /// Whether text() is the name of a prepared statement.
    [[nodiscard]] bool is_prepared() const noexcept { return is_prepared_; }

private:
    template <class... Values>
    static pq::parameters make(const Values&... values) {
        if constexpr (sizeof...(Values) == 0)
            return {};
        else if constexpr (sizeof...(Values) == 1 && (std::is_same_v<Values, pq::parameters> && ...))
            return (values, ...);
        else
            return pq::parameters(values...);
    }

    std::string text_;
    pq::parameters parameters_;
    bool is_prepared_ = false;
};

}  // namespace eddy::pq
