#include "native.hpp"

#include <string_view>

namespace eddy::pq::detail {
namespace {

std::string trimmed(std::string_view text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
        text.remove_suffix(1);
    return std::string(text);
}

std::string field(const PGresult& refused, int code) {
    const char* const text = PQresultErrorField(&refused, code);
    return text == nullptr ? std::string() : std::string(text);
}

}  // namespace

std::string message_of(const PGconn& connection) {
    return trimmed(PQerrorMessage(&connection));
}

server_fields fields_of(const PGresult& refused) {
    server_fields fields;
    fields.severity = field(refused, PG_DIAG_SEVERITY_NONLOCALIZED);
    fields.sqlstate = field(refused, PG_DIAG_SQLSTATE);
    fields.message = field(refused, PG_DIAG_MESSAGE_PRIMARY);
    if (fields.message.empty())
        fields.message = trimmed(PQresultErrorMessage(&refused));
    fields.detail = field(refused, PG_DIAG_MESSAGE_DETAIL);
    fields.hint = field(refused, PG_DIAG_MESSAGE_HINT);
    fields.position = field(refused, PG_DIAG_STATEMENT_POSITION);
    fields.context = field(refused, PG_DIAG_CONTEXT);
    fields.schema = field(refused, PG_DIAG_SCHEMA_NAME);
    fields.table = field(refused, PG_DIAG_TABLE_NAME);
    fields.column = field(refused, PG_DIAG_COLUMN_NAME);
    fields.data_type = field(refused, PG_DIAG_DATATYPE_NAME);
    fields.constraint = field(refused, PG_DIAG_CONSTRAINT_NAME);
    return fields;
}

bool is_error(const PGresult& answer) noexcept {
    switch (PQresultStatus(&answer)) {
        case PGRES_FATAL_ERROR:
        case PGRES_BAD_RESPONSE:
        case PGRES_PIPELINE_ABORTED:
            return true;
        default:
            return false;
    }
}

}  // namespace eddy::pq::detail
