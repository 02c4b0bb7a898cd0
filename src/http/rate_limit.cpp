#include <eddy/http/rate_limit.hpp>
#include <eddy/http/response.hpp>

#include <chrono>
#include <iterator>
#include <utility>

namespace eddy::http {

std::string rate_limit::address_key(exchange& asked) {
    const auto& peer = asked.connection().peer();
    if (!peer)
        return {};
    // Who has an IPv6 address has 2^64 of them.
    const std::size_t size = peer->address_family() == endpoint::family::ipv4 ? 4 : 8;
    return {reinterpret_cast<const char*>(peer->address().data()), size};
}

prompt_task<> rate_limit::handle(exchange& asked, request_handler& next) {
    const time_point now = asked.began_at();
    token_bucket& bucket = bucket_of(options_.key() ? options_.key()(asked) : address_key(asked), now);
    if (bucket.try_take(now)) [[likely]]
        return next.handle(asked);
    const auto wait = std::chrono::ceil<std::chrono::seconds>(bucket.wait(now));
    return response::send(
        asked,
        response::plain(status::too_many_requests).header("Retry-After", std::to_string(wait.count())));
}

token_bucket& rate_limit::bucket_of(std::string key, time_point now) {
    if (const auto found = buckets_.find(key); found != buckets_.end())
        return found->second;
    if (buckets_.size() >= options_.keys_max())
        forget_some(now);
    return buckets_.try_emplace(std::move(key), options_.per_second(), options_.burst(), now).first->second;
}

// A full bucket is as good as none. If none is full, some client gets a new bucket before its time: better
// than memory without bounds, and than refusing those who have not asked yet.
void rate_limit::forget_some(time_point now) {
    for (auto at = buckets_.begin(); at != buckets_.end();)
        at = at->second.is_full(now) ? buckets_.erase(at) : std::next(at);
    while (buckets_.size() >= options_.keys_max())
        buckets_.erase(buckets_.begin());
}

}  // namespace eddy::http
