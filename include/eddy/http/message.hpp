#pragma once

// What HTTP messages are made of: methods, statuses, fields, URLs, cookies.

#include <eddy/http/message/attributes.hpp>
#include <eddy/http/message/conditional.hpp>
#include <eddy/http/message/cookies.hpp>
#include <eddy/http/message/date.hpp>
#include <eddy/http/message/entity_tag.hpp>
#include <eddy/http/message/field.hpp>
#include <eddy/http/message/field_block.hpp>
#include <eddy/http/message/field_list.hpp>
#include <eddy/http/message/form_fields.hpp>
#include <eddy/http/message/http_error.hpp>
#include <eddy/http/message/limits.hpp>
#include <eddy/http/message/method.hpp>
#include <eddy/http/message/path_parameters.hpp>
#include <eddy/http/message/percent_encoding.hpp>
#include <eddy/http/message/request_head.hpp>
#include <eddy/http/message/response_head.hpp>
#include <eddy/http/message/server_event.hpp>
#include <eddy/http/message/status.hpp>
#include <eddy/http/message/text_value.hpp>
#include <eddy/http/message/url.hpp>
