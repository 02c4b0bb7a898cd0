#pragma once

#include "explore/explorer.hpp"
#include "explore/fiber.hpp"
#include "explore/operation.hpp"
#include "explore/search.hpp"
#include "explore/thread_locals.hpp"
#include "explore/trace.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

namespace eddy::explore {

/// Carries one exploration out. Each model thread is a fiber, and so is the frame, which makes and destroys
/// the state of a run and lets no other in between; all of them serve one run after the other. A thread that is
/// about to make a step chooses which makes the next one, and switches there unless that is itself.
class engine {
public:
    engine(const settings& how, model& explored);
    ~engine();
    engine(const engine&) = delete;
    engine& operator=(const engine&) = delete;

    [[nodiscard]] static engine* current() noexcept { return current_; }
    [[nodiscard]] result run_all();
    /// The run fails at its next step.
    static void note_data_race() noexcept { has_data_race_ = true; }

    // -- for the hooks --

    [[nodiscard]] std::uint64_t run() const noexcept { return runs_; }
    [[nodiscard]] unsigned thread() const noexcept { return here_; }
    [[nodiscard]] std::uint32_t add_object(const char* type);
    void remove_object(std::uint32_t index);
    [[nodiscard]] bool is_alive(std::uint32_t index) const noexcept {
        return index < objects_.size() && objects_[index].is_alive;
    }
    void before(const operation& next);
    void after(std::uint32_t index, std::uint64_t seen, std::uint64_t left, bool is_changed);
    void forget_reads();
    void sleep(std::uint32_t index, const std::source_location& where);
    void notify(std::uint32_t index, bool all);
    [[noreturn]] void fail(const std::string& message, const std::source_location& where);
    [[noreturn]] void fail(const std::string& message);

    [[nodiscard]] std::string steps() const;

private:
    struct participant {
        std::unique_ptr<fiber> stack;
        thread_locals locals;
        operation next;
        bool is_alive = false;
        bool is_notified = false;
        struct read {
            std::uint32_t object;
            std::uint32_t version;
        };
        std::vector<read> reads;  // since it last waited for a change
    };
    struct object {
        object_name name;
        bool is_alive = true;
        std::uint32_t version = 0;  // how often it was changed
        std::vector<unsigned> idle_workers;
    };
    enum class phase { alone, starting, stepping };

    struct entry {
        engine* self;
        unsigned index;
    };
    static void enter(void* started);
    void serve_frame();
    void serve_thread(unsigned index);
    void run_once();
    void start_threads();
    void switch_to(unsigned next);
    void pass_the_turn();
    [[nodiscard]] unsigned find_next();
    [[nodiscard]] unsigned choose(const situation& now);
    [[nodiscard]] situation look() const;
    [[nodiscard]] bool can_go_on(const participant& thread) const;
    [[nodiscard]] bool is_model_thread() const noexcept { return here_ < threads_; }
    void check_nothing_outlives();
    [[nodiscard]] std::string who_waits() const;

    static engine* current_;
    static bool has_data_race_;

    settings how_;
    model& model_;
    unsigned threads_;
    unsigned frame_;
    unsigned main_;
    search search_;
    std::optional<std::string> replayed_;
    std::array<participant, threads_max + 2> participants_;
    std::array<entry, threads_max + 1> entries_;
    result result_;
    char ordered_ = 0;  // what ThreadSanitizer knows of the order of a run's parts
    // Of the current run:
    std::uint64_t runs_ = 0;
    phase phase_ = phase::alone;
    unsigned here_;
    std::vector<object> objects_;
    std::array<unsigned, threads_max + 1> made_{};
    std::vector<step> steps_;
};

}  // namespace eddy::explore
