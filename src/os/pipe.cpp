#include "detail/contains_nul.hpp"
#include "io/retry_pace.hpp"

#include <eddy/io/detail/result.hpp>
#include <eddy/io/plain_descriptor.hpp>
#include <eddy/os/pipe.hpp>
#include <eddy/runtime/offload.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/runtime/worker.hpp>

#include <cerrno>
#include <utility>

namespace eddy {

namespace {

io::plain_descriptor open_end(io::file_system* files, const std::string& path, bool is_writing) {
    return io::plain_descriptor(
        detail::contains_nul(path) ? -EINVAL : files->open_named_pipe(path.c_str(), is_writing));
}

int create_fifo(io::file_system* files, const std::string& path, unsigned mode) {
    return detail::contains_nul(path) ? -EINVAL : files->make_named_pipe(path.c_str(), mode);
}

}  // namespace

pipe_reader::pipe_reader(int descriptor) : state_owner(detail::make_polled_stream(descriptor)) {}

pipe_writer::pipe_writer(int descriptor) : descriptor_sink(detail::make_polled_stream(descriptor)) {}

pipe_ends pipe() {
    io::backend& backend = detail::worker_core::current().backend();
    int reading = -1;
    int writing = -1;
    io::require_done(backend.system().descriptors->open_pipe(reading, writing), "pipe");
    detail::owned_descriptor kept_reading(backend, reading);
    detail::owned_descriptor kept_writing(backend, writing);
    pipe_reader reader(kept_reading.release());
    return {std::move(reader), pipe_writer(kept_writing.release())};
}

task<> make_fifo(std::string path, unsigned mode) {
    const int result = co_await offload(work_kind::short_running, &create_fifo,
                                        detail::worker_core::current().system().files, std::move(path), mode);
    io::require_done(result, "mkfifo");
}

task<pipe_reader> open_fifo_reader(std::string path) {
    io::plain_descriptor opened =
        co_await offload(work_kind::short_running, &open_end, detail::worker_core::current().system().files,
                         std::move(path), false);
    io::require_done(opened.get(), "open");
    pipe_reader reader(opened.release());
    reader.state().expect_writer();
    co_return reader;
}

task<pipe_writer> open_fifo_writer(std::string path) {
    detail::retry_pace pace;
    for (;;) {
        io::plain_descriptor opened = co_await offload(
            work_kind::short_running, &open_end, detail::worker_core::current().system().files, path, true);
        if (opened.get() >= 0)
            co_return pipe_writer(opened.release());
        if (opened.get() != -ENXIO)
            io::throw_error(opened.get(), "open");
        co_await sleep_for(pace.next());
    }
}

}  // namespace eddy
