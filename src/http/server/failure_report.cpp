#include "http/server/failure_report.hpp"

#include <eddy/http/server/exchange.hpp>
#include <eddy/io/standard_error.hpp>

#include <algorithm>
#include <exception>
#include <string>

namespace eddy::http {

namespace {

std::string reason_of(const std::exception_ptr& error) {
    if (error == nullptr)
        return "it gave no response";
    try {
        std::rethrow_exception(error);
    } catch (const std::exception& known) {
        return known.what();
    } catch (...) {
        return "an exception of unknown type";
    }
}

}  // namespace

void report_to_standard_error(const exchange& ex, const std::exception_ptr& error) noexcept {
    try {
        // Without the query, which may hold what is no business of a log.
        std::string line = "eddy: the handler of ";
        line.append(ex.request().method_name()).append(" ").append(ex.request().path());
        line.append(" failed: ").append(reason_of(error));
        const auto is_control = [](char byte) { return static_cast<unsigned char>(byte) < 0x20; };
        std::replace_if(line.begin(), line.end(), is_control, ' ');
        line += '\n';
        static_cast<void>(io::write_standard_error(line));
    } catch (...) {
        // Memory is out: the failure is counted all the same.
    }
}

}  // namespace eddy::http
