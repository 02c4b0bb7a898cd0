"""Messages of test_service.proto, made by protoc for Python's protobuf when this is imported."""

import os
import subprocess
import sys
import tempfile

_HERE = os.path.dirname(os.path.abspath(__file__))

with tempfile.TemporaryDirectory(prefix="eddy-protobuf-") as _made:
    subprocess.run(["protoc", f"-I{_HERE}", f"--python_out={_made}", "test_service.proto"], check=True)
    sys.path.insert(0, _made)
    import test_service_pb2  # noqa: E402

    sys.path.remove(_made)

globals().update({name: getattr(test_service_pb2, name) for name in test_service_pb2.DESCRIPTOR.message_types_by_name})

# Kind of method, request, reply.
METHODS = {
    "EmptyCall": ("unary_unary", "Empty", "Empty"),
    "UnaryCall": ("unary_unary", "SimpleRequest", "SimpleResponse"),
    "CacheableUnaryCall": ("unary_unary", "SimpleRequest", "SimpleResponse"),
    "StreamingOutputCall": ("unary_stream", "StreamingOutputCallRequest", "StreamingOutputCallResponse"),
    "StreamingInputCall": ("stream_unary", "StreamingInputCallRequest", "StreamingInputCallResponse"),
    "FullDuplexCall": ("stream_stream", "StreamingOutputCallRequest", "StreamingOutputCallResponse"),
}


def message(name):
    return getattr(test_service_pb2, name)
