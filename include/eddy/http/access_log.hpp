#pragma once

#include <eddy/http/access_log_line.hpp>
#include <eddy/http/middleware.hpp>

#include <functional>
#include <string_view>
#include <utility>

namespace eddy::http {

/// Tells of each request in one line (eddy/http/access_log_line.hpp) when it has been answered; of one that
/// was dropped before that with status 499.
///
/// The sink is called on the worker, must not throw and should not wait; the line is valid during the call.
/// Stands outside of other middleware to see their answers. See middleware.
class access_log final : public middleware {
public:
    explicit access_log(std::function<void(std::string_view line)> sink,
                        access_log_format format = access_log_format::combined)
        : sink_(std::move(sink)), line_(format) {}

    [[nodiscard]] prompt_task<> handle(exchange& asked, request_handler& next) override;

private:
    class entry;
    [[nodiscard]] task<> finish(exchange& asked, prompt_task<> rest);
    void tell(exchange& asked, unsigned status_code);

    std::function<void(std::string_view line)> sink_;
    access_log_line line_;
};

}  // namespace eddy::http
