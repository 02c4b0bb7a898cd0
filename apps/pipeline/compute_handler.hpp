#pragma once

#include "pipeline/pool.hpp"

#include <eddy/core/ready_or_task.hpp>
#include <eddy/http/message/field_block.hpp>
#include <eddy/http/server/exchange.hpp>

#include <cstdint>

namespace eddy::apps {

/// Answers `GET /compute?n=NUMBER` with what the pool makes of the number, and with 502, 503 or 504 when the
/// upstream service has broken off, is away, or takes too long.
///
/// Thread safety: none; one for each worker that serves.
class compute_handler final : public http::request_handler {
public:
    explicit compute_handler(pool& processing);

    [[nodiscard]] ready_or_task<> handle(http::exchange& ex) override;

private:
    [[nodiscard]] task<> answer(http::exchange& ex, std::uint64_t number);

    pool& pool_;
    http::field_block fields_;
};

}  // namespace eddy::apps
