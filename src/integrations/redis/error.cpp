#include <eddy/integrations/redis/error.hpp>

#include <algorithm>

namespace eddy::redis {

namespace {

class client_category final : public std::error_category {
public:
    const char* name() const noexcept override { return "redis"; }
    std::string message(int value) const override {
        switch (static_cast<client_error>(value)) {
            case client_error::connection_lost:
                return "the connection to the Redis server is lost";
            case client_error::protocol:
                return "the Redis server sends what is not expected";
            case client_error::limit_exceeded:
                return "a reply of the Redis server is too large";
            case client_error::wrong_type:
                return "a reply of the Redis server is of another type";
            case client_error::silent:
                return "the Redis server does not answer";
            case client_error::closed:
                return "the connection to the Redis server was closed";
            case client_error::aborted:
                return "a watched key has changed";
            case client_error::no_node:
                return "no node of the Redis cluster is there for it";
            case client_error::too_many_redirections:
                return "the Redis cluster redirects without end";
        }
        return "unknown error";
    }
};

}  // namespace

error::error(const std::string& message)
    : std::runtime_error(message), code_size_(std::min(message.find(' '), message.size())) {}

const std::error_category& error_category() noexcept {
    static const client_category category;
    return category;
}

}  // namespace eddy::redis
