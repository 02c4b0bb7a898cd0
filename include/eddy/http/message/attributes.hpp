#pragma once

#include <eddy/detail/build.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace eddy::http {

/// One object of each type, by which middleware, the handler and observers of one request pass data on: the
/// request's id, its user. The objects live until the request has been answered and observed.
///
/// Thread safety: none. Cost: an allocation an object.
class attributes {
public:
    /// Constructs an object, which replaces the one of its type. Throws what its constructor throws.
    template <class T, class... Arguments>
    T& emplace(Arguments&&... arguments) {
        auto made = std::make_unique<held<T>>(std::forward<Arguments>(arguments)...);
        T& object = made->object;
        for (auto& [key, there] : all_) {
            if (key == &key_of<T>) {
                there = std::move(made);
                return object;
            }
        }
        all_.emplace_back(&key_of<T>, std::move(made));
        return object;
    }

    /// The object of this type; null if there is none.
    template <class T>
    [[nodiscard]] T* find() const noexcept {
        for (const auto& [key, there] : all_)
            if (key == &key_of<T>)
                return &static_cast<held<T>&>(*there).object;
        return nullptr;
    }

    /// Removes all values.
    void clear() noexcept { all_.clear(); }

private:
    struct any_held {
        virtual ~any_held() = default;
    };
    template <class T>
    struct held final : any_held {
        template <class... Arguments>
        explicit held(Arguments&&... arguments) : object(std::forward<Arguments>(arguments)...) {}
        T object;
    };
    template <class T>
    static constexpr char key_of = 0;

    std::vector<std::pair<const char*, std::unique_ptr<any_held>>> all_;
};

}  // namespace eddy::http
