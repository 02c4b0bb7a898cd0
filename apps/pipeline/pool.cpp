#include "pipeline/pool.hpp"

#include <eddy/runtime/executor.hpp>
#include <eddy/sync/oneshot.hpp>

#include <utility>

namespace eddy::apps {

pool::pool(runtime& on, const processing_options& options)
    : runtime_(on),
      options_(options),
      work_(options.work),
      first_worker_(on.workers() - options.pool_workers),
      processors_(options.pool_workers) {}

task<> pool::open() {
    for (std::size_t member = 0; member < processors_.size(); ++member)
        co_await on(worker_of(member), &pool::open_here, this, member);
}

// Posted, so that they end behind every request that was posted to them, wanted or not.
task<> pool::close() {
    for (std::size_t member = 0; member < processors_.size(); ++member) {
        oneshot<bool> closed;
        runtime_.post_on(worker_of(member), [this, member, sender = std::move(closed.sender)]() mutable {
            processors_[member].reset();
            sender.send(true);
        });
        co_await closed.receiver;
    }
}

void pool::open_here(std::size_t member) {
    processors_[member] = std::make_unique<processor>(options_, work_);
}

task<upstream_result> pool::process(request req) {
    const std::size_t member = turn_.fetch_add(1, std::memory_order_relaxed) % processors_.size();
    if (options_.mode == processing_mode::callback)
        return process_by_callback(member, req);
    return on(worker_of(member), &processor::process, processors_[member].get(), req);
}

task<upstream_result> pool::process_by_callback(std::size_t member, request req) {
    oneshot<upstream_result> answer;
    runtime_.post_on(worker_of(member),
                     [by = processors_[member].get(), req, sender = std::move(answer.sender)]() mutable {
                         by->process_and(req, [sender = std::move(sender)](upstream_result result) mutable {
                             sender.send(std::move(result));
                         });
                     });
    co_return co_await answer.receiver;
}

}  // namespace eddy::apps
