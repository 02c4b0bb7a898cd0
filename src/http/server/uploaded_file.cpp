#include <eddy/fs/names.hpp>
#include <eddy/http/server/uploaded_file.hpp>

#include <utility>

namespace eddy::http {

task<upload_writer> upload_writer::open(file_path below) {
    temporary_directory directory = co_await fs::make_temporary_directory(std::move(below));
    file content =
        co_await fs::open(directory.at(uploaded_file::content_name), open_options().write().create_new());
    co_return upload_writer(std::move(directory), std::move(content));
}

task<> upload_writer::write(std::span<const std::byte> bytes) {
    co_await content_.write_all(bytes);
}

uploaded_file upload_writer::finish() && {
    return uploaded_file(std::move(directory_), content_.position());
}

task<> uploaded_file::keep(file_path to) {
    co_await fs::rename(path(), std::move(to));
    co_await directory_.remove();
}

}  // namespace eddy::http
