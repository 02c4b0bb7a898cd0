#include <eddy/io/detail/processes.hpp>
#include <eddy/io/detail/result.hpp>
#include <eddy/os/command.hpp>
#include <eddy/runtime/detail/current_system.hpp>
#include <eddy/runtime/offload.hpp>
#include <eddy/runtime/worker.hpp>

#include <memory>
#include <system_error>

namespace eddy {

child_stream child_stream::descriptor(int number) {
    child_stream made(target::descriptor);
    io::plain_descriptor duplicate(detail::current_system().files->duplicate(number));
    io::require_done(duplicate.get(), "dup");
    made.stream_.kept = std::make_shared<io::plain_descriptor>(std::move(duplicate));
    return made;
}

child_stream child_stream::pipe_end(pipe_reader end) {
    return of_its_own(end.descriptor());
}

child_stream child_stream::pipe_end(pipe_writer end) {
    return of_its_own(end.descriptor());
}

child_stream child_stream::of_its_own(int number) {
    child_stream made = descriptor(number);
    // A worker may want its ends not to wait, which no child expects.
    detail::worker_core::current().backend().system().descriptors->make_blocking(made.stream_.kept->get());
    return made;
}

command::command(std::string program) {
    request_.arguments.push_back(program);
    request_.program = std::move(program);
}

command& command::argument(std::string value) {
    request_.arguments.push_back(std::move(value));
    return *this;
}

command& command::variable(std::string_view name, std::string_view value) {
    std::string made(name);
    made += '=';
    made += value;
    request_.variables.push_back(std::move(made));
    return *this;
}

command& command::without_variable(std::string name) {
    request_.left_out.push_back(std::move(name));
    return *this;
}

command& command::without_environment() noexcept {
    request_.keeps_environment = false;
    return *this;
}

command& command::directory(std::string path) {
    request_.directory = std::move(path);
    return *this;
}

command& command::input(child_stream from) {
    request_.streams[0] = std::move(from.stream_);
    return *this;
}

command& command::output(child_stream to) {
    request_.streams[1] = std::move(to.stream_);
    return *this;
}

command& command::error(child_stream to) {
    request_.streams[2] = std::move(to.stream_);
    return *this;
}

command& command::own_group() noexcept {
    request_.group = 0;
    return *this;
}

command& command::group(const child& leader) {
    request_.group = leader.id();
    return *this;
}

command& command::grace(duration period) noexcept {
    grace_ = period;
    return *this;
}

task<child> command::start() const {
    return start_child(request_, grace_);
}

task<child> command::start_child(io::process_request request, duration grace) {
    const std::string program = request.program;
    auto starting = offload(
        work_kind::short_running,
        [starter = detail::worker_core::current().system().processes](const io::process_request& wanted) {
            return starter->start(wanted);
        },
        std::move(request));
    io::process_result made = co_await starting;
    io::require_done(made.error, program.c_str());
    child started(std::make_shared<detail::child_state>(std::move(made.started), grace));
    if (made.pipes[0].get() >= 0)
        started.input_.emplace(made.pipes[0].release());
    if (made.pipes[1].get() >= 0)
        started.output_.emplace(made.pipes[1].release());
    if (made.pipes[2].get() >= 0)
        started.error_.emplace(made.pipes[2].release());
    co_return started;
}

}  // namespace eddy
