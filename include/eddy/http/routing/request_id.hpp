#pragma once

#include <eddy/http/routing/middleware.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace eddy::http {

/// The id of a request, among its attributes.
class request_id {
public:
    /// An identifier for the log.
    explicit request_id(std::string text) noexcept : text_(std::move(text)) {}
    /// As text.
    [[nodiscard]] const std::string& text() const noexcept { return text_; }

private:
    std::string text_;
};

/// Assigns each request an id: the one of its X-Request-Id, if that has 1 to 128 letters, digits, ".", "_"
/// and "-" only, or one of its own, which no other request of this program has. The response carries it in
/// X-Request-Id, and the attribute `request_id` holds it. See middleware.
class request_ids final : public middleware {
public:
    /// `accepts`: whether clients may choose ids. Not where several of them must be kept apart by them.
    explicit request_ids(bool accepts = true);

    [[nodiscard]] ready_or_task<> handle(exchange& ex, request_handler& next) override;

    /// Whether a client's identifier is taken over: short, of letters, digits, '.', '_' and '-'.
    [[nodiscard]] static bool is_valid(std::string_view id) noexcept;

private:
    [[nodiscard]] std::string make();

    bool accepts_;
    std::uint64_t prefix_;
    std::uint64_t count_ = 0;
};

}  // namespace eddy::http
