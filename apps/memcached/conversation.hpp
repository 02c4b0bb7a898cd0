#pragma once

#include "memcached/answer.hpp"
#include "memcached/command.hpp"
#include "memcached/command_parser.hpp"
#include "memcached/counters.hpp"
#include "memcached/execution.hpp"
#include "memcached/moment.hpp"
#include "memcached/statistics.hpp"
#include "memcached/store.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace eddy::apps::memcached {

/// What conversations on a worker have in common. All of it outlives them.
struct conversation_setting {
    memcached::store& store;
    counters& counted;
    memcached::statistics& statistics;
    std::atomic<std::uint32_t>& verbosity;
    std::size_t line_bytes_max;
    bool forbids_flush = false;
};

/// What a client says and is answered, without I/O: bytes as they arrive in, an answer out. Commands and
/// values may be cut anywhere.
///
/// A value goes straight into the item that will hold it; of other bytes only a line that has not ended is
/// kept. Destroyed in the middle of a value: that is forgotten.
class conversation {
public:
    /// Why consume() has ended.
    enum class stop : std::uint8_t {
        out_of_input,    ///< all was taken
        full,            ///< the answer is to be sent, then consume() is called again
        end_of_service,  ///< the answer is to be sent, then the connection ends
    };

    explicit conversation(const conversation_setting& setting) noexcept : setting_(setting) {}
    conversation(const conversation&) = delete;
    conversation& operator=(const conversation&) = delete;
    ~conversation() { forget_value(); }

    /// Carries out what there is and takes it off `input`. After `full` the rest of `input` must still be
    /// where it was. Throws std::bad_alloc.
    [[nodiscard]] stop consume(std::string_view& input, answer& out, moment now);

private:
    enum class state : std::uint8_t { line, keys, value, passing_over, ended };

    void consume_line(std::string_view& input, execution& with);
    void carry_out(std::string_view line, std::string_view& input, execution& with);
    void refuse(const refusal& why, execution& with);
    void answer_keys(execution& with);
    void execute(const command& cmd, execution& with);
    void begin_value(const command& cmd, std::string_view line, std::string_view& input, execution& with);
    void refuse_value(const command& cmd, const located_key& at, bool is_too_large, execution& with);
    void consume_value(std::string_view& input, execution& with);
    /// Requires: the lock of the shard.
    void end_value(const command& cmd, execution& with);
    void pass_over(std::string_view& input) noexcept;
    void forget_value() noexcept;

    const conversation_setting& setting_;
    state state_ = state::line;
    bool keeps_line_ = false;  // the command refers to partial_line_
    std::string partial_line_;
    command requested_;       // while its keys are answered or its value arrives
    std::string value_line_;  // what requested_ refers to while its value arrives in pieces
    std::array<char, item::key_bytes_max> key_room_;
    std::string_view key_;
    item* filled_ = nullptr;
    shard* home_ = nullptr;
    std::size_t arrived_bytes_ = 0;
    std::size_t passed_over_bytes_ = 0;  // left to pass over
};

}  // namespace eddy::apps::memcached
