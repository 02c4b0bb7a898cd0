#include "detail/exception_text.hpp"

namespace eddy::detail {

std::string exception_text(const std::exception_ptr& thrown) {
    try {
        std::rethrow_exception(thrown);
    } catch (const std::exception& caught) {
        return caught.what();
    } catch (...) {
        return "an exception of unknown type";
    }
}

}  // namespace eddy::detail
