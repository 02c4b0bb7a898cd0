#include "integrations/curl/transfer_state.hpp"

#include "integrations/curl/engine.hpp"
#include "integrations/curl/set_up.hpp"

#include <new>
#include <span>
#include <utility>

namespace eddy::curl {

transfer_state::transfer_state(std::shared_ptr<engine> by, const request& req)
    : engine_(std::move(by)),
      options_(req.options().value_or(engine_->options().transfers())),
      asks_again_(req.has_login() && req.scheme() != login_scheme::basic),
      head_(options_.head_bytes_max()),
      easy_(curl_easy_init()) {
    if (easy_ == nullptr)
        throw std::bad_alloc();
    set_callbacks();
    set_up(*this, req, options_);
    engine_->add(*this);
}

transfer_state::~transfer_state() {
    engine_->remove(*this);
    easy_.reset();  // before what it refers to
}

CURLSH* transfer_state::share() const noexcept {
    return engine_->share();
}

bool transfer_state::keeps_cookies() const noexcept {
    return engine_->options().cookies();
}

transfer_state& transfer_state::of(CURL* handle) noexcept {
    void* self = nullptr;
    curl_easy_getinfo(handle, CURLINFO_PRIVATE, &self);
    return *static_cast<transfer_state*>(self);
}

void transfer_state::set_callbacks() {
    CURL* const easy = easy_.get();
    require(curl_easy_setopt(easy, CURLOPT_PRIVATE, this));
    require(curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, error_text_.data()));
    require(curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, &on_head));
    require(curl_easy_setopt(easy, CURLOPT_HEADERDATA, this));
    require(curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &on_body));
    require(curl_easy_setopt(easy, CURLOPT_WRITEDATA, this));
}

std::size_t transfer_state::on_head(char* line, std::size_t size, std::size_t count, void* self) noexcept {
    transfer_state& here = *static_cast<transfer_state*>(self);
    try {
        here.take_line(std::string_view(line, size * count));
        return size * count;
    } catch (...) {
        here.error_ = std::current_exception();
        return 0;
    }
}

void transfer_state::take_line(std::string_view line) {
    const answer_head::step step = head_.add(line);
    if (step == answer_head::step::too_large)
        throw std::system_error(make_error_code(transfer_error::too_large),
                                "the answer's head is over the limit");
    if (step == answer_head::step::head_ended && is_final())
        finish_head();
}

// Whether this is the last response. Where the head does not show that, the body does.
bool transfer_state::is_final() const noexcept {
    const unsigned status = head_.status();
    if (status < 200)
        return false;
    if (status / 100 == 3 && options_.redirects_max() != 0 && head_.find("Location"))
        return false;
    if (status >= 400 && options_.fail_on_status())
        return false;
    const proxy_options& proxy = options_.proxy();
    const bool asks_proxy_again = !proxy.user().empty() && proxy.scheme() != login_scheme::basic;
    return !(status == 401 && asks_again_) && !(status == 407 && asks_proxy_again);
}

void transfer_state::finish_head() noexcept {
    head_.finish();
    changed_.set();
}

std::size_t transfer_state::on_body(char* bytes, std::size_t size, std::size_t count, void* self) noexcept {
    transfer_state& here = *static_cast<transfer_state*>(self);
    try {
        return here.take_body(std::as_bytes(std::span(bytes, size * count)));
    } catch (...) {
        here.error_ = std::current_exception();
        return 0;
    }
}

std::size_t transfer_state::take_body(std::span<const std::byte> bytes) {
    if (!head_.is_finished())
        finish_head();
    if (!body_.empty() && body_.size() >= options_.buffer_bytes_max()) {
        if (!can_pause())
            throw std::system_error(make_error_code(transfer_error::too_large),
                                    "a file: is read at once, and this one is larger than buffer_bytes_max");
        paused_ |= CURLPAUSE_RECV;
        return CURL_WRITEFUNC_PAUSE;
    }
    body_.append(bytes);
    changed_.set();
    return bytes.size();
}

// libcurl cannot put off what needs no network.
bool transfer_state::can_pause() const noexcept {
    const char* scheme = nullptr;
    curl_easy_getinfo(easy_.get(), CURLINFO_SCHEME, &scheme);
    return scheme == nullptr || curl_strequal(scheme, "file") == 0;
}

void transfer_state::resume_receiving() noexcept {
    if (body_.size() <= options_.buffer_bytes_max() / 2)
        resume(CURLPAUSE_RECV);
}

void transfer_state::resume(int direction) noexcept {
    if ((paused_ & direction) == 0)
        return;
    // The part of a form that has paused is noted at once, but the transfer only once libcurl has sent what
    // it had before; resuming a transfer that is not paused would leave the part behind.
    if (direction == CURLPAUSE_SEND && form_ != nullptr)
        engine_->pause(*this, paused_);
    paused_ &= ~direction;
    engine_->pause(*this, paused_);
}

void transfer_state::abandon(std::error_code why) noexcept {
    engine_->remove(*this);
    body_.clear();
    end(why);
}

void transfer_state::end(std::error_code outcome) noexcept {
    has_ended_ = true;
    outcome_ = outcome;
    for (const upload_feed& feed : feeds_)
        if (outcome && feed.error() != nullptr)
            error_ = feed.error();
    if (!outcome)
        head_.finish();
    changed_.set();
}

void transfer_state::throw_failure() const {
    if (!outcome_)
        return;
    if (error_ != nullptr)
        std::rethrow_exception(error_);
    if (error_text_[0] != '\0' && outcome_.category() == error_category())
        throw std::system_error(outcome_, error_text_.data());
    throw std::system_error(outcome_);
}

}  // namespace eddy::curl
