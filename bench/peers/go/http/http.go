// HTTP server on Go's net/http.
//
//	eddy-bench-http-go --port P [--threads N] [--root DIR]
//
// GET /hello answers with 13 bytes, POST /length with the length of its body, which it reads whole, POST /count with that
// length, of a body that it does not keep, anything else with a file. It speaks HTTP/1, and HTTP/2 in clear.
package main

import (
	"io"
	"log"
	"net/http"
	"strconv"

	"eddy.bench/peers/options"
)

const bodyBytesMax = 1 << 20

func text(answer http.ResponseWriter, body string) {
	answer.Header().Set("Content-Type", "text/plain")
	io.WriteString(answer, body)
}

func hello(answer http.ResponseWriter, _ *http.Request) {
	text(answer, "Hello, World!")
}

func length(answer http.ResponseWriter, asked *http.Request) {
	if asked.Method != http.MethodPost {
		http.Error(answer, "POST only", http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(answer, asked.Body, bodyBytesMax))
	if err != nil {
		http.Error(answer, err.Error(), http.StatusBadRequest)
		return
	}
	text(answer, strconv.Itoa(len(body)))
}

func count(answer http.ResponseWriter, asked *http.Request) {
	bytes, err := io.Copy(io.Discard, asked.Body)
	if err != nil {
		http.Error(answer, err.Error(), http.StatusBadRequest)
		return
	}
	text(answer, strconv.FormatInt(bytes, 10))
}

func main() {
	chosen := options.Parse()
	routes := http.NewServeMux()
	routes.HandleFunc("/hello", hello)
	routes.HandleFunc("/length", length)
	routes.HandleFunc("POST /count", count)
	if chosen.Root != "" {
		routes.Handle("/", http.FileServer(http.Dir(chosen.Root)))
	}
	server := http.Server{Addr: chosen.Address, Handler: routes, Protocols: new(http.Protocols)}
	server.Protocols.SetHTTP1(true)
	server.Protocols.SetUnencryptedHTTP2(true)
	log.Fatal(server.ListenAndServe())
}
