// A goroutine with ten children, each with ten, down to a million leaves; see skynet_work in bench/tasks/works.hpp.
//
//	eddy-bench-skynet-go THREADS SECONDS
package main

import "eddy.bench/peers/measure"

const (
	leavesInAll = 1_000_000
	children    = 10
)

func skynet(first, leaves uint64, result chan<- uint64) {
	if leaves == 1 {
		result <- first
		return
	}
	share := leaves / children
	results := make(chan uint64, children)
	for child := uint64(0); child < children; child++ {
		go skynet(first+child*share, share, results)
	}
	sum := uint64(0)
	for child := 0; child < children; child++ {
		sum += <-results
	}
	result <- sum
}

func main() {
	measure.Parse().Repeat(leavesInAll, func() {
		result := make(chan uint64, 1)
		go skynet(0, leavesInAll, result)
		measure.Expect(leavesInAll*(leavesInAll-1)/2, <-result)
	})
}
