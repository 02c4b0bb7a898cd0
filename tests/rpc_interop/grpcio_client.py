"""gRPC's interoperability cases by Python's grpcio, which does not show what was compressed."""

import queue

import grpc

import grpcio_messages as messages
from grpcio_messages import message

REQUEST_BYTES = (27182, 8, 1828, 45904)
RESPONSE_BYTES = (31415, 9, 2653, 58979)
METADATA = (("x-grpc-test-echo-initial", "test_initial_metadata_value"),
            ("x-grpc-test-echo-trailing-bin", b"\xab\xab\xab"))
TIMEOUT_S = 60


def payload(size):
    return message("Payload")(body=bytes(size))


def output_request(request_size=None, response_size=None):
    sizes = [] if response_size is None else [message("ResponseParameters")(size=response_size)]
    return message("StreamingOutputCallRequest")(payload=payload(request_size or 0), response_parameters=sizes)


def expect_sizes(responses, sizes):
    found = [len(response.payload.body) for response in responses]
    assert found == list(sizes), found


def expect_status(call, code, text=None):
    try:
        call()
    except grpc.RpcError as error:
        assert error.code() == code, (error.code(), error.details())
        assert text is None or error.details() == text, error.details()
        return
    raise AssertionError(f"OK, not {code}")


class Requests:
    """Requests of a stream that goes on until end()."""

    def __init__(self, *first):
        self.waiting = queue.SimpleQueue()
        for request in first:
            self.put(request)

    def put(self, request):
        self.waiting.put(request)

    def end(self):
        self.put(None)

    def __iter__(self):
        return self

    def __next__(self):
        request = self.waiting.get()
        if request is None:
            raise StopIteration
        return request


class Client:
    """A method for each case."""

    def __init__(self, channel):
        self.channel = channel

    def method(self, name, service="TestService", kind=None):
        kind, request, reply = messages.METHODS.get(name, ("unary_unary", "Empty", "Empty"))
        return getattr(self.channel, kind)(f"/grpc.testing.{service}/{name}",
                                           request_serializer=message(request).SerializeToString,
                                           response_deserializer=message(reply).FromString)

    def empty(self, name, **where):
        return self.method(name, **where)(message("Empty")(), timeout=TIMEOUT_S)

    def large(self):
        return message("SimpleRequest")(response_size=314159, payload=payload(271828))

    def empty_unary(self):
        self.empty("EmptyCall")

    def cacheable_unary(self):
        response = self.method("CacheableUnaryCall")(self.large(), metadata=[("x-user-ip", "1.2.3.4")])
        assert response.payload.body

    def large_unary(self):
        expect_sizes([self.method("UnaryCall")(self.large(), timeout=TIMEOUT_S)], [314159])

    def client_streaming(self):
        requests = [message("StreamingInputCallRequest")(payload=payload(size)) for size in REQUEST_BYTES]
        response = self.method("StreamingInputCall")(iter(requests), timeout=TIMEOUT_S)
        assert response.aggregated_payload_size == 74922, response

    def server_streaming(self):
        request = message("StreamingOutputCallRequest")(
            response_parameters=[message("ResponseParameters")(size=size) for size in RESPONSE_BYTES])
        expect_sizes(self.method("StreamingOutputCall")(request, timeout=TIMEOUT_S), RESPONSE_BYTES)

    def ping_pong(self):
        requests = Requests()
        responses = self.method("FullDuplexCall")(requests, timeout=TIMEOUT_S)
        for sizes in zip(REQUEST_BYTES, RESPONSE_BYTES):
            requests.put(output_request(*sizes))
            expect_sizes([next(responses)], sizes[1:])
        requests.end()
        expect_sizes(responses, [])

    def empty_stream(self):
        expect_sizes(self.method("FullDuplexCall")(iter(()), timeout=TIMEOUT_S), [])

    def custom_metadata(self):
        _, unary = self.method("UnaryCall").with_call(self.large(), metadata=METADATA, timeout=TIMEOUT_S)
        duplex = self.method("FullDuplexCall")(iter([output_request(271828, 314159)]), metadata=METADATA,
                                               timeout=TIMEOUT_S)
        expect_sizes(duplex, [314159])
        for call in (unary, duplex):
            assert METADATA[0] in [tuple(entry) for entry in call.initial_metadata()], call.initial_metadata()
            assert METADATA[1] in [tuple(entry) for entry in call.trailing_metadata()], call.trailing_metadata()

    def echo(self, text):
        return message("EchoStatus")(code=2, message=text)

    def status_code_and_message(self):
        status = self.echo("test status message")
        unary = message("SimpleRequest")(response_status=status)
        expect_status(lambda: self.method("UnaryCall")(unary, timeout=TIMEOUT_S), grpc.StatusCode.UNKNOWN,
                      status.message)
        streamed = message("StreamingOutputCallRequest")(response_status=status)
        expect_status(lambda: list(self.method("FullDuplexCall")(iter([streamed]), timeout=TIMEOUT_S)),
                      grpc.StatusCode.UNKNOWN, status.message)

    def special_status_message(self):
        text = "\t\ntest with whitespace\r\nand Unicode BMP \u263a and non-BMP \U0001f608\t\n"
        request = message("SimpleRequest")(response_status=self.echo(text))
        expect_status(lambda: self.method("UnaryCall")(request, timeout=TIMEOUT_S), grpc.StatusCode.UNKNOWN, text)

    def unimplemented_method(self):
        expect_status(lambda: self.empty("UnimplementedCall"), grpc.StatusCode.UNIMPLEMENTED)

    def unimplemented_service(self):
        expect_status(lambda: self.empty("UnimplementedCall", service="UnimplementedService"),
                      grpc.StatusCode.UNIMPLEMENTED)

    def cancel_after_begin(self):
        requests = Requests()
        call = self.method("StreamingInputCall").future(requests)
        call.cancel()
        requests.end()
        assert call.code() == grpc.StatusCode.CANCELLED, call.code()

    def cancel_after_first_response(self):
        requests = Requests(output_request(27182, 31415))
        call = self.method("FullDuplexCall")(requests, timeout=TIMEOUT_S)
        expect_sizes([next(call)], [31415])
        call.cancel()
        requests.end()
        expect_status(lambda: next(call), grpc.StatusCode.CANCELLED)

    def timeout_on_sleeping_server(self):
        requests = Requests(output_request(27182))
        call = self.method("FullDuplexCall")(requests, timeout=0.001)
        expect_status(lambda: next(call), grpc.StatusCode.DEADLINE_EXCEEDED)
        requests.end()


def run_case(name, port, authority=None):
    if authority:
        with open(authority, "rb") as file:
            made = grpc.secure_channel(f"localhost:{port}", grpc.ssl_channel_credentials(file.read()))
    else:
        made = grpc.insecure_channel(f"localhost:{port}")
    with made as channel:
        getattr(Client(channel), name)()
