// However a memcached client's bytes are cut, it gets the same answers, and no more memory is used than there
// is. The first two bytes of the input say how they are cut.

#include "check.hpp"
#include "memcached/answer.hpp"
#include "memcached/conversation.hpp"
#include "memcached/counters.hpp"
#include "memcached/statistics.hpp"
#include "memcached/store.hpp"

#include <eddy/core/clock.hpp>
#include <eddy/io/buffer.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace {

using namespace eddy::apps::memcached;

constexpr std::size_t memory_bytes = std::size_t{128} << 10;
constexpr std::size_t value_bytes_max = std::size_t{32} << 10;

// A server for one client, without sockets; its clock stands still.
class served_client {
public:
    served_client()
        : store_(store_options().memory_bytes(memory_bytes).value_bytes_max(value_bytes_max).secret(1),
                 made_),
          statistics_(store_, std::span<const counters>(&counted_, 1), told_settings()),
          setting_{store_, counted_, statistics_, verbosity_, 4096},
          talk_(setting_) {}

    // Bytes arrive, in memory of their own, so that a look beyond them is found.
    void receive(std::string_view piece) {
        const auto copied = std::make_unique<char[]>(piece.size());
        piece.copy(copied.get(), piece.size());
        std::string_view input(copied.get(), piece.size());
        auto stopped = conversation::stop::full;
        while (stopped == conversation::stop::full) {
            const std::size_t before = input.size();
            stopped = talk_.consume(input, out_, now_);
            EDDY_FUZZ_CHECK(stopped != conversation::stop::full || !out_.is_empty() || input.size() < before);
            for (const eddy::const_buffer& part : out_.parts())
                said_.append(static_cast<const char*>(part.data()), part.size());
            out_.clear();
        }
        EDDY_FUZZ_CHECK(input.empty() || stopped == conversation::stop::end_of_service);
        EDDY_FUZZ_CHECK(store_.figures().item_bytes <= memory_bytes);
    }
    const std::string& said() const { return said_; }

private:
    eddy::time_point made_;
    moment now_{std::uint64_t{100} << 16};
    store store_;
    counters counted_;
    statistics statistics_;
    std::atomic<std::uint32_t> verbosity_{0};
    conversation_setting setting_;
    answer out_;
    conversation talk_;
    std::string said_;
};

// Statistics tell the time, and a line that comes in one piece may be longer.
bool is_comparable(std::string_view input, std::string_view said) {
    return input.find("stats") == std::string_view::npos &&
           said.find("line too long") == std::string_view::npos;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2)
        return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
    served_client whole;
    whole.receive(bytes);
    served_client cut;
    const std::size_t steps[] = {1 + data[0] % 32U, 1U + data[1]};
    for (std::size_t at = 0, turn = 0; at < bytes.size(); ++turn) {
        const std::string_view piece = bytes.substr(at, steps[turn % 2]);
        cut.receive(piece);
        at += piece.size();
    }
    if (is_comparable(bytes, cut.said()))
        EDDY_FUZZ_CHECK(whole.said() == cut.said());
    return 0;
}
