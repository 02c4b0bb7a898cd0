#include "httpd/config_file.hpp"

#include "httpd/options.hpp"

#include <sstream>
#include <string_view>
#include <toml++/toml.h>
#include <utility>

namespace eddy::apps {

namespace {

[[noreturn]] void refuse(const toml::source_region& where, const std::string& reason) {
    throw CLI::ConfigError("line " + std::to_string(where.begin.line) + " of the configuration: " + reason,
                           CLI::ExitCodes::ConfigError);
}

// A value as it would stand on the command line.
std::string text_of(const toml::node& value, std::string_view key) {
    if (const auto* text = value.as_string())
        return text->get();
    if (const auto* number = value.as_integer())
        return std::to_string(number->get());
    if (const auto* flag = value.as_boolean())
        return flag->get() ? "true" : "false";
    if (const auto* number = value.as_floating_point()) {
        std::ostringstream text;
        text << number->get();
        return text.str();
    }
    refuse(value.source(), "'" + std::string(key) + "' is neither text nor number nor true nor false");
}

std::vector<std::string> inputs_of(const toml::node& value, std::string_view key) {
    std::vector<std::string> inputs;
    if (const auto* several = value.as_array()) {
        for (const toml::node& one : *several)
            inputs.push_back(text_of(one, key));
    } else if (const auto* rules = value.as_table()) {
        const char* const between = key == "header" ? ": " : "=";
        for (const auto& [name, one] : *rules)
            inputs.push_back(std::string(name.str()) + between + text_of(one, key));
    } else {
        inputs.push_back(text_of(value, key));
    }
    return inputs;
}

// Tries the value alone, so that the error can name the line if it does not fit.
void try_out(const CLI::ConfigItem& item, bool is_flag, const toml::source_region& where) {
    CLI::App probe;
    httpd_options ignored;
    ignored.add_to(probe);
    for (CLI::Option* const one : probe.get_options())
        one->required(false);
    std::vector<std::string> arguments;
    if (is_flag) {
        arguments.push_back("--" + item.name + "=" + item.inputs.front());
    } else {
        for (const std::string& input : item.inputs)
            arguments.push_back("--" + item.name + "=" + input);
    }
    try {
        probe.parse(std::move(arguments));
    } catch (const CLI::ParseError& error) {
        refuse(where, error.what());
    }
}

}  // namespace

std::vector<CLI::ConfigItem> config_file::from_config(std::istream& input) const {
    toml::table all;
    try {
        all = toml::parse(input);
    } catch (const toml::parse_error& error) {
        refuse(error.source(), std::string(error.description()));
    }
    std::vector<CLI::ConfigItem> items;
    for (const auto& [key, value] : all) {
        CLI::ConfigItem item;
        item.name = key.str();
        const CLI::Option* const option = options_.get_option_no_throw("--" + item.name);
        if (option == nullptr || !option->get_configurable() || item.name == "help" || item.name == "config")
            refuse(key.source(), "there is no '" + item.name + "'");
        item.inputs = inputs_of(value, item.name);
        if (item.inputs.empty())
            continue;
        const bool is_flag = option->get_expected_min() == 0;
        if (is_flag && !value.is_boolean())
            refuse(value.source(), "'" + item.name + "' is true or false");
        if (item.inputs.size() > 1 && option->get_expected_max() == 1)
            refuse(value.source(), "'" + item.name + "' has one value");
        try_out(item, is_flag, value.source());
        items.push_back(std::move(item));
    }
    return items;
}

}  // namespace eddy::apps
