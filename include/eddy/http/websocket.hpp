#pragma once

// WebSocket, for both sides (RFC 6455).

#include <eddy/http/websocket/accept_websocket.hpp>
#include <eddy/http/websocket/connect_websocket.hpp>
#include <eddy/http/websocket/handshake.hpp>
#include <eddy/http/websocket/message.hpp>
#include <eddy/http/websocket/message_writer.hpp>
#include <eddy/http/websocket/options.hpp>
#include <eddy/http/websocket/utf8_validator.hpp>
#include <eddy/http/websocket/websocket.hpp>
