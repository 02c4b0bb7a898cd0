#include <eddy/core/as_result.hpp>
#include <eddy/fs/directory.hpp>
#include <eddy/fs/names.hpp>
#include <eddy/runtime/worker.hpp>

#include <utility>

namespace eddy::fs {

task<file> open(file_path path, open_options options) {
    detail::awaited_open opening(eddy::detail::worker_core::current().backend(), io::opcode::open, -1,
                                 path.checked(), options);
    auto opened = co_await as_result(opening);
    if (!opened)
        throw std::system_error(opened.error(), "cannot open '" + path.text() + "'");
    co_return std::move(*opened);
}

}  // namespace eddy::fs
