#pragma once

#include "integrations/curl/answer_head.hpp"
#include "integrations/curl/library.hpp"
#include "integrations/curl/received_body.hpp"
#include "integrations/curl/upload_feed.hpp"

#include <eddy/detail/intrusive_list.hpp>
#include <eddy/integrations/curl/request.hpp>
#include <eddy/sync/auto_reset_event.hpp>

#include <array>
#include <cstddef>
#include <exception>
#include <forward_list>
#include <memory>
#include <span>
#include <string_view>
#include <system_error>

namespace eddy::curl {

class engine;

/// An easy handle with what its callbacks have collected. Callbacks are called inside libcurl and do no more
/// than that: they throw nothing, and make tasks ready.
class transfer_state : public detail::list_hook<> {
public:
    /// Begins the transfer. Throws std::system_error, std::bad_alloc.
    transfer_state(std::shared_ptr<engine> by, const request& req);
    transfer_state(const transfer_state&) = delete;
    transfer_state& operator=(const transfer_state&) = delete;
    ~transfer_state();

    [[nodiscard]] static transfer_state& of(CURL* handle) noexcept;
    [[nodiscard]] CURL* handle() const noexcept { return easy_.get(); }

    // -- for the reader --

    [[nodiscard]] const answer_head& head() const noexcept { return head_; }
    [[nodiscard]] received_body& body() noexcept { return body_; }
    [[nodiscard]] bool has_ended() const noexcept { return has_ended_; }
    /// What has come, or what has ended.
    [[nodiscard]] auto wait_for_change() noexcept { return changed_.wait(); }
    /// Throws what ended it before its time, if something has.
    void throw_failure() const;
    /// Takes more from the server if there is room again.
    void resume_receiving() noexcept;
    /// Ends it before its time.
    void abandon(std::error_code why) noexcept;

    // -- for uploads --

    void note_sending_paused() noexcept { paused_ |= CURLPAUSE_SEND; }
    void resume_sending() noexcept { resume(CURLPAUSE_SEND); }

    // -- for the engine --

    /// libcurl is done with it.
    void end(std::error_code outcome) noexcept;

    // -- while it is set up --

    [[nodiscard]] upload_feed& feed(upload content) {
        return feeds_.emplace_front(std::move(content), *this);
    }
    void keep(string_list list) { lists_.push_front(std::move(list)); }
    void keep(mime_handle form) noexcept { form_ = std::move(form); }
    [[nodiscard]] CURLSH* share() const noexcept;
    [[nodiscard]] bool keeps_cookies() const noexcept;

private:
    static std::size_t on_head(char* line, std::size_t size, std::size_t count, void* self) noexcept;
    static std::size_t on_body(char* bytes, std::size_t size, std::size_t count, void* self) noexcept;

    void set_callbacks();
    [[nodiscard]] bool is_final() const noexcept;
    void take_line(std::string_view line);
    [[nodiscard]] std::size_t take_body(std::span<const std::byte> bytes);
    [[nodiscard]] bool can_pause() const noexcept;
    void finish_head() noexcept;
    void resume(int direction) noexcept;

    const std::shared_ptr<engine> engine_;
    const transfer_options options_;
    const bool asks_again_;  // with what a first response has said of logins
    answer_head head_;
    received_body body_;
    auto_reset_event changed_;
    int paused_ = 0;  // CURLPAUSE_ bits
    bool has_ended_ = false;
    std::error_code outcome_;
    std::exception_ptr error_;  // in place of the outcome
    std::array<char, CURL_ERROR_SIZE> error_text_{};
    std::forward_list<string_list> lists_;
    easy_handle easy_;
    mime_handle form_;
    std::forward_list<upload_feed> feeds_;
};

}  // namespace eddy::curl
