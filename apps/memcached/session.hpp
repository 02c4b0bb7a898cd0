#pragma once

#include "memcached/answer.hpp"
#include "memcached/conversation.hpp"
#include "memcached/counters.hpp"

#include <eddy/core/task.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/runtime/worker.hpp>

#include <exception>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::apps::memcached {

/// Response buffers that are free now. A connection has one only while it has something to send.
class spare_answers {
public:
    class returned {
    public:
        explicit returned(spare_answers& owner) noexcept : owner_(owner) {}
        void operator()(answer* used) const noexcept { owner_.take_back(std::unique_ptr<answer>(used)); }

    private:
        spare_answers& owner_;
    };
    using lease = std::unique_ptr<answer, returned>;

    /// Throws std::bad_alloc.
    [[nodiscard]] lease take() {
        if (spare_.empty())
            return {new answer, returned(*this)};
        answer* const taken = spare_.back().release();
        spare_.pop_back();
        return {taken, returned(*this)};
    }

private:
    static constexpr std::size_t spare_max = 64;

    void take_back(std::unique_ptr<answer> used) noexcept {
        used->clear();
        if (spare_.size() < spare_max)
            spare_.push_back(std::move(used));
    }

    std::vector<std::unique_ptr<answer>> spare_ = with_room();
    static std::vector<std::unique_ptr<answer>> with_room() {
        std::vector<std::unique_ptr<answer>> made;
        made.reserve(spare_max);
        return made;
    }
};

/// Serves a client until it leaves: whatever has come by one read is carried out and answered by one write.
/// `Stream` is a tcp_stream or a local_stream. Dropped: the connection is closed.
template <class Stream>
task<> serve_client(Stream client, const conversation_setting& setting, spare_answers& answers) {
    conversation talk(setting);
    try {
        for (;;) {
            auto received = co_await client.read_leased();
            if (received.empty())
                co_return;
            std::string_view input = as_text(received.bytes());
            setting.counted.add(count::bytes_read, input.size());
            const auto out = answers.take();
            auto stopped = conversation::stop::full;
            while (stopped == conversation::stop::full) {
                stopped = talk.consume(input, *out, setting.store.at(worker::current().turn_time()));
                // A client that does not take its answers holds no buffer of the worker's.
                if (stopped != conversation::stop::full)
                    received = {};
                if (out->is_empty())
                    continue;
                std::size_t sent = 0;
                if (out->is_text_only()) [[likely]]
                    sent = co_await client.write_all(as_bytes(out->text()));
                else
                    sent = co_await client.write_all(out->parts());
                setting.counted.add(count::bytes_written, sent);
                out->clear();
            }
            if (stopped == conversation::stop::end_of_service)
                co_return;
        }
    } catch (const std::exception&) {
        // The client has gone, or memory is exhausted: only this connection ends.
    }
}

}  // namespace eddy::apps::memcached
