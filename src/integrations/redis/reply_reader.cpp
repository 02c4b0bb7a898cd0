#include <eddy/integrations/redis/detail/reply_reader.hpp>

#include <algorithm>
#include <cstdint>
#include <hiredis/read.h>
#include <new>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::redis {

/// hiredis calls functions that make objects; ours make replies in their places: the outermost one is
/// allocated, the others are elements of the one that they are in. An array grows as its elements come, so
/// what hiredis holds of it stays where it is: only its last element may be an array that is not complete.
class reply_reader::state {
public:
    explicit state(const reply_limits& limits)
        : limits_(limits), reader_(redisReaderCreateWithFunctions(functions())) {
        if (reader_ == nullptr)
            throw std::bad_alloc();
        reader_->privdata = this;
    }
    state(const state&) = delete;
    state& operator=(const state&) = delete;
    ~state() { redisReaderFree(reader_); }

    void feed(std::span<const std::byte> bytes) {
        if (bytes.empty())
            return;
        if (redisReaderFeed(reader_, reinterpret_cast<const char*>(bytes.data()), bytes.size()) != REDIS_OK)
            throw std::bad_alloc();
        bytes_ += bytes.size();
    }

    std::optional<reply> next() {
        void* got = nullptr;
        if (redisReaderGetReply(reader_, &got) != REDIS_OK)
            throw_failure();
        if (got == nullptr) {
            if (bytes_ > limits_.bytes_max())
                throw std::system_error(client_error::limit_exceeded, "bytes");
            return std::nullopt;
        }
        const std::unique_ptr<reply> owned(static_cast<reply*>(got));
        bytes_ = reader_->len - reader_->pos;
        elements_ = 0;
        return std::move(*owned);
    }

private:
    [[noreturn]] void throw_failure() const {
        if (refused_ != nullptr)
            throw std::system_error(refused_as_, refused_);
        if (reader_->err == REDIS_ERR_OOM)
            throw std::bad_alloc();
        throw std::system_error(client_error::protocol, reader_->errstr);
    }

    /// Ends the reading: next() throws this error.
    std::nullptr_t refuse(client_error error, const char* why) noexcept {
        refused_as_ = error;
        refused_ = why;
        return nullptr;
    }

    /// Makes a reply where it belongs. Null, having refused it, if a limit is met.
    template <class... Parts>
    reply* place(const redisReadTask& task, Parts&&... parts) {
        if (task.parent == nullptr)
            return new reply(std::forward<Parts>(parts)...);
        if (++elements_ > limits_.elements_max())
            return refuse(client_error::limit_exceeded, "elements");
        return &static_cast<reply*>(task.parent->obj)->elements().emplace_back(std::forward<Parts>(parts)...);
    }
    reply* make_array(const redisReadTask& task, std::size_t size) {
        std::size_t nesting = 1;
        for (const redisReadTask* outer = task.parent; outer != nullptr; outer = outer->parent)
            ++nesting;
        if (nesting > limits_.nesting_max())
            return refuse(client_error::limit_exceeded, "arrays in arrays");
        if (size > limits_.elements_max())
            return refuse(client_error::limit_exceeded, "elements");
        std::vector<reply> elements;
        elements.reserve(std::min(size, elements_at_once));
        return place(task, std::move(elements));
    }

    /// Whether RESP2 has replies of a type. hiredis 1.x reads those of RESP3, too, which this client never
    /// requests.
    static bool is_resp2(int type) noexcept {
        return type >= REDIS_REPLY_STRING && type <= REDIS_REPLY_ERROR;
    }

    /// Runs what may throw under a function of C's.
    template <class Function>
    static void* guarded(const redisReadTask* task, Function make) noexcept {
        try {
            auto& self = *static_cast<state*>(task->privdata);
            if (!is_resp2(task->type))
                return self.refuse(client_error::protocol, "Protocol error, got a reply of RESP3");
            return make(self);
        } catch (...) {
            return nullptr;  // hiredis notes that there is no memory
        }
    }

    static void* on_text(const redisReadTask* task, char* text, std::size_t size) {
        return guarded(task, [=](state& self) {
            const auto kind = task->type == REDIS_REPLY_ERROR    ? reply_kind::error
                              : task->type == REDIS_REPLY_STATUS ? reply_kind::status
                                                                 : reply_kind::string;
            return self.place(*task, kind, std::string(text, size));
        });
    }
    template <class Size>  // int, and std::size_t since hiredis 1.0
    static void* on_array(const redisReadTask* task, Size size) {
        return guarded(task,
                       [=](state& self) { return self.make_array(*task, static_cast<std::size_t>(size)); });
    }
    static void* on_integer(const redisReadTask* task, long long value) {
        return guarded(task, [=](state& self) { return self.place(*task, std::int64_t{value}); });
    }
    static void* on_nil(const redisReadTask* task) {
        return guarded(task, [=](state& self) { return self.place(*task); });
    }
    static void* on_double(const redisReadTask* task, double, char*, std::size_t) {
        return guarded(task, [](state&) { return nullptr; });
    }
    static void* on_bool(const redisReadTask* task, int) {
        return guarded(task, [](state&) { return nullptr; });
    }
    static void free_outermost(void* object) { delete static_cast<reply*>(object); }

    /// The table of functions of whichever hiredis this is: the last two are there since 1.0.
    template <class Table>
    static constexpr Table all_functions() noexcept {
        Table all{};
        all.createString = &on_text;
        all.createArray = &on_array;
        all.createInteger = &on_integer;
        all.createNil = &on_nil;
        all.freeObject = &free_outermost;
        if constexpr (requires { all.createDouble; }) {
            all.createDouble = &on_double;
            all.createBool = &on_bool;
        }
        return all;
    }

    static constexpr std::size_t elements_at_once = 256;
    // hiredis takes a pointer to what it does not change.
    static redisReplyObjectFunctions* functions() noexcept {
        static constinit redisReplyObjectFunctions all = all_functions<redisReplyObjectFunctions>();
        return &all;
    }

    reply_limits limits_;
    redisReader* reader_;
    std::size_t bytes_ = 0;     // of the reply that is not complete
    std::size_t elements_ = 0;  // the same
    client_error refused_as_ = client_error::protocol;
    const char* refused_ = nullptr;
};

reply_reader::reply_reader(const reply_limits& limits) : state_(std::make_unique<state>(limits)) {}
reply_reader::reply_reader(reply_reader&&) noexcept = default;
reply_reader& reply_reader::operator=(reply_reader&&) noexcept = default;
reply_reader::~reply_reader() = default;

void reply_reader::feed(std::span<const std::byte> bytes) {
    state_->feed(bytes);
}
std::optional<reply> reply_reader::next() {
    return state_->next();
}

}  // namespace eddy::redis
