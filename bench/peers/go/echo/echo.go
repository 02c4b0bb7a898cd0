// Echo server on Go's net: a goroutine a connection.
//
//	eddy-bench-echo-go --port P [--threads N]
package main

import (
	"log"
	"net"

	"eddy.bench/peers/options"
)

func echo(client net.Conn) {
	defer client.Close()
	buffer := make([]byte, 16384)
	for {
		count, err := client.Read(buffer)
		if err != nil {
			return
		}
		if _, err := client.Write(buffer[:count]); err != nil {
			return
		}
	}
}

func main() {
	listener, err := net.Listen("tcp", options.Parse().Address)
	if err != nil {
		log.Fatal(err)
	}
	for {
		client, err := listener.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go echo(client)
	}
}
