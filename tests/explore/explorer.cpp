#include "explore/explorer.hpp"

#include "explore/engine.hpp"
#include "explore/hooks.hpp"
#include "explore/sanitizers.hpp"

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace eddy::explore {

namespace {

// Instead of the index of an atomic that has been destroyed.
constexpr std::uint32_t destroyed = no_object - 1;

[[maybe_unused]] void print_steps() {
    const unseen guard;
    if (const engine* const now = engine::current())
        std::fprintf(stderr, "the schedule in which this happened:\n%s", now->steps().c_str());
}

// The index of an atomic in this run. One that was made before it, a global, say, joins it.
std::uint32_t resolve(engine& now, std::uint64_t& run, std::uint32_t& index, const char* type,
                      const std::source_location& where) {
    if (index == destroyed)
        now.fail("an atomic is used that has been destroyed", where);
    if (run != now.run()) {
        run = now.run();
        index = now.add_object(type);
    }
    return index;
}

}  // namespace

result explore_model(const settings& how, model& explored) {
    const unseen guard;
#ifdef EXPLORE_ASAN
    __sanitizer_set_death_callback(&print_steps);
#endif
    engine exploration(how, explored);
    return exploration.run_all();
}

void fail(const std::string& message, const std::source_location& where) {
    const unseen guard;
    if (engine* const now = engine::current())
        now->fail(message, where);
    std::fprintf(stderr, "%s:%u: %s\n", where.file_name(), static_cast<unsigned>(where.line()),
                 message.c_str());
    std::abort();
}

void keep_abandoned(void* left) {
    static std::vector<void*> abandoned;
    abandoned.push_back(left);
}

void forget_reads() noexcept {
    const unseen guard;
    if (engine* const now = engine::current())
        now->forget_reads();
}

unsigned current_thread() noexcept {
    const unseen guard;
    const engine* const now = engine::current();
    return now != nullptr ? now->thread() : 0;
}

void atomic_hooks::born() noexcept {
    const unseen guard;
    if (engine* const now = engine::current()) {
        run_ = now->run();
        index_ = now->add_object(type_);
    }
}

void atomic_hooks::dies() noexcept {
    const unseen guard;
    if (engine* const now = engine::current(); now != nullptr && run_ == now->run()) {
        now->before({action::destroy, true, index_, std::source_location::current(), {}});
        now->remove_object(index_);
        index_ = destroyed;
    }
}

void atomic_hooks::before(action what, bool is_write, const std::source_location& where) const {
    const unseen guard;
    if (engine* const now = engine::current())
        now->before({what, is_write, resolve(*now, run_, index_, type_, where), where, {}});
}

void atomic_hooks::after(std::uint64_t seen, std::uint64_t left, bool is_changed) const {
    const unseen guard;
    if (engine* const now = engine::current())
        now->after(index_, seen, left, is_changed);
}

void atomic_hooks::sleep(const std::source_location& where) const {
    const unseen guard;
    if (engine* const now = engine::current())
        now->sleep(index_, where);
}

void atomic_hooks::notify(bool all, const std::source_location& where) const {
    const unseen guard;
    if (engine* const now = engine::current()) {
        now->before({action::notify, true, resolve(*now, run_, index_, type_, where), where, {}});
        now->notify(index_, all);
    }
}

void wait_for_change(const std::source_location& where) {
    const unseen guard;
    if (engine* const now = engine::current())
        now->before({action::relax, false, no_object, where, {}});
}

}  // namespace eddy::explore

#ifdef EXPLORE_ASAN
// Where a stack is left for good, what is on it must be found, so that it does not count as leaked.
extern "C" const char* __asan_default_options() {
    return "detect_stack_use_after_return=0";
}
#endif

#ifdef EXPLORE_TSAN
// ThreadSanitizer calls it in the middle of a report, where little is allowed.
extern "C" void __tsan_on_report(void*) {
    const eddy::explore::unseen guard;
    eddy::explore::engine::note_data_race();
}
#endif
