// gRPC server on grpc-go: UnaryCall and StreamingOutputCall of grpc.testing.TestService.
//
//	eddy-bench-grpc-go --port P
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net"
	"runtime"

	"google.golang.org/grpc"

	"eddy.bench/grpc/testing"
)

type service struct {
	testing.UnimplementedTestServiceServer
}

func payload(bytes int32) *testing.Payload {
	return &testing.Payload{Body: make([]byte, bytes)}
}

func (service) UnaryCall(_ context.Context, asked *testing.SimpleRequest) (*testing.SimpleResponse, error) {
	return &testing.SimpleResponse{Payload: payload(asked.GetResponseSize())}, nil
}

func (service) StreamingOutputCall(asked *testing.StreamingOutputCallRequest,
	answers grpc.ServerStreamingServer[testing.StreamingOutputCallResponse]) error {
	for _, each := range asked.GetResponseParameters() {
		if err := answers.Send(&testing.StreamingOutputCallResponse{Payload: payload(each.GetSize())}); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	port := flag.Uint("port", 0, "where to listen")
	flag.Parse()
	runtime.GOMAXPROCS(1)
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", *port))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on %s\n", listener.Addr())
	server := grpc.NewServer()
	testing.RegisterTestServiceServer(server, service{})
	log.Fatal(server.Serve(listener))
}
