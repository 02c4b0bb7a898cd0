#pragma once

#include <eddy/detail/build.hpp>

#include <cstdint>
#include <stop_token>
#include <utility>

namespace eddy::detail {

/// What tasks inherit from the one that spawns them: which stop scope and which shielded section they belong
/// to. Contexts nest; most tasks have none.
///
/// Thread safety: belongs to its worker; only the stop token is for all.
class job_context {
public:
    job_context(job_context* outer, std::stop_token stop) noexcept;
    job_context(const job_context&) = delete;
    job_context& operator=(const job_context&) = delete;

    [[nodiscard]] bool stop_requested() const noexcept {
        for (const job_context* at = this; at != nullptr; at = at->outer_)
            if (at->stop_.stop_requested())
                return true;
        return false;
    }
    [[nodiscard]] bool is_within(const job_context& other) const noexcept {
        for (const job_context* at = this; at != nullptr; at = at->outer_)
            if (at == &other)
                return true;
        return false;
    }

    void acquire() noexcept { ++references_; }
    void release() noexcept;

private:
    ~job_context() = default;

    job_context* outer_;
    std::stop_token stop_;
    std::uint32_t references_ = 0;
};

/// A counted reference to a context, or none.
class job_context_reference {
public:
    job_context_reference() noexcept = default;
    explicit job_context_reference(job_context* referred) noexcept : context_(referred) {
        if (context_ != nullptr) [[unlikely]]
            context_->acquire();
    }
    job_context_reference(const job_context_reference& other) noexcept
        : job_context_reference(other.context_) {}
    job_context_reference(job_context_reference&& other) noexcept
        : context_(std::exchange(other.context_, nullptr)) {}
    job_context_reference& operator=(job_context_reference other) noexcept {
        std::swap(context_, other.context_);
        return *this;
    }
    ~job_context_reference() {
        if (context_ != nullptr) [[unlikely]]
            context_->release();
    }

    [[nodiscard]] job_context* get() const noexcept { return context_; }
    /// Requires: it refers to none.
    void refer_to(job_context* referred) noexcept {
        context_ = referred;
        if (context_ != nullptr) [[unlikely]]
            context_->acquire();
    }

private:
    job_context* context_ = nullptr;
};

}  // namespace eddy::detail
