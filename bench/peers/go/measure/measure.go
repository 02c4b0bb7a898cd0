// Package measure does a benchmark's work again and again and prints what that came to; see
// bench/suite/programs.py.
package measure

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Measurement is what the command line asks for.
type Measurement struct {
	Seconds   float64
	Arguments []uint64
}

// Parse reads THREADS SECONDS [ARGUMENT]... and lets so many threads run Go code at a time; ends the program with
// status 2 on anything else.
func Parse() Measurement {
	if len(os.Args) < 3 {
		fail()
	}
	threads, err := strconv.Atoi(os.Args[1])
	if err != nil || threads < 1 {
		fail()
	}
	seconds, err := strconv.ParseFloat(os.Args[2], 64)
	if err != nil {
		fail()
	}
	measurement := Measurement{Seconds: seconds}
	for _, word := range os.Args[3:] {
		argument, err := strconv.ParseUint(word, 10, 64)
		if err != nil {
			fail()
		}
		measurement.Arguments = append(measurement.Arguments, argument)
	}
	runtime.GOMAXPROCS(threads)
	return measurement
}

func fail() {
	fmt.Fprintln(os.Stderr, "the arguments are THREADS SECONDS [ARGUMENT]...")
	os.Exit(2)
}

func used() syscall.Rusage {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return usage
}

func cpuSeconds() float64 {
	usage := used()
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) * 1e-9
}

// The most that was resident since the program was started. What getrusage tells counts who started it, too.
func peakMemoryBytes() uint64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		panic(err)
	}
	var kib uint64
	for _, line := range strings.Split(string(status), "\n") {
		if count, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kib); count == 1 {
			break
		}
	}
	return kib * 1024
}

// Repeat runs it once to warm up, then until the time is over, and prints what that came to.
func (m Measurement) Repeat(itemsARun uint64, run func()) {
	run()
	length := time.Duration(m.Seconds * float64(time.Second))
	start := time.Now()
	cpuStart := cpuSeconds()
	items := uint64(0)
	for items == 0 || time.Since(start) < length {
		run()
		items += itemsARun
	}
	passed := time.Since(start).Seconds()
	fmt.Println(items, passed, cpuSeconds()-cpuStart, peakMemoryBytes())
}

// Expect ends the program if a result is not what it must be.
func Expect(wanted, got uint64) {
	if wanted != got {
		fmt.Fprintln(os.Stderr, "the result is", got, "instead of", wanted)
		os.Exit(1)
	}
}
