#include "memcached/conversation.hpp"

#include "common/log.hpp"
#include "memcached/version.hpp"
#include "memcached/words.hpp"

#include <algorithm>
#include <utility>

namespace eddy::apps::memcached {

namespace {

// Only lists of keys need longer lines.
constexpr std::size_t short_line_bytes_max = 2048;
// What a request of the binary protocol begins with. It may have no line's end to wait for.
constexpr char binary_magic = '\x80';
// Larger values are copied without the lock.
constexpr std::size_t copied_under_lock_bytes_max = std::size_t{16} << 10;

bool is_list_of_keys(std::string_view line) noexcept {
    return line.starts_with("get ") || line.starts_with("gets ") || line.starts_with("gat ") ||
           line.starts_with("gats ");
}

}  // namespace

conversation::stop conversation::consume(std::string_view& input, answer& out, moment now) {
    execution with{setting_.store, setting_.counted, out, now};
    for (;;) {
        switch (state_) {
            case state::line:
                if (input.empty())
                    return stop::out_of_input;
                if (out.is_full())
                    return stop::full;
                consume_line(input, with);
                break;
            case state::keys:
                if (out.is_full())
                    return stop::full;
                answer_keys(with);
                break;
            case state::value:
                if (input.empty())
                    return stop::out_of_input;
                consume_value(input, with);
                break;
            case state::passing_over:
                if (input.empty())
                    return stop::out_of_input;
                pass_over(input);
                break;
            case state::ended:
                return stop::end_of_service;
        }
    }
}

void conversation::consume_line(std::string_view& input, execution& with) {
    if (!keeps_line_ && input.front() == binary_magic) [[unlikely]] {
        state_ = state::ended;
        return;
    }
    const std::size_t end = input.find('\n');
    const std::string_view piece = input.substr(0, end);
    input.remove_prefix(end == std::string_view::npos ? input.size() : end + 1);
    std::string_view line = piece;
    if (end == std::string_view::npos || keeps_line_) {
        partial_line_.append(piece);
        keeps_line_ = true;
        line = partial_line_;
        const std::size_t most = is_list_of_keys(line)
                                     ? setting_.line_bytes_max
                                     : std::min(short_line_bytes_max, setting_.line_bytes_max);
        if (line.size() > most) {
            with.out.append(answers::long_line);
            state_ = state::ended;
            return;
        }
        if (end == std::string_view::npos)
            return;
    }
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    carry_out(line, input, with);
    if (keeps_line_ && state_ != state::keys) {
        keeps_line_ = false;
        partial_line_.clear();
        partial_line_.shrink_to_fit();
    }
}

void conversation::carry_out(std::string_view line, std::string_view& input, execution& with) {
    if (setting_.verbosity.load(std::memory_order_relaxed) >= 2) [[unlikely]]
        apps::log("< {}", line);
    const auto parsed = parse_command(line);
    if (!parsed) [[unlikely]]
        return refuse(parsed.error(), with);
    if (parsed->has_keys()) {
        requested_ = *parsed;
        state_ = state::keys;
        return answer_keys(with);
    }
    if (parsed->has_value())
        return begin_value(*parsed, line, input, with);
    execute(*parsed, with);
}

void conversation::refuse(const refusal& why, execution& with) {
    with.out.append(why.answer);
    if (why.ends_service)
        state_ = state::ended;
    if (!why.is_followed)
        return;
    passed_over_bytes_ = why.value_bytes + item::line_end.size();
    state_ = state::passing_over;
}

void conversation::answer_keys(execution& with) {
    do {
        const std::string_view key = take_word(requested_.rest);
        if (key.empty()) {
            with.out.append(answers::end);
            state_ = state::line;
            if (keeps_line_)
                partial_line_.clear();
            keeps_line_ = false;
            return;
        }
        execute_get(with, requested_, key);
    } while (!with.out.is_full());
}

void conversation::execute(const command& cmd, execution& with) {
    switch (cmd.verb) {
        case verb::remove:
            return execute_delete(with, cmd);
        case verb::incr:
        case verb::decr:
            return execute_arithmetic(with, cmd);
        case verb::touch:
            return execute_touch(with, cmd);
        case verb::flush_all:
            return setting_.forbids_flush ? reply(with, cmd, answers::no_flush) : execute_flush(with, cmd);
        case verb::meta_get:
            return execute_meta_get(with, cmd);
        case verb::meta_delete:
            return execute_meta_delete(with, cmd);
        case verb::meta_arithmetic:
            return execute_meta_arithmetic(with, cmd);
        case verb::meta_debug:
            return execute_meta_debug(with, cmd);
        case verb::meta_noop:
            return with.out.append("MN\r\n");
        case verb::version:
            with.out.append("VERSION ");
            with.out.append(told_version);
            return with.out.append(item::line_end);
        case verb::verbosity:
            setting_.verbosity.store(static_cast<std::uint32_t>(cmd.number), std::memory_order_relaxed);
            return reply(with, cmd, answers::ok);
        case verb::memory_limit:
            return execute_memory_limit(with, cmd);
        case verb::stats:
            return setting_.statistics.tell(with.out, cmd.rest, with.now,
                                            setting_.verbosity.load(std::memory_order_relaxed));
        case verb::quit:
            state_ = state::ended;
            return;
        default:
            return with.out.append(answers::error);
    }
}

// Where all of the value is there, nothing of the command is kept. Else its line is, as the answer may repeat
// parts of it.
void conversation::begin_value(const command& cmd, std::string_view line, std::string_view& input,
                               execution& with) {
    const bool is_whole = input.size() >= cmd.value_bytes + item::line_end.size();
    const command* kept = &cmd;
    if (!is_whole) {
        value_line_.assign(line);
        requested_ = *parse_command(value_line_);
        kept = &requested_;
    }
    arrived_bytes_ = 0;
    key_ = storage_key(with, *kept, key_room_);
    if (key_.empty())
        return refuse({{}, true, cmd.value_bytes}, with);
    const located_key at(with.store, key_);
    home_ = &at.home;
    auto held = at.home.lock();
    const bool is_too_large = cmd.value_bytes > with.store.value_bytes_max();
    if (!is_too_large)
        filled_ = at.home.allocate(key_, at.hash, cmd.value_bytes);
    if (filled_ == nullptr)
        return refuse_value(*kept, at, is_too_large, with);
    prepare_item(with, *kept, *filled_);
    if (!is_whole) {
        state_ = state::value;
        return;
    }
    if (cmd.value_bytes > copied_under_lock_bytes_max)
        held.unlock();
    const std::string_view value = input.substr(0, cmd.value_bytes + item::line_end.size());
    value.copy(filled_->value_data(), value.size());
    input.remove_prefix(value.size());
    if (!held.owns_lock())
        held.lock();
    end_value(cmd, with);
}

// What a set cannot replace would be out of date.
void conversation::refuse_value(const command& cmd, const located_key& at, bool is_too_large,
                                execution& with) {
    const bool replaces_all = cmd.verb == verb::set || cmd.verb == verb::meta_set;
    item* const old = replaces_all ? at.home.find(at.text, at.hash, with.now) : nullptr;
    if (old != nullptr)
        at.home.remove(*old);
    answer_storage(with, cmd, key_, is_too_large ? storage_outcome::too_large : storage_outcome::no_memory,
                   0);
    refuse({{}, true, cmd.value_bytes}, with);
}

void conversation::consume_value(std::string_view& input, execution& with) {
    const std::size_t wanted = requested_.value_bytes + item::line_end.size() - arrived_bytes_;
    const std::string_view piece = input.substr(0, wanted);
    piece.copy(filled_->value_data() + arrived_bytes_, piece.size());
    arrived_bytes_ += piece.size();
    input.remove_prefix(piece.size());
    if (piece.size() != wanted)
        return;
    const auto held = home_->lock();
    state_ = state::line;
    end_value(requested_, with);
}

void conversation::end_value(const command& cmd, execution& with) {
    item& fresh = *std::exchange(filled_, nullptr);
    if (!fresh.value_line().ends_with(item::line_end)) {
        home_->release(fresh);
        return cmd.verb == verb::meta_set ? with.out.append(answers::bad_block)
                                          : reply(with, cmd, answers::bad_block);
    }
    std::uint64_t cas = 0;
    const storage_outcome outcome =
        store_item(*home_, fresh, terms_of(cmd), with.store.value_bytes_max(), with.now, cas);
    answer_storage(with, cmd, key_, outcome, cas);
}

void conversation::pass_over(std::string_view& input) noexcept {
    const std::size_t count = std::min(passed_over_bytes_, input.size());
    input.remove_prefix(count);
    passed_over_bytes_ -= count;
    if (passed_over_bytes_ == 0)
        state_ = state::line;
}

void conversation::forget_value() noexcept {
    if (filled_ == nullptr)
        return;
    const auto held = home_->lock();
    home_->release(*filled_);
    filled_ = nullptr;
}

}  // namespace eddy::apps::memcached
