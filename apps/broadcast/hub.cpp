#include "broadcast/hub.hpp"

#include <eddy/core/yield.hpp>

#include <utility>

namespace eddy::apps {

hub::hub(std::size_t workers, bool has_peers) : has_peers_(has_peers) {
    for (std::size_t count = 0; count != workers; ++count)
        shares_.push_back(std::make_unique<share>());
}

task<> hub::relay(std::size_t worker) {
    share& mine = *shares_[worker];
    for (;;) {
        auto next = co_await mine.brought.recv();
        co_await deliver(worker, *std::move(next), nullptr);
    }
}

task<> hub::deliver(std::size_t worker, shared_line said, const receiver* speaker) {
    share& mine = *shares_[worker];
    mine.here.deliver(said, speaker);
    if (++mine.delivered % lines_in_a_row_max == 0)
        co_await next_turn();
}

task<> hub::bring_to_others(std::size_t worker, shared_line said) {
    for (std::size_t other = 0; other != shares_.size(); ++other) {
        if (other != worker)
            co_await shares_[other]->brought.send(said);
    }
}

task<> hub::say(std::size_t worker, shared_line said, const receiver* speaker) {
    figures_.said.fetch_add(1, std::memory_order_relaxed);
    co_await deliver(worker, said, speaker);
    co_await bring_to_others(worker, said);
    if (has_peers_)
        co_await to_peers_.send(std::move(said));
}

task<> hub::hear(std::size_t worker, shared_line said) {
    figures_.heard.fetch_add(1, std::memory_order_relaxed);
    co_await deliver(worker, said, nullptr);
    co_await bring_to_others(worker, std::move(said));
}

}  // namespace eddy::apps
