#pragma once

#include <CLI/CLI.hpp>

#include <istream>
#include <string>
#include <vector>

namespace eddy::apps {

/// Reads a configuration file in TOML whose keys are a program's options without the dashes in front:
///
///     port = 8080
///     root = "site"
///     compress = true
///     index = ["index.html", "start.html"]
///     [cache-control]
///     "*.css" = "max-age=3600"
///
/// An array is an option given several times. A table is an option of the form KEY=VALUE (or KEY: VALUE),
/// given once for each of its entries. The command line takes precedence over the file. A key that is no
/// option, and a value that does not fit, are errors that name the line.
class config_file final : public CLI::Config {
public:
    explicit config_file(CLI::App& options) noexcept : options_(options) {}

    [[nodiscard]] std::string to_config(const CLI::App*, bool, bool, std::string) const override {
        return {};
    }
    /// Throws CLI::ConfigError.
    [[nodiscard]] std::vector<CLI::ConfigItem> from_config(std::istream& input) const override;

private:
    CLI::App& options_;
};

}  // namespace eddy::apps
