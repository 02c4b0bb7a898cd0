#include "stream_bio.hpp"

#include <eddy/tls/detail/tls_engine.hpp>

#include <new>
#include <span>

namespace eddy::detail {

namespace {

tls_engine& engine_of(BIO* bio) noexcept {
    return *static_cast<tls_engine*>(BIO_get_data(bio));
}

int read_input(BIO* bio, char* out, std::size_t size, std::size_t* count) noexcept {
    BIO_clear_retry_flags(bio);
    *count = engine_of(bio).take_input({reinterpret_cast<std::byte*>(out), size});
    if (*count != 0)
        return 1;
    BIO_set_retry_read(bio);
    return 0;
}

int write_output(BIO* bio, const char* bytes, std::size_t size, std::size_t* count) noexcept {
    BIO_clear_retry_flags(bio);
    try {
        engine_of(bio).output().append({reinterpret_cast<const std::byte*>(bytes), size});
    } catch (...) {
        engine_of(bio).fail(std::make_error_code(std::errc::not_enough_memory));
        return 0;
    }
    *count = size;
    return 1;
}

long control(BIO*, int command, long, void*) noexcept {
    return command == BIO_CTRL_FLUSH ? 1 : 0;
}

BIO_METHOD* make_method() {
    BIO_METHOD* const made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "eddy stream");
    if (made == nullptr)
        throw std::bad_alloc();
    BIO_meth_set_read_ex(made, &read_input);
    BIO_meth_set_write_ex(made, &write_output);
    BIO_meth_set_ctrl(made, &control);
    return made;
}

}  // namespace

BIO* new_stream_bio(tls_engine& engine) {
    // Never freed: connections may end after the program's static objects.
    static const BIO_METHOD* const method = make_method();
    BIO* const made = BIO_new(method);
    if (made == nullptr)
        throw std::bad_alloc();
    BIO_set_data(made, &engine);
    BIO_set_init(made, 1);
    return made;
}

}  // namespace eddy::detail
