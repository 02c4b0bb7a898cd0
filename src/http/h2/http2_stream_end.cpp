#include "http/h2/http2_stream_end.hpp"

#include "http/h2/http2_connection.hpp"

#include <eddy/http/server/connection_info.hpp>

#include <algorithm>
#include <cstring>
#include <nghttp2/nghttp2.h>
#include <system_error>

namespace eddy::http {

http2_stream_end::~http2_stream_end() {
    if (stream_ == nullptr || !owns_)
        return;
    stream_->taken_over = nullptr;
    if (stream_->connection == nullptr) {
        delete stream_;
        return;
    }
    close();
    stream_->connection->release(*stream_);
}

task<std::size_t> http2_stream_end::read(std::span<std::byte> out) {
    if (out.empty())
        co_return 0;
    static_cast<void>(co_await stream_->wait_for_input(time_point::max()));
    if (stream_->arrived_bytes() == 0 && stream_->input_failure())
        throw std::system_error(stream_->input_failure(), "reading from a stream");
    co_return stream_->try_take(out);
}

task<buffer_lease> http2_stream_end::read_leased() {
    auto arrived = co_await stream_->receive(time_point::max());
    if (!arrived)
        throw std::system_error(arrived.error(), "reading from a stream");
    co_return std::move(*arrived);
}

task<std::size_t> http2_stream_end::write_all(std::span<const std::byte> bytes) {
    if (bytes.empty())
        co_return 0;
    if (stream_->is_output_ended())
        throw std::system_error(std::make_error_code(std::errc::broken_pipe), "writing to a stream");
    if (stream_->output().try_append(as_text(bytes)))
        co_await stream_->send({});
    else
        co_await stream_->send(as_text(bytes));
    co_return bytes.size();
}

task<std::size_t> http2_stream_end::write_all(std::span<const_buffer> buffers) {
    std::size_t count = 0;
    for (const const_buffer& each : buffers)
        count += co_await write_all(std::span(static_cast<const std::byte*>(each.data()), each.size()));
    co_return count;
}

task<void> http2_stream_end::shutdown() {
    stream_->end_output();
    co_return;
}

void http2_stream_end::close() noexcept {
    if (stream_->is_output_ended() && stream_->is_input_ended())
        return;
    if (stream_->connection != nullptr)
        stream_->connection->reset_stream(*stream_, NGHTTP2_CANCEL);
    stream_->end_sending();
    if (!stream_->is_input_ended())
        stream_->end_input(std::make_error_code(std::errc::operation_canceled));
}

std::optional<endpoint> http2_stream_end::local_endpoint() const {
    return stream_->connection == nullptr ? std::nullopt : stream_->info().local();
}

std::optional<endpoint> http2_stream_end::remote_endpoint() const {
    return stream_->connection == nullptr ? std::nullopt : stream_->info().peer();
}

}  // namespace eddy::http
