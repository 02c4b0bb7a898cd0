#include "explore/engine.hpp"

#include "explore/sanitizers.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>
#include <utility>

namespace eddy::explore {

namespace {

// A run that has not ended by then is taken for one that never does.
constexpr std::size_t steps_max = 20'000;

std::optional<std::string> schedule_to_replay(std::string_view name) {
    const char* const wanted = std::getenv("EDDY_EXPLORE_REPLAY");
    if (wanted == nullptr)
        return std::nullopt;
    const std::string_view text = wanted;
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || text.substr(0, colon) != name)
        return std::nullopt;
    return std::string(text.substr(colon + 1));
}

// A sanitizer looks at each step and takes ten times as long; what more preemptions find, other builds find.
int preemptions_of(const settings& how) noexcept {
#if defined(EXPLORE_ASAN) || defined(EXPLORE_TSAN)
    return how.preemptions_max() > 1 ? how.preemptions_max() - 1 : how.preemptions_max();
#else
    return how.preemptions_max();
#endif
}

}  // namespace

engine* engine::current_ = nullptr;
bool engine::has_data_race_ = false;

engine::engine(const settings& how, model& explored)
    : how_(how),
      model_(explored),
      threads_(explored.threads()),
      frame_(threads_),
      main_(threads_ + 1),
      search_(threads_, how.is_reduced(), preemptions_of(how)),
      replayed_(schedule_to_replay(how.name())),
      here_(main_) {
    participants_[main_].stack = std::make_unique<fiber>();
    for (unsigned index = 0; index <= frame_; ++index) {
        entries_[index] = {this, index};
        participants_[index].stack = std::make_unique<fiber>(&enter, &entries_[index]);
    }
    current_ = this;
}

engine::~engine() {
    current_ = nullptr;
    // The threads of a run that has failed stand in its middle.
    if (!result_.has_passed)
        for (unsigned index = 0; index <= frame_; ++index)
            fiber::abandon(std::move(participants_[index].stack));
}

result engine::run_all() {
    unseen::publish(&ordered_);
    for (bool is_more = true; is_more;) {
        run_once();
        result_.redundant += search_.is_redundant() ? 1 : 0;
        is_more = result_.has_passed && !replayed_ && search_.advance();
        if (is_more && result_.schedules == how_.schedules_max()) {
            result_.has_passed = false;
            result_.report = "there are more schedules than the model may have\n";
            is_more = false;
        }
    }
    unseen::adopt(&ordered_);
    if (replayed_ && result_.has_passed)
        std::printf("%s under the given schedule:\n%s", how_.name(), steps().c_str());
    else
        std::printf("%s: %llu schedules, %llu of them redundant\n", how_.name(),
                    static_cast<unsigned long long>(result_.schedules),
                    static_cast<unsigned long long>(result_.redundant));
    return result_;
}

void engine::run_once() {
    ++runs_;
    ++result_.schedules;
    objects_.clear();
    made_ = {};
    steps_.clear();
    search_.begin_run();
    phase_ = phase::alone;
    switch_to(frame_);
    if (!result_.has_passed)
        return;
    start_threads();
    if (result_.has_passed)
        pass_the_turn();
    if (!result_.has_passed)
        return;
    phase_ = phase::alone;
    switch_to(frame_);
}

// Lets each thread come to its first step, which is as far as no other notices.
void engine::start_threads() {
    phase_ = phase::starting;
    for (unsigned index = 0; index < threads_; ++index) {
        participant& thread = participants_[index];
        thread.is_alive = true;
        thread.is_notified = false;
        thread.reads.clear();
        switch_to(index);
        if (!result_.has_passed)
            return;
    }
    phase_ = phase::stepping;
}

void engine::enter(void* started) {
    unseen::begin();
    const entry& mine = *static_cast<entry*>(started);
    if (mine.index == mine.self->frame_)
        mine.self->serve_frame();
    else
        mine.self->serve_thread(mine.index);
}

void engine::serve_frame() {
    for (;;) {
        unseen::adopt(&ordered_);
        unseen::end();
        model_.make_state();
        unseen::begin();
        unseen::publish(&ordered_);
        switch_to(main_);
        unseen::adopt(&ordered_);
        unseen::end();
        model_.finish();
        model_.destroy_state();
        unseen::begin();
        check_nothing_outlives();
        unseen::publish(&ordered_);
        switch_to(main_);
    }
}

void engine::serve_thread(unsigned index) {
    for (;;) {
        unseen::adopt(&ordered_);
        unseen::end();
        try {
            model_.run(index);
        } catch (const std::exception& left) {
            fail(std::string("an exception left the thread: ") + left.what());
        }
        unseen::begin();
        unseen::publish(&ordered_);
        participants_[index].is_alive = false;
        if (phase_ == phase::starting)
            switch_to(main_);
        else
            pass_the_turn();
    }
}

void engine::switch_to(unsigned next) {
    participant& from = participants_[std::exchange(here_, next)];
    participant& to = participants_[next];
    from.locals.give_way_to(to.locals);
    from.stack->switch_to(*to.stack);
}

void engine::pass_the_turn() {
    if (const unsigned next = find_next(); next != here_)
        switch_to(next);
}

// Whose turn it is, or the main stack's if all threads have ended. Nothing of this may be on the stack of a
// thread that is never switched to again.
unsigned engine::find_next() {
    if (std::exchange(has_data_race_, false))
        fail("a data race, which ThreadSanitizer has reported");
    const situation now = look();
    if (now.alive == 0)
        return main_;
    if (now.enabled == 0)
        fail("a deadlock:\n" + who_waits());
    if (steps_.size() == steps_max)
        fail("it goes on for ever");
    return choose(now);
}

unsigned engine::choose(const situation& now) {
    if (!replayed_) {
        const unsigned chosen = search_.choose(now);
        if (search_.has_diverged())
            fail("the model does something else under the same schedule");
        return chosen;
    }
    if (steps_.size() < replayed_->size()) {
        const unsigned chosen = static_cast<unsigned>((*replayed_)[steps_.size()] - '0');
        if (chosen < threads_ && (now.enabled >> chosen & 1) != 0)
            return chosen;
    }
    unsigned first = 0;
    while ((now.enabled >> first & 1) == 0)
        ++first;
    return first;
}

situation engine::look() const {
    situation now;
    for (unsigned index = 0; index < threads_; ++index) {
        const participant& thread = participants_[index];
        if (!thread.is_alive)
            continue;
        now.alive |= thread_mask{1} << index;
        now.next[index] = thread.next;
        if (can_go_on(thread))
            now.enabled |= thread_mask{1} << index;
    }
    return now;
}

bool engine::can_go_on(const participant& thread) const {
    if (thread.next.what == action::wake)
        return thread.is_notified;
    if (thread.next.what != action::relax)
        return true;
    return std::any_of(thread.reads.begin(), thread.reads.end(), [this](const participant::read& each) {
        return objects_[each.object].version != each.version;
    });
}

void engine::before(const operation& next) {
    if (!is_model_thread()) {
        if (next.what == action::relax || next.what == action::wake)
            fail("nobody is left to wait for", next.where);
        return;
    }
    participant& mine = participants_[here_];
    const unsigned me = here_;
    mine.next = next;
    if (next.what == action::relax)
        for (const participant::read& each : mine.reads)
            mine.next.watched.push_back(each.object);
    if (phase_ == phase::starting)
        switch_to(main_);
    else
        pass_the_turn();
    steps_.push_back({me, next, 0, 0});
    if (next.object != no_object && !objects_[next.object].is_alive)
        fail("an atomic is used that has been destroyed", next.where);
    if (next.what == action::relax)
        mine.reads.clear();
}

void engine::after(std::uint32_t index, std::uint64_t seen, std::uint64_t left, bool is_changed) {
    object& changed = objects_[index];
    const std::uint32_t version_before = changed.version;
    if (is_changed)
        ++changed.version;
    if (!is_model_thread())
        return;
    // A thread that waits joins a queue, whatever the value is.
    if (!is_changed && !replayed_ && steps_.back().what.what != action::wait)
        search_.soften();
    steps_.back().seen = seen;
    steps_.back().left = left;
    participant& mine = participants_[here_];
    const auto known = std::find_if(mine.reads.begin(), mine.reads.end(),
                                    [index](const participant::read& each) { return each.object == index; });
    const bool is_read = steps_.back().what.what != action::store;
    if (known == mine.reads.end() && is_read)
        mine.reads.push_back({index, changed.version});
    else if (known != mine.reads.end() && (is_read || known->version == version_before))
        known->version = changed.version;
}

void engine::forget_reads() {
    participants_[here_].reads.clear();
}

void engine::sleep(std::uint32_t index, const std::source_location& where) {
    if (is_model_thread()) {
        objects_[index].idle_workers.push_back(here_);
        participants_[here_].is_notified = false;
    }
    before({action::wake, false, index, where, {}});
}

void engine::notify(std::uint32_t index, bool all) {
    std::vector<unsigned>& idle_workers = objects_[index].idle_workers;
    while (!idle_workers.empty()) {
        participants_[idle_workers.front()].is_notified = true;
        idle_workers.erase(idle_workers.begin());
        if (!all)
            return;
    }
}

std::uint32_t engine::add_object(const char* type) {
    const unsigned maker = std::min(here_, frame_);
    objects_.push_back({{maker, made_[maker]++, type}, true, 0, {}});
    return static_cast<std::uint32_t>(objects_.size() - 1);
}

void engine::remove_object(std::uint32_t index) {
    object& removed = objects_[index];
    removed.is_alive = false;
    ++removed.version;
}

void engine::check_nothing_outlives() {
    for (const object& each : objects_)
        if (each.is_alive)
            fail("an atomic outlives the run: " + describe(each.name, threads_));
}

std::string engine::who_waits() const {
    std::string text;
    for (unsigned index = 0; index < threads_; ++index)
        if (participants_[index].is_alive)
            text += "       thread " + std::to_string(index) + " waits at " +
                    describe(participants_[index].next.where) + "\n";
    return text;
}

std::string engine::steps() const {
    std::vector<object_name> names;
    for (const object& each : objects_)
        names.push_back(each.name);
    return describe(steps_, names, threads_);
}

void engine::fail(const std::string& message, const std::source_location& where) {
    fail(describe(where) + ": " + message);
}

void engine::fail(const std::string& message) {
    result_.has_passed = false;
    result_.schedule = schedule_of(steps_);
    result_.report = message + "\n" + steps() + "EDDY_EXPLORE_REPLAY=\"" + how_.name() + ":" +
                     result_.schedule + "\" runs it again\n";
    if (here_ != main_)
        switch_to(main_);
    std::abort();  // no thread comes back to a run that has failed
}

}  // namespace eddy::explore
