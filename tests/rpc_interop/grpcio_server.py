#!/usr/bin/env python3
"""TestService by Python's grpcio. Serves until it is killed.

    grpcio_server.py [CERTIFICATE KEY]
"""

import sys
from concurrent import futures

import grpc

import grpcio_messages as messages
from grpcio_messages import message


def payload(size):
    return message("Payload")(body=bytes(size))


def responses_to(request):
    for parameters in request.response_parameters:
        yield message("StreamingOutputCallResponse")(payload=payload(parameters.size))


def end_as_requested(request, context):
    if request.response_status.code:
        context.abort(next(code for code in grpc.StatusCode if code.value[0] == request.response_status.code),
                      request.response_status.message)


def echo_metadata(context):
    sent = dict(context.invocation_metadata())
    if "x-grpc-test-echo-initial" in sent:
        context.send_initial_metadata([("x-grpc-test-echo-initial", sent["x-grpc-test-echo-initial"])])
    if "x-grpc-test-echo-trailing-bin" in sent:
        context.set_trailing_metadata([("x-grpc-test-echo-trailing-bin", sent["x-grpc-test-echo-trailing-bin"])])


class Service:
    def EmptyCall(self, request, context):
        return message("Empty")()

    def UnaryCall(self, request, context):
        echo_metadata(context)
        end_as_requested(request, context)
        return message("SimpleResponse")(payload=payload(request.response_size))

    def CacheableUnaryCall(self, request, context):
        return message("SimpleResponse")(payload=payload(1))

    def StreamingOutputCall(self, request, context):
        yield from responses_to(request)

    def StreamingInputCall(self, requests, context):
        size = sum(len(request.payload.body) for request in requests)
        return message("StreamingInputCallResponse")(aggregated_payload_size=size)

    def FullDuplexCall(self, requests, context):
        echo_metadata(context)
        for request in requests:
            end_as_requested(request, context)
            yield from responses_to(request)


def handlers():
    for name, (kind, request, reply) in messages.METHODS.items():
        make = getattr(grpc, f"{kind}_rpc_method_handler")
        yield name, make(getattr(Service(), name), request_deserializer=message(request).FromString,
                         response_serializer=message(reply).SerializeToString)


def main(files):
    server = grpc.server(futures.ThreadPoolExecutor(8))
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler("grpc.testing.TestService",
                                                                          dict(handlers()))])
    if files:
        chain, key = (open(path, "rb").read() for path in files)
        port = server.add_secure_port("127.0.0.1:0", grpc.ssl_server_credentials([(key, chain)]))
    else:
        port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(f"listening on 127.0.0.1:{port}", flush=True)
    server.wait_for_termination()


if __name__ == "__main__":
    main(sys.argv[1:])
