#include <eddy/runtime/worker.hpp>
#include <eddy/sync/semaphore.hpp>
#include <eddy/tls/detail/handshake_turn.hpp>

#include <utility>

namespace eddy::detail {

namespace {

// A posted function is called at the end of the turn, and the task that gets the permit then runs in the next
// one.
class end_of_turn {
public:
    explicit end_of_turn(semaphore_permit&& permit) noexcept : permit_(std::move(permit)) {}
    void operator()() noexcept { permit_.give_back(); }

private:
    semaphore_permit permit_;
};

void take_turn(semaphore_permit&& permit) {
    worker::current().post_function(end_of_turn(std::move(permit)));
}

semaphore& turn_of_worker() {
    static thread_local semaphore turn(1);
    return turn;
}

}  // namespace

bool try_handshake_turn() {
    semaphore_permit permit = turn_of_worker().try_acquire();
    if (!permit)
        return false;
    take_turn(std::move(permit));
    return true;
}

task<> handshake_turn() {
    semaphore_permit permit = co_await turn_of_worker().acquire();
    take_turn(std::move(permit));
}

}  // namespace eddy::detail
