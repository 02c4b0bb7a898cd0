#include "integrations/redis/connect_failure.hpp"

#include <eddy/integrations/redis/error.hpp>

#include <new>

namespace eddy::redis::detail {

bool may_pass(const std::exception_ptr& failure) noexcept {
    try {
        std::rethrow_exception(failure);
    } catch (const error& refused) {
        return refused.code() == "LOADING" || refused.code() == "MASTERDOWN" || refused.code() == "BUSY" ||
               refused.code() == "TRYAGAIN" || refused.code() == "CLUSTERDOWN";
    } catch (const std::bad_alloc&) {
        return false;
    } catch (...) {
        return true;
    }
}

std::string reason_of(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const std::exception& thrown) {
        return thrown.what();
    } catch (...) {
        return "an unknown error";
    }
}

}  // namespace eddy::redis::detail
