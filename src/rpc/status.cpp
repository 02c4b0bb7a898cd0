#include <eddy/detail/assert.hpp>
#include <eddy/rpc/status.hpp>

#include <array>
#include <cstddef>

namespace eddy::rpc {
namespace {

constexpr std::array<std::string_view, 17> names = {
    "OK",        "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
    "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
    "ABORTED",   "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
    "DATA_LOSS", "UNAUTHENTICATED"};

std::string text_of(const status& why) {
    std::string text(to_string(why.code()));
    if (!why.message().empty())
        text.append(": ").append(why.message());
    return text;
}

}  // namespace

std::string_view to_string(status_code code) noexcept {
    const auto index = static_cast<std::size_t>(code);
    return index < names.size() ? names[index] : names[static_cast<std::size_t>(status_code::unknown)];
}

error::error(rpc::status why) : std::runtime_error(text_of(why)), status_(std::move(why)) {
    EDDY_ASSERT(!status_.is_ok(), "an error has another status than OK");
}

}  // namespace eddy::rpc
