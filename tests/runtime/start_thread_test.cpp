#include "support/run_bounded.hpp"

#include <eddy/runtime/offload.hpp>
#include <eddy/runtime/runtime.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <pthread.h>
#include <string>
#include <system_error>

namespace eddy::start_thread_test {
namespace {

/// While it lives no thread can be started: its stack would be larger than the address space.
class no_more_threads {
public:
    no_more_threads() {
        ::pthread_getattr_default_np(&before_);
        pthread_attr_t huge;
        ::pthread_attr_init(&huge);
        ::pthread_attr_setstacksize(&huge, std::size_t{1} << 50);
        ::pthread_setattr_default_np(&huge);
        ::pthread_attr_destroy(&huge);
    }
    no_more_threads(const no_more_threads&) = delete;
    no_more_threads& operator=(const no_more_threads&) = delete;
    ~no_more_threads() {
        ::pthread_setattr_default_np(&before_);
        ::pthread_attr_destroy(&before_);
    }

private:
    pthread_attr_t before_;
};

template <class Function>
std::string error_of(Function function) {
    try {
        function();
    } catch (const std::system_error& error) {
        EXPECT_EQ(error.code(), std::errc::resource_unavailable_try_again);
        return error.what();
    }
    return "";
}

TEST(a_runtime_without_threads, says_for_what_there_is_none) {
    const no_more_threads here;
    const std::string error = error_of([] { runtime workers(runtime_options().workers(2)); });
    EXPECT_NE(error.find("cannot start a thread for a worker"), std::string::npos) << error;
}

TEST(an_offload_pool_without_threads, says_for_what_there_is_none) {
    std::string error;
    test::run_bounded([](std::string& reported) -> task<> {
        const no_more_threads here;
        try {
            co_await offload([] {});
        } catch (const std::system_error& thrown) {
            reported = thrown.what();
        }
    }(error));
    EXPECT_NE(error.find("cannot start a thread for offloaded functions"), std::string::npos) << error;
}

}  // namespace
}  // namespace eddy::start_thread_test
