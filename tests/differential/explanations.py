"""Why eddy and another parser may differ, each with the rule that eddy follows."""

# eddy refuses and the other does not, or not yet. By what eddy says.
REFUSED_BY_EDDY = {
    "LF without CR": "a bare LF is no line end: RFC 9112 2.2 allows one, and intermediaries differ over it",
    "CR without LF": "a bare CR is refused: RFC 9112 2.2",
    "malformed request target": "the target must have a form that the method allows: RFC 9112 3.2",
    "malformed Host": "Host is host[:port] and must be refused otherwise: RFC 9112 3.2",
    "missing Host": "Host must be there in HTTP/1.1: RFC 9112 3.2",
    "repeated Host": "Host must be there once: RFC 9112 3.2",
    "folded field line": "obs-fold is refused: RFC 9112 5.2",
    "malformed request line": "single spaces between three words: RFC 9112 3",
    "malformed method": "a method is a token: RFC 9110 9.1",
    "malformed HTTP version": "HTTP/ and two digits: RFC 9112 2.3",
    "HTTP version not supported": "505 for another major version: RFC 9110 15.6.6",
    "unknown expectation": "417 for anything but 100-continue: RFC 9110 10.1.1",
    "control character in the head": "no control characters in fields: RFC 9110 5.5",
    "repeated Content-Length": "refused even if equal, which RFC 9112 6.3 allows: intermediaries differ over it",
    "malformed Content-Length": "one number of digits: RFC 9110 8.6; lists are refused, which 6.3 allows",
    "Content-Length and Transfer-Encoding together": "a sign of request smuggling, may be refused: RFC 9112 6.1",
    "Transfer-Encoding in HTTP/1.0": "faulty framing: RFC 9112 6.1",
    "transfer coding not implemented": "501 for a coding that is not understood: RFC 9112 6.1",
    "white space in a field name": "no white space before the colon: RFC 9112 5.1",
    "field line without a colon": "a field line has a colon: RFC 9112 5",
    "malformed field name": "a field name is a token: RFC 9110 5.1",
    "empty field name": "a field name is a token: RFC 9110 5.1",
    "malformed Connection": "Connection lists tokens: RFC 9110 7.6.1",
    "malformed Transfer-Encoding": "Transfer-Encoding lists codings: RFC 9112 6.1",
    "malformed chunk extension": "extensions are tokens or quoted strings: RFC 9112 7.1.1",
    "malformed chunk size": "a chunk's size is hexadecimal digits: RFC 9112 7.1",
    "malformed line end in the trailers": "CRLF ends a trailer line: RFC 9112 7.1.2",
    "malformed trailer": "a trailer is a field line, and not folded: RFC 9112 7.1.2",
    "framing field among the trailers": "trailers may not change framing or routing: RFC 9110 6.5.1",
    "empty line instead of a request": "one empty line before a request is passed over, not several: RFC 9112 2.2",
}

# eddy takes, or goes on reading, what the other refuses. By parser and the beginning of what that says.
TAKEN_BY_EDDY = {
    "h11": {
        "illegal chunk header": "white space before the semicolon of an extension is to be taken: RFC 9112 7.1.1",
        "no request line received": "an empty line before a request is passed over: RFC 9112 2.2",
    },
    "node": {
        "HPE_INVALID_CHUNK_SIZE": "white space before the semicolon of an extension is to be taken: RFC 9112 7.1.1",
        "HPE_INVALID_VERSION": "a higher minor version is taken as 1.1: RFC 9110 2.5",
        "HPE_STRICT": "white space around the = of an extension is to be taken: RFC 9112 7.1.1",
        "HPE_INVALID_CONTENT_LENGTH": "a tab after a value is white space around it: RFC 9110 5.5",
        "HPE_INVALID_METHOD": "any token is a method; a handler answers 501 or 405: RFC 9110 9.1",
    },
}


def explain(peer, request, ours, theirs):
    """The rule, or None."""
    if ours["outcome"] == "refused" and theirs["outcome"] != "refused":
        return REFUSED_BY_EDDY.get(ours["reason"])
    if theirs["outcome"] == "refused":
        for beginning, why in TAKEN_BY_EDDY[peer].items():
            if theirs["reason"].startswith(beginning):
                return why
        if ours["outcome"] == "incomplete":
            return "a line is judged when it is whole"
    if ours["outcome"] == "incomplete" and theirs.get("method") == "CONNECT":
        return "Content-Length says how much content a CONNECT has, as of any request: RFC 9112 6.3"
    return None
