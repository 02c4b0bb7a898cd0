#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::curl {

/// The lines of libcurl's header callback: the heads of all responses on the way to the final one
/// (1xx, redirects, logins), of which the last counts, and trailers. Pure; accepts any bytes.
class answer_head {
public:
    using field_list = std::vector<std::pair<std::string, std::string>>;

    enum class step : std::uint8_t { more, head_ended, too_large };

    explicit answer_head(std::size_t bytes_max) noexcept : bytes_left_(bytes_max) {}

    /// Throws std::bad_alloc.
    [[nodiscard]] step add(std::string_view line);

    /// What comes from now on are trailers, unless another head begins.
    void finish() noexcept { is_finished_ = true; }
    [[nodiscard]] bool is_finished() const noexcept { return is_finished_; }

    /// 0: no HTTP.
    [[nodiscard]] unsigned status() const noexcept { return status_; }
    [[nodiscard]] const field_list& fields() const noexcept { return fields_; }
    [[nodiscard]] const field_list& trailers() const noexcept { return trailers_; }
    [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const noexcept;

private:
    [[nodiscard]] bool begin(std::string_view line);

    field_list fields_;
    field_list trailers_;
    std::size_t bytes_left_;
    unsigned status_ = 0;
    bool is_finished_ = false;
};

}  // namespace eddy::curl
