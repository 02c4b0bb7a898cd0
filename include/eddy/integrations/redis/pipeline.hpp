#pragma once

#include <eddy/integrations/redis/request.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace eddy::redis {

/// Commands that go to the server together, in one write as far as that goes. A value.
///
///     redis::pipeline asked;
///     asked.add("SET", "a", 1).add("INCR", "a");
///     const std::vector<redis::reply> answers = co_await server.run(asked);
class pipeline {
public:
    template <class... Arguments>
    pipeline& add(const Arguments&... arguments) {
        requests_.emplace_back(arguments...);
        return *this;
    }
    pipeline& add(request made) {
        requests_.push_back(std::move(made));
        return *this;
    }

    [[nodiscard]] const std::vector<request>& requests() const noexcept { return requests_; }
    [[nodiscard]] std::vector<request> take() && noexcept { return std::move(requests_); }
    [[nodiscard]] std::size_t size() const noexcept { return requests_.size(); }
    [[nodiscard]] bool empty() const noexcept { return requests_.empty(); }
    void clear() noexcept { requests_.clear(); }

private:
    std::vector<request> requests_;
};

}  // namespace eddy::redis
