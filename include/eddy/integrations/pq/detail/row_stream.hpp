#pragma once

#include <eddy/core/async_generator.hpp>
#include <eddy/core/task.hpp>
#include <eddy/integrations/pq/command.hpp>
#include <eddy/integrations/pq/row.hpp>

#include <memory>
#include <optional>
#include <utility>

namespace eddy::pq::detail {

class session;

/// The rows of a command, one result each (libpq's single-row mode). Destroyed before the end, the command is
/// cancelled.
class row_stream {
public:
    /// Sends the command.
    [[nodiscard]] static task<row_stream> begin(std::shared_ptr<session> on, command cmd);
    row_stream(row_stream&& other) noexcept;
    row_stream& operator=(row_stream&&) = delete;
    ~row_stream();

    /// Advances to the next row if that needs no waiting. Returns false if it does: then await next().
    [[nodiscard]] bool try_next();
    [[nodiscard]] task<> next();
    /// The end: there is no row any more.
    [[nodiscard]] bool has_ended() const noexcept { return current_ == nullptr; }
    /// The row, until the next one is gone to. Requires: !has_ended().
    [[nodiscard]] row current() const noexcept { return {*current_, 0}; }

private:
    class state;
    explicit row_stream(std::unique_ptr<state> begun) noexcept;
    void end();

    std::unique_ptr<state> state_;
    const pg_result* current_ = nullptr;  // the state's
};

template <row_type T>
async_generator<T> stream_rows(std::shared_ptr<session> on, command cmd) {
    auto rows = co_await row_stream::begin(std::move(on), std::move(cmd));
    std::optional<row_reader<T>> reader;
    for (;;) {
        if (!rows.try_next())
            co_await rows.next();
        if (rows.has_ended())
            co_return;
        if (!reader)
            reader.emplace(rows.current());
        T value = reader->read(rows.current());
        co_yield std::move(value);
    }
}

}  // namespace eddy::pq::detail
