"""The same as parse_requests.cpp, by h11."""

import h11


def parse(data):
    connection = h11.Connection(h11.SERVER, max_incomplete_event_size=1 << 20)
    told = {"fields": [], "body": b""}
    try:
        connection.receive_data(data)
        while True:
            event = connection.next_event()
            if event is h11.NEED_DATA or event is h11.PAUSED and "method" not in told:
                return {"outcome": "incomplete"}
            if isinstance(event, h11.Request):
                told["method"] = event.method.decode("latin-1")
                told["target"] = event.target.decode("latin-1")
                told["version"] = int(event.http_version.split(b".")[1])
                told["fields"] = [[name.decode("latin-1"), value.decode("latin-1")]
                                  for name, value in event.headers.raw_items()]
            elif isinstance(event, h11.Data):
                told["body"] += bytes(event.data)
            elif isinstance(event, h11.EndOfMessage):
                rest, _ = connection.trailing_data
                return {"outcome": "taken", **told, "body": told["body"].decode("latin-1"),
                        "end": len(data) - len(rest)}
            elif isinstance(event, h11.ConnectionClosed):
                return {"outcome": "incomplete"}
    except h11.RemoteProtocolError as error:
        return {"outcome": "refused", "reason": str(error), "status": error.error_status_hint}
