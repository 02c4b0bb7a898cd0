#include <eddy/http/routing/rate_limit.hpp>
#include <eddy/http/server/response.hpp>

#include <chrono>
#include <iterator>
#include <utility>

namespace eddy::http {

std::string rate_limit::address_key(exchange& ex) {
    const auto& peer = ex.connection().peer();
    if (!peer)
        return {};
    // A client with an IPv6 address has 2^64 of them.
    const std::size_t size = peer->address_family() == endpoint::family::ipv4 ? 4 : 8;
    return {reinterpret_cast<const char*>(peer->address().data()), size};
}

ready_or_task<> rate_limit::handle(exchange& ex, request_handler& next) {
    const time_point now = ex.began_at();
    token_bucket& bucket = bucket_of(options_.key() ? options_.key()(ex) : address_key(ex), now);
    if (bucket.try_take(now)) [[likely]]
        return next.handle(ex);
    const auto wait = std::chrono::ceil<std::chrono::seconds>(bucket.wait(now));
    return response::send(
        ex, response::plain(status::too_many_requests).header("Retry-After", std::to_string(wait.count())));
}

token_bucket& rate_limit::bucket_of(std::string key, time_point now) {
    if (const auto found = buckets_.find(key); found != buckets_.end())
        return found->second;
    if (buckets_.size() >= options_.keys_max())
        forget_some(now);
    return buckets_.try_emplace(std::move(key), options_.per_second(), options_.burst(), now).first->second;
}

// A full bucket is equivalent to none. If none is full, some client gets a new bucket too early: better than
// unbounded memory, and than refusing new clients.
void rate_limit::forget_some(time_point now) {
    for (auto at = buckets_.begin(); at != buckets_.end();)
        at = at->second.is_full(now) ? buckets_.erase(at) : std::next(at);
    while (buckets_.size() >= options_.keys_max())
        buckets_.erase(buckets_.begin());
}

}  // namespace eddy::http
