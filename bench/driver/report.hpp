#pragma once

#include "driver/campaign.hpp"
#include "driver/options.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace bench {

using machine_description = std::vector<std::pair<std::string, std::string>>;

void print_list();
void print_head(const machine_description& machine, const driver_options& options);
void print_table(const configuration_result& result);

// What there is, not measured.
nlohmann::json list_json(const std::vector<configuration>& configurations, const std::vector<peer>& peers);
nlohmann::json to_json(const machine_description& machine, const driver_options& options,
                       const std::vector<configuration_result>& results);

}  // namespace bench
