#pragma once

#include <eddy/combine/task_set.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/routing/metrics_registry.hpp>
#include <eddy/integrations/redis/client.hpp>
#include <eddy/integrations/redis/options.hpp>
#include <eddy/integrations/redis/reply.hpp>
#include <eddy/integrations/redis/request.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace todo {

/// Texts by name in Redis, which all nodes share, and which are forgotten all at once when anything has
/// changed.
///
/// Each text is kept with the name of the generation in which it was looked up, and is good only in that one.
/// To forget is to begin a new generation, with a name that has never been used. So a slow reader, which
/// stores what it has read from the database before a change, stores it where it will not be found.
///
/// - Redis may go away at any time. Then nothing is found, and nothing kept. A change that could not be
///   announced is pending: until it is, this node does not use the cache, and keeps trying. Other nodes, if
///   they still reach Redis, may see what was before the change meanwhile, for text_lifetime at most.
/// - A Redis that does not answer is waited for answer_limit, and left alone for a while.
/// - Thread safety: none; it belongs to its worker. Nothing here throws if Redis is away.
class redis_cache {
public:
    static constexpr std::chrono::seconds text_lifetime{30};
    static constexpr std::chrono::milliseconds answer_limit{250};

    redis_cache(eddy::redis::options server, eddy::http::metrics_registry& registry);

    /// What a look has found.
    struct answer {
        std::string generation;           ///< empty if nothing can be kept
        std::optional<std::string> text;  ///< as it was kept
    };
    [[nodiscard]] eddy::task<answer> look_up(std::string name);
    /// Keeps a text of the generation of the look that came before. Does not wait.
    void keep(std::string name, std::string_view generation, std::string_view text);
    /// Has all nodes forget. Waits until Redis has heard of it, or does not answer.
    [[nodiscard]] eddy::task<> forget_all();

    /// Whether it is in use.
    [[nodiscard]] bool is_up() const noexcept { return is_up_; }

private:
    /// Whether texts may be looked up in Redis.
    [[nodiscard]] bool may_ask() const noexcept { return reported_ == changes_ && !is_quiet(); }
    [[nodiscard]] bool is_quiet() const noexcept;
    /// The reply, if there is one in time.
    [[nodiscard]] eddy::task<std::optional<eddy::redis::reply>> ask(eddy::redis::request req);
    [[nodiscard]] eddy::task<> send_text(eddy::redis::request req);
    /// Has Redis begin a generation, for all changes up to now.
    [[nodiscard]] eddy::task<> begin_generation();
    [[nodiscard]] eddy::task<> pay_debt();
    [[nodiscard]] std::string fresh_generation();
    void note(bool is_up, std::string_view why);

    static constexpr std::size_t texts_on_their_way_max = 64;

    std::string node_;
    std::uint64_t generations_ = 0;  // named by this node
    std::uint64_t changes_ = 0;      // that were to be announced
    std::uint64_t reported_ = 0;     // of these
    bool is_paying_ = false;
    bool is_up_ = true;  // until the contrary is known
    std::chrono::steady_clock::time_point quiet_until_{};
    eddy::http::metric_gauge up_;
    eddy::http::metric_counter hits_;
    eddy::http::metric_counter misses_;
    eddy::http::metric_counter bypasses_;
    eddy::redis::client server_;
    eddy::task_set in_background_;
};

}  // namespace todo
