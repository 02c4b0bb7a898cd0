// fib(25), whose two calls run at the same time; see fib_work in bench/tasks/works.hpp.
//
//	eddy-bench-fib-go THREADS SECONDS
package main

import "eddy.bench/peers/measure"

const (
	number = 25
	result = 75_025
	calls  = 242_785
)

func fib(n uint64) uint64 {
	if n < 2 {
		return n
	}
	larger := make(chan uint64, 1)
	go func() { larger <- fib(n - 1) }()
	smaller := fib(n - 2)
	return smaller + <-larger
}

func main() {
	measure.Parse().Repeat(calls, func() { measure.Expect(result, fib(number)) })
}
