#include "integrations/curl/library.hpp"
#include "integrations/curl/transfer_state.hpp"

#include <eddy/integrations/curl/error.hpp>
#include <eddy/integrations/curl/transfer.hpp>

#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::curl {

transfer::transfer(std::unique_ptr<transfer_state> state) noexcept : state_(std::move(state)) {}
transfer::transfer(transfer&&) noexcept = default;
transfer& transfer::operator=(transfer&&) noexcept = default;
transfer::~transfer() = default;

task<> transfer::head() {
    transfer_state& state = *state_;
    while (!state.head().is_finished() && !state.has_ended())
        co_await state.wait_for_change();
    if (!state.head().is_finished())
        state.throw_failure();
}

unsigned transfer::status() const noexcept {
    if (const unsigned status = state_->head().status(); status != 0)
        return status;
    long code = 0;
    curl_easy_getinfo(state_->handle(), CURLINFO_RESPONSE_CODE, &code);
    return static_cast<unsigned>(code);
}

const transfer::field_list& transfer::fields() const noexcept {
    return state_->head().fields();
}
const transfer::field_list& transfer::trailers() const noexcept {
    return state_->head().trailers();
}
std::optional<std::string_view> transfer::find(std::string_view name) const noexcept {
    return state_->head().find(name);
}

std::string transfer::url() const {
    const char* text = nullptr;
    curl_easy_getinfo(state_->handle(), CURLINFO_EFFECTIVE_URL, &text);
    return text != nullptr ? text : "";
}

task<std::size_t> transfer::read(std::span<std::byte> out) {
    transfer_state& state = *state_;
    while (state.body().empty() && !state.has_ended())
        co_await state.wait_for_change();
    if (state.body().empty())
        state.throw_failure();
    const std::size_t count = state.body().take(out);
    state.resume_receiving();
    co_return count;
}

async_generator<std::span<const std::byte>> transfer::pieces() {
    transfer_state& state = *state_;
    std::vector<std::byte> memory;
    for (;;) {
        while (state.body().empty() && !state.has_ended())
            co_await state.wait_for_change();
        if (state.body().empty())
            break;
        const std::span<const std::byte> piece = state.body().take_all(memory);
        state.resume_receiving();
        co_yield piece;
    }
    state.throw_failure();
}

task<std::string> transfer::read_all(std::size_t bytes_max) {
    std::string all;
    auto each = pieces();
    for (;;) {
        const std::optional<std::span<const std::byte>> piece = co_await each.next();
        if (!piece)
            co_return all;
        if (piece->size() > bytes_max - all.size()) {
            const std::error_code why = make_error_code(transfer_error::too_large);
            state_->abandon(why);
            throw std::system_error(why);
        }
        all.append(reinterpret_cast<const char*>(piece->data()), piece->size());
    }
}

task<> transfer::finish() {
    auto each = pieces();
    for (;;) {
        const std::optional<std::span<const std::byte>> piece = co_await each.next();
        if (!piece)
            co_return;
    }
}

}  // namespace eddy::curl
