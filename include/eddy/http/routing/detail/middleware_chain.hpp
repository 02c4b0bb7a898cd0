#pragma once

#include <eddy/http/routing/middleware.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace eddy::http {

/// A handler with middleware in front of it, the first one outermost.
///
/// Ownership: refers to the handler, which outlives it or stands beside it; shares the middleware.
class middleware_chain final : public request_handler {
public:
    explicit middleware_chain(request_handler& last) noexcept : last_(&last) {}
    middleware_chain(const middleware_chain&) = delete;
    middleware_chain& operator=(const middleware_chain&) = delete;

    /// Puts one between those that are there and the handler. Requires: not null; no request is under way.
    void add(std::shared_ptr<middleware> inner) {
        auto made = std::make_unique<link>(std::move(inner), *last_);
        link& added = *made;
        links_.push_back(std::move(made));
        if (links_.size() > 1)
            links_[links_.size() - 2]->lead_to(added);
    }
    /// Takes another handler. Requires: empty().
    void lead_to(request_handler& last) noexcept { last_ = &last; }
    [[nodiscard]] bool empty() const noexcept { return links_.empty(); }

    [[nodiscard]] ready_or_task<> handle(exchange& ex) override {
        return links_.empty() ? last_->handle(ex) : links_.front()->handle(ex);
    }

private:
    class link final : public request_handler {
    public:
        link(std::shared_ptr<middleware> called, request_handler& next) noexcept
            : called_(std::move(called)), next_(&next) {}
        void lead_to(request_handler& next) noexcept { next_ = &next; }
        [[nodiscard]] ready_or_task<> handle(exchange& ex) override { return called_->handle(ex, *next_); }

    private:
        std::shared_ptr<middleware> called_;
        request_handler* next_;
    };

    request_handler* last_;
    std::vector<std::unique_ptr<link>> links_;
};

}  // namespace eddy::http
