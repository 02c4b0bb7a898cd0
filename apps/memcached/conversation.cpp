#include "memcached/conversation.hpp"

#include "memcached/version.hpp"
#include "memcached/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace eddy::apps::memcached {

namespace {

// Only lists of keys need longer lines.
constexpr std::size_t short_line_bytes_max = 2048;
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
        fmt::print(stderr, "eddy-memcached: < {}\n", line);
    const auto parsed = parse_command(line);
    if (!parsed) [[unlikely]]
        return refuse(parsed.error(), with);
    if (parsed->has_keys()) {
        asked_ = *parsed;
        state_ = state::keys;
        return answer_keys(with);
    }
    if (parsed->has_value())
        return begin_value(*parsed, line, input, with);
    execute(*parsed, with);
}

void conversation::refuse(const refusal& why, execution& with) {
    with.out.append(why.answer);
    if (!why.is_followed)
        return;
    passed_over_bytes_ = why.value_bytes + item::line_end.size();
    state_ = state::passing_over;
}

void conversation::answer_keys(execution& with) {
    do {
        const std::string_view key = take_word(asked_.rest);
        if (key.empty()) {
            with.out.append(answers::end);
            state_ = state::line;
            if (keeps_line_)
                partial_line_.clear();
            keeps_line_ = false;
            return;
        }
        execute_get(with, asked_, key);
    } while (!with.out.is_full());
}

void conversation::execute(const command& asked, execution& with) {
    switch (asked.verb) {
        case verb::remove:
            return execute_delete(with, asked);
        case verb::incr:
        case verb::decr:
            return execute_arithmetic(with, asked);
        case verb::touch:
            return execute_touch(with, asked);
        case verb::flush_all:
            return execute_flush(with, asked);
        case verb::meta_get:
            return execute_meta_get(with, asked);
        case verb::meta_delete:
            return execute_meta_delete(with, asked);
        case verb::meta_arithmetic:
            return execute_meta_arithmetic(with, asked);
        case verb::meta_debug:
            return execute_meta_debug(with, asked);
        case verb::meta_noop:
            return with.out.append("MN\r\n");
        case verb::version:
            with.out.append("VERSION ");
            with.out.append(told_version);
            return with.out.append(item::line_end);
        case verb::verbosity:
            if (asked.has_number)
                setting_.verbosity.store(static_cast<std::uint32_t>(asked.number), std::memory_order_relaxed);
            if (!asked.is_quiet)
                with.out.append(answers::ok);
            return;
        case verb::stats:
            return setting_.statistics.tell(with.out, asked.rest, with.now,
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
void conversation::begin_value(const command& asked, std::string_view line, std::string_view& input,
                               execution& with) {
    const bool is_whole = input.size() >= asked.value_bytes + item::line_end.size();
    const command* kept = &asked;
    if (!is_whole) {
        value_line_.assign(line);
        asked_ = *parse_command(value_line_);
        kept = &asked_;
    }
    arrived_bytes_ = 0;
    key_ = storage_key(with, *kept, key_room_);
    if (key_.empty())
        return refuse({{}, true, asked.value_bytes}, with);
    const located_key at(with.store, key_);
    home_ = &at.home;
    auto held = at.home.lock();
    const bool is_too_large = asked.value_bytes > with.store.value_bytes_max();
    if (!is_too_large)
        filled_ = at.home.allocate(key_, at.hash, asked.value_bytes);
    if (filled_ == nullptr)
        return refuse_value(*kept, at, is_too_large, with);
    prepare_item(with, *kept, *filled_);
    if (!is_whole) {
        state_ = state::value;
        return;
    }
    if (asked.value_bytes > copied_under_lock_bytes_max)
        held.unlock();
    const std::string_view value = input.substr(0, asked.value_bytes + item::line_end.size());
    value.copy(filled_->value_data(), value.size());
    input.remove_prefix(value.size());
    if (!held.owns_lock())
        held.lock();
    end_value(asked, with);
}

// What cannot be replaced would be out of date.
void conversation::refuse_value(const command& asked, const located_key& at, bool is_too_large,
                                execution& with) {
    if (item* const old = at.home.find(at.text, at.hash, with.now))
        at.home.remove(*old);
    answer_storage(with, asked, key_, is_too_large ? storage_outcome::too_large : storage_outcome::no_memory,
                   0);
    refuse({{}, true, asked.value_bytes}, with);
}

void conversation::consume_value(std::string_view& input, execution& with) {
    const std::size_t wanted = asked_.value_bytes + item::line_end.size() - arrived_bytes_;
    const std::string_view piece = input.substr(0, wanted);
    piece.copy(filled_->value_data() + arrived_bytes_, piece.size());
    arrived_bytes_ += piece.size();
    input.remove_prefix(piece.size());
    if (piece.size() != wanted)
        return;
    const auto held = home_->lock();
    state_ = state::line;
    end_value(asked_, with);
}

void conversation::end_value(const command& asked, execution& with) {
    item& fresh = *std::exchange(filled_, nullptr);
    if (!fresh.value_line().ends_with(item::line_end)) {
        home_->release(fresh);
        return with.out.append(answers::bad_block);
    }
    std::uint64_t cas = 0;
    const storage_outcome outcome =
        store_item(*home_, fresh, terms_of(asked), with.store.value_bytes_max(), with.now, cas);
    answer_storage(with, asked, key_, outcome, cas);
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
