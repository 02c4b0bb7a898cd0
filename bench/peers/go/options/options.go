// Package options reads what every server of the benchmark is told.
package options

import (
	"flag"
	"fmt"
	"os"
	"runtime"
)

// Options are the place to listen at and the folder of the files to serve, which may be empty.
type Options struct {
	Address string
	Root    string
}

// Parse reads `--port P [--threads N] [--root DIR]` and lets so many threads run Go code at a time; ends the
// program with status 2 on anything else.
func Parse() Options {
	port := flag.Uint("port", 0, "where to listen")
	threads := flag.Int("threads", 1, "GOMAXPROCS")
	root := flag.String("root", "", "the folder of the files")
	flag.Parse()
	if *port == 0 || *port > 65535 || *threads < 1 || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	runtime.GOMAXPROCS(*threads)
	return Options{Address: fmt.Sprintf("127.0.0.1:%d", *port), Root: *root}
}
