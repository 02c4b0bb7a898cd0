#pragma once

#include <string_view>

/// Codes that programs decide by, of the many that error::sqlstate() can be (PostgreSQL's manual, appendix
/// A).
namespace eddy::pq::sqlstate {

inline constexpr std::string_view unique_violation = "23505";
inline constexpr std::string_view foreign_key_violation = "23503";
inline constexpr std::string_view not_null_violation = "23502";
inline constexpr std::string_view check_violation = "23514";
inline constexpr std::string_view serialization_failure = "40001";
inline constexpr std::string_view deadlock_detected = "40P01";
inline constexpr std::string_view in_failed_transaction = "25P02";
inline constexpr std::string_view query_canceled = "57014";
inline constexpr std::string_view admin_shutdown = "57P01";
inline constexpr std::string_view cannot_connect_now = "57P03";
inline constexpr std::string_view too_many_connections = "53300";
inline constexpr std::string_view invalid_password = "28P01";
inline constexpr std::string_view undefined_table = "42P01";
inline constexpr std::string_view syntax_error = "42601";

}  // namespace eddy::pq::sqlstate
