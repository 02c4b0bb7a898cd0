#include "tls_settings.hpp"

#include <eddy/tls/tls_context.hpp>
#include <eddy/tls/tls_error.hpp>

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace eddy {

namespace detail {

namespace {

/// What identifies a version of a file.
struct file_stamp {
    std::filesystem::file_time_type written{};
    std::uintmax_t size = 0;
    std::filesystem::path place;  // behind symbolic links
    bool operator==(const file_stamp&) const = default;
};

file_stamp stamp_of(const std::string& path) {
    std::error_code ignored;
    file_stamp stamp;
    stamp.written = std::filesystem::last_write_time(path, ignored);
    stamp.size = std::filesystem::file_size(path, ignored);
    stamp.place = std::filesystem::canonical(path, ignored);
    return stamp;
}

class file_stamps {
public:
    void add(const tls_material& material) {
        if (material.is_file())
            stamps_.push_back(stamp_of(material.value()));
    }
    void add(const tls_certificate& certificate) {
        add(certificate.chain());
        add(certificate.key());
        add(certificate.ocsp_response());
    }
    void add(const tls_trust& trust) {
        for (const tls_material& each : trust.materials())
            add(each);
    }
    bool operator==(const file_stamps&) const = default;

private:
    std::vector<file_stamp> stamps_;
};

file_stamps stamps_of(const tls_server_options& options) {
    file_stamps made;
    for (const tls_certificate& each : options.certificates())
        made.add(each);
    made.add(options.trust());
    return made;
}

file_stamps stamps_of(const tls_client_options& options) {
    file_stamps made;
    if (options.certificate())
        made.add(*options.certificate());
    made.add(options.trust());
    return made;
}

void check(const tls_server_options&) {}
void check(const tls_client_options& options) {
    if (options.require_ocsp() && !options.verifies())
        throw std::invalid_argument("what OCSP says can only be required where certificates are verified");
}

}  // namespace

/// Where all copies of a context find what is valid now.
class tls_settings_slot {
public:
    explicit tls_settings_slot(tls_server_options options)
        : options_(std::move(options)),
          tickets_(
              std::make_shared<ticket_keys>(std::get<tls_server_options>(options_).ticket_key_period())) {
        reload(stamps());
    }
    explicit tls_settings_slot(tls_client_options options) : options_(std::move(options)) {
        const auto& own = std::get<tls_client_options>(options_);
        if (own.sessions_max() != 0)
            sessions_ = std::make_shared<session_cache>(own.sessions_max());
        reload(stamps());
    }

    [[nodiscard]] bool is_server() const noexcept {
        return std::holds_alternative<tls_server_options>(options_);
    }
    template <class Get>
    auto option(Get get) const {
        return std::visit(get, options_);
    }

    [[nodiscard]] std::shared_ptr<const tls_settings> settings() const {
        const std::scoped_lock lock(lock_);
        return settings_;
    }
    void reload() {
        const std::scoped_lock lock(reloading_);
        reload(stamps());
    }
    [[nodiscard]] bool reload_if_changed() {
        const std::scoped_lock lock(reloading_);
        file_stamps now = stamps();
        if (now == stamps_)
            return false;
        const file_stamps before = stamps_;
        try {
            reload(std::move(now));
        } catch (const std::system_error& error) {
            // Where the files are not to blame they are read again the next time.
            if (error.code() != tls_error::bad_certificate_file)
                stamps_ = before;
            throw;
        }
        return true;
    }

private:
    [[nodiscard]] file_stamps stamps() const {
        return std::visit([](const auto& options) { return stamps_of(options); }, options_);
    }
    /// Looks at the stamps before it reads, so that what changes meanwhile is seen the next time.
    void reload(file_stamps now) {
        stamps_ = std::move(now);
        auto made = std::visit([this](const auto& options) { return make(options); }, options_);
        const std::scoped_lock lock(lock_);
        settings_.swap(made);
    }
    template <class Options>
    [[nodiscard]] std::shared_ptr<const tls_settings> make(const Options& options) const {
        check(options);
        if constexpr (std::is_same_v<Options, tls_server_options>)
            return std::make_shared<const tls_settings>(options, tickets_);
        else
            return std::make_shared<const tls_settings>(options, sessions_);
    }

    const std::variant<tls_server_options, tls_client_options> options_;
    std::shared_ptr<ticket_keys> tickets_;
    std::shared_ptr<session_cache> sessions_;
    std::mutex reloading_;  // one at a time; guards stamps_
    file_stamps stamps_;
    mutable std::mutex lock_;  // guards settings_
    std::shared_ptr<const tls_settings> settings_;
};

}  // namespace detail

tls_context::tls_context(tls_server_options options)
    : slot_(std::make_shared<detail::tls_settings_slot>(std::move(options))) {}

tls_context::tls_context(tls_client_options options)
    : slot_(std::make_shared<detail::tls_settings_slot>(std::move(options))) {}

tls_role tls_context::role() const noexcept {
    return slot_->is_server() ? tls_role::server : tls_role::client;
}

std::chrono::milliseconds tls_context::handshake_time_max() const noexcept {
    return slot_->option([](const auto& options) { return options.handshake_time_max(); });
}

bool tls_context::offload_handshakes() const {
    const auto wanted = slot_->option([](const auto& options) { return options.offload_handshakes(); });
    return wanted ? *wanted : has_slow_handshakes();
}

bool tls_context::has_slow_handshakes() const {
    return slot_->settings()->has_slow_handshakes();
}

void tls_context::reload() {
    slot_->reload();
}

bool tls_context::reload_if_changed() {
    return slot_->reload_if_changed();
}

std::shared_ptr<const detail::tls_settings> tls_context::settings() const {
    return slot_->settings();
}

}  // namespace eddy
