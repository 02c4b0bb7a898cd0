#include "broadcast/hub.hpp"

#include <utility>

namespace eddy::apps {

hub::hub(std::size_t workers, bool has_peers) : has_peers_(has_peers) {
    for (std::size_t count = 0; count != workers; ++count)
        shares_.push_back(std::make_unique<share>());
}

task<> hub::relay(std::size_t worker) {
    share& mine = *shares_[worker];
    for (;;) {
        const auto next = co_await mine.brought.recv();
        mine.here.deliver(*next, nullptr);
    }
}

task<> hub::bring_to_others(std::size_t worker, shared_line said) {
    for (std::size_t other = 0; other != shares_.size(); ++other) {
        if (other != worker)
            co_await shares_[other]->brought.send(said);
    }
}

task<> hub::say(std::size_t worker, shared_line said, const receiver* speaker) {
    figures_.said.fetch_add(1, std::memory_order_relaxed);
    shares_[worker]->here.deliver(said, speaker);
    co_await bring_to_others(worker, said);
    if (has_peers_)
        co_await to_peers_.send(std::move(said));
}

task<> hub::hear(std::size_t worker, shared_line said) {
    figures_.heard.fetch_add(1, std::memory_order_relaxed);
    shares_[worker]->here.deliver(said, nullptr);
    co_await bring_to_others(worker, std::move(said));
}

}  // namespace eddy::apps
