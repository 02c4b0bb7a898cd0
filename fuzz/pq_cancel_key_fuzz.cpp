// The key that a trace tells is the same however the trace is cut. The first byte says how.

#include "check.hpp"
#include "integrations/pq/cancel_key_watch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <libpq-fe.h>
#include <memory>
#include <optional>
#include <string_view>

namespace {

using eddy::pq::detail::cancel_key;
using eddy::pq::detail::cancel_key_watch;

struct finisher {
    void operator()(PGconn* connection) const noexcept { PQfinish(connection); }
};

// Of a connection that never was.
PGconn& unconnected() {
    static const std::unique_ptr<PGconn, finisher> connection(PQconnectStart("host=/nowhere"));
    return *connection;
}

std::optional<cancel_key> read(std::string_view trace, std::size_t step) {
    cancel_key_watch watch(unconnected());
    for (; !trace.empty(); trace.remove_prefix(std::min(step, trace.size())))
        watch.append(trace.substr(0, step));
    return watch.key();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0)
        return 0;
    const std::string_view trace(reinterpret_cast<const char*>(data) + 1, size - 1);
    const auto whole = read(trace, size);
    const auto pieces = read(trace, std::size_t{1} + data[0] % 32);
    EDDY_FUZZ_CHECK(whole.has_value() == pieces.has_value());
    EDDY_FUZZ_CHECK(!whole || (whole->process == pieces->process && whole->secret == pieces->secret));
    return 0;
}
