#include "pipeline/pool.hpp"

#include "pipeline/answer_path.hpp"

#include <eddy/runtime/remote_handle.hpp>

#include <utility>

namespace eddy::apps {

namespace {

task<> begin(processor& by, request asked, std::shared_ptr<answer_path> path) {
    by.process(asked, [path = std::move(path)](upstream_result result) { path->give(std::move(result)); });
    co_return;
}

}  // namespace

pool::pool(runtime& on, const processing_options& options)
    : runtime_(on),
      options_(options),
      work_(options.work),
      first_worker_(on.workers() - options.pool_workers),
      processors_(options.pool_workers) {}

task<> pool::open() {
    for (std::size_t member = 0; member < processors_.size(); ++member)
        co_await runtime_.spawn_on(worker_of(member), open_on(member));
}

task<> pool::close() {
    for (std::size_t member = 0; member < processors_.size(); ++member)
        co_await runtime_.spawn_on(worker_of(member), close_on(member));
}

task<> pool::open_on(std::size_t member) {
    processors_[member] = std::make_unique<processor>(options_, work_);
    co_return;
}

task<> pool::close_on(std::size_t member) {
    processors_[member].reset();
    co_return;
}

task<upstream_result> pool::process(request asked) {
    const std::size_t member = turn_.fetch_add(1, std::memory_order_relaxed) % processors_.size();
    if (options_.mode == processing_mode::callback)
        return process_by_callback(member, asked);
    return process_on(member, asked);
}

task<upstream_result> pool::process_on(std::size_t member, request asked) {
    auto processing = runtime_.spawn_on(worker_of(member), processors_[member]->process(asked), "processing");
    co_return co_await processing;
}

task<upstream_result> pool::process_by_callback(std::size_t member, request asked) {
    const auto path = std::make_shared<answer_path>();
    // This task ends as soon as the question has been asked: what goes on is the function.
    runtime_.spawn_on(worker_of(member), begin(*processors_[member], asked, path), "processing").detach();
    co_return co_await *path;
}

}  // namespace eddy::apps
