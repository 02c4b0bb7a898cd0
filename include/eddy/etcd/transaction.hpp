#pragma once

#include <eddy/etcd/requests.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace eddy::etcd {

/// What a transaction compares. A value. A key that does not exist has the version and revisions 0, and a value that
/// equals none.
///
///     etcd::compare::version("config").equal(0)     // it does not exist
class compare {
public:
    /// What of a key is compared.
    enum class target : std::uint8_t {
        version,          ///< key_value::version
        create_revision,  ///< key_value::create_revision
        mod_revision,     ///< key_value::mod_revision
        lease,            ///< key_value::lease
        value             ///< key_value::value
    };
    /// What has to be true of it.
    enum class result : std::uint8_t {
        equal,     ///< it is the same
        greater,   ///< it is greater
        less,      ///< it is less
        not_equal  ///< it differs
    };

    /// The side of a key, which the other is given to.
    template <class Operand>
    class subject {
    public:
        /// This of that key.
        subject(target compared, std::string key) noexcept : compared_(compared), key_(std::move(key)) {}
        /// True if it is this.
        [[nodiscard]] compare equal(Operand to) && { return made(result::equal, std::move(to)); }
        /// True if it is greater.
        [[nodiscard]] compare greater(Operand than) && { return made(result::greater, std::move(than)); }
        /// True if it is less.
        [[nodiscard]] compare less(Operand than) && { return made(result::less, std::move(than)); }
        /// True if it differs.
        [[nodiscard]] compare not_equal(Operand to) && { return made(result::not_equal, std::move(to)); }

    private:
        compare made(result wanted, Operand with) {
            return compare(compared_, std::move(key_), wanted, std::move(with));
        }
        target compared_;
        std::string key_;
    };

    /// The number of puts since it was created; 0 if it does not exist.
    [[nodiscard]] static subject<std::int64_t> version(std::string key) noexcept {
        return {target::version, std::move(key)};
    }
    /// The revision of the put that created it.
    [[nodiscard]] static subject<std::int64_t> create_revision(std::string key) noexcept {
        return {target::create_revision, std::move(key)};
    }
    /// The revision of its last change.
    [[nodiscard]] static subject<std::int64_t> mod_revision(std::string key) noexcept {
        return {target::mod_revision, std::move(key)};
    }
    /// The lease that it ends with.
    [[nodiscard]] static subject<std::int64_t> lease(std::string key) noexcept {
        return {target::lease, std::move(key)};
    }
    /// Its bytes.
    [[nodiscard]] static subject<std::string> value(std::string key) noexcept {
        return {target::value, std::move(key)};
    }

    /// What of the key.
    [[nodiscard]] target compared() const noexcept { return compared_; }
    /// What has to be true.
    [[nodiscard]] result wanted() const noexcept { return wanted_; }
    /// Of which key.
    [[nodiscard]] const std::string& key() const noexcept { return key_; }
    /// What it is compared with.
    [[nodiscard]] const std::variant<std::int64_t, std::string>& operand() const noexcept { return operand_; }

private:
    compare(target compared, std::string key, result wanted, std::variant<std::int64_t, std::string> with)
        : key_(std::move(key)), operand_(std::move(with)), compared_(compared), wanted_(wanted) {}

    std::string key_;
    std::variant<std::int64_t, std::string> operand_;
    target compared_;
    result wanted_;
};

/// Requests that are carried out together, at one revision: those of then() if all comparisons are true, otherwise those
/// of otherwise(). A value; setters chain. A key is changed once at most.
///
///     const auto made = co_await db.commit(etcd::transaction()
///                                              .when(etcd::compare::version("config").equal(0))
///                                              .then(etcd::put_request("config", "a"))
///                                              .otherwise(etcd::range_request("config")));
class transaction {
public:
    /// What a transaction consists of.
    using request = std::variant<range_request, put_request, delete_request>;

    /// One that changes nothing.
    transaction() = default;

    /// Adds a comparison.
    transaction& when(compare condition) {
        compares_.push_back(std::move(condition));
        return *this;
    }
    /// Adds a request for where all comparisons are true.
    transaction& then(request made) {
        success_.push_back(std::move(made));
        return *this;
    }
    /// Adds a request for where one is not.
    transaction& otherwise(request made) {
        failure_.push_back(std::move(made));
        return *this;
    }

    /// Those of when().
    [[nodiscard]] const std::vector<compare>& compares() const noexcept { return compares_; }
    /// Those of then().
    [[nodiscard]] const std::vector<request>& success() const noexcept { return success_; }
    /// Those of otherwise().
    [[nodiscard]] const std::vector<request>& failure() const noexcept { return failure_; }

private:
    std::vector<compare> compares_;
    std::vector<request> success_;
    std::vector<request> failure_;
};

}  // namespace eddy::etcd
