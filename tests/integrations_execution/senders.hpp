#pragma once

#include "support/counted_object.hpp"

#include <eddy/integrations/execution/detail/standard.hpp>

#include <atomic>
#include <exception>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

namespace eddy::test {

namespace standard = execution::detail::standard;

/// Completes as `complete(receiver)` does, which is called when it is started.
template <class Complete, class... Signatures>
class made_sender {
public:
    using sender_concept = standard::sender_tag;
    template <class Self, class... Env>
    static consteval standard::completion_signatures<Signatures...> get_completion_signatures() noexcept {
        return {};
    }

    explicit made_sender(Complete complete) : complete_(std::move(complete)) {}

    template <class Receiver>
    class operation {
    public:
        using operation_state_concept = standard::operation_state_tag;
        operation(Complete complete, Receiver receiver)
            : complete_(std::move(complete)), receiver_(std::move(receiver)) {}
        operation(operation&&) = delete;
        void start() & noexcept { std::exchange(complete_, std::nullopt).value()(std::move(receiver_)); }

    private:
        std::optional<Complete> complete_;
        Receiver receiver_;
    };
    template <class Receiver>
    [[nodiscard]] operation<Receiver> connect(Receiver receiver) const {
        return {complete_, std::move(receiver)};
    }

private:
    Complete complete_;
};
template <class... Signatures, class Complete>
made_sender<Complete, Signatures...> sender_with(Complete complete) {
    return made_sender<Complete, Signatures...>(std::move(complete));
}

/// What a test sees of a held sender, and how it completes it.
class held_completion {
public:
    enum class when_stopped : unsigned char { completes, goes_on };
    explicit held_completion(when_stopped does = when_stopped::completes) : does_(does) {}

    [[nodiscard]] bool is_started() const noexcept { return is_started_; }
    [[nodiscard]] bool stop_requested() const noexcept { return stop_requested_; }
    [[nodiscard]] int operations() const noexcept { return operations_; }
    /// Completes with a value. Requires: started, and not completed.
    void complete(int value) { std::exchange(complete_, nullptr)(value); }

private:
    template <class Receiver>
    friend class held_operation;
    when_stopped does_;
    std::atomic<bool> is_started_{false};
    std::atomic<bool> stop_requested_{false};
    std::atomic<int> operations_{0};
    std::function<void(int)> complete_;
};

template <class Receiver>
class held_operation {
public:
    using operation_state_concept = standard::operation_state_tag;
    held_operation(held_completion& by, Receiver receiver) : by_(by), receiver_(std::move(receiver)) {
        ++by_.operations_;
    }
    held_operation(held_operation&&) = delete;
    ~held_operation() { --by_.operations_; }

    void start() & noexcept {
        by_.complete_ = [this](int value) {
            callback_.reset();
            standard::set_value(std::move(receiver_), value);
        };
        callback_.emplace(standard::get_stop_token(standard::get_env(receiver_)), stop_request{*this});
        by_.is_started_ = true;
    }

private:
    struct stop_request {
        held_operation& stopped;
        void operator()() noexcept { stopped.note_request(); }
    };
    void note_request() noexcept {
        by_.stop_requested_ = true;
        if (by_.does_ == held_completion::when_stopped::completes) {
            by_.complete_ = nullptr;
            standard::set_stopped(std::move(receiver_));
        }
    }

    held_completion& by_;
    Receiver receiver_;
    std::optional<
        standard::stop_callback_for_t<standard::stop_token_of_t<standard::env_of_t<Receiver>>, stop_request>>
        callback_;
};

/// Completes when the test says so, and counts its operations.
class held_sender {
public:
    using sender_concept = standard::sender_tag;
    template <class Self, class... Env>
    static consteval standard::completion_signatures<standard::set_value_t(int), standard::set_stopped_t()>
    get_completion_signatures() noexcept {
        return {};
    }
    explicit held_sender(held_completion& by) noexcept : by_(&by) {}
    template <class Receiver>
    [[nodiscard]] held_operation<Receiver> connect(Receiver receiver) const {
        return {*by_, std::move(receiver)};
    }

private:
    held_completion* by_;
};

/// What an operation completed with, which any thread may look at.
class outcome {
public:
    [[nodiscard]] bool is_complete() const noexcept { return completions_ != 0; }
    [[nodiscard]] int completions() const noexcept { return completions_; }
    [[nodiscard]] bool is_stopped() const noexcept { return is_stopped_; }

    std::optional<int> value;
    std::exception_ptr error;
    /// Called last.
    std::function<void()> then;

private:
    friend class recorder;
    void note() noexcept {
        ++completions_;
        if (auto called = then)
            called();
    }
    std::atomic<int> completions_{0};
    std::atomic<bool> is_stopped_{false};
};

/// Writes down what an operation completes with.
class recorder {
public:
    using receiver_concept = standard::receiver_tag;

    explicit recorder(outcome& into, standard::inplace_stop_token token = {}) noexcept
        : into_(&into), token_(token) {}

    void set_value(int value = 0) && noexcept {
        into_->value = value;
        into_->note();
    }
    void set_error(std::exception_ptr error) && noexcept {
        into_->error = std::move(error);
        into_->note();
    }
    void set_stopped() && noexcept {
        into_->is_stopped_ = true;
        into_->note();
    }

    class env {
    public:
        explicit env(standard::inplace_stop_token token) noexcept : token_(token) {}
        [[nodiscard]] standard::inplace_stop_token query(standard::get_stop_token_t) const noexcept {
            return token_;
        }

    private:
        standard::inplace_stop_token token_;
    };
    [[nodiscard]] env get_env() const noexcept { return env(token_); }

private:
    outcome* into_;
    standard::inplace_stop_token token_;
};

}  // namespace eddy::test
