# What people run. `make demo` and `make test` do all the set-up themselves.
.PHONY: help deps demo scroll test rules mutants compare counts docs soak truth truth-long fuzz stress exports-check grouping check-long bench plots format lint clean

help:
	@echo "make demo        build in release, stall a loop on real pictures, and show who did it"
	@echo "make scroll      a list that scrolls while its pictures load: the naive way and ours in a table, with screenshots; RUNS=n"
	@echo "make test        build everything, examples and benchmarks too, and run every test"
	@echo "make rules       every rule of the loop with the tests that hold it"
	@echo "make mutants     plant faults against the rules: the tests of each must notice those against it"
	@echo "make compare     the same scenarios on CFRunLoop and on Mainspring, side by side"
	@echo "make counts      calls to the kernel, allocations and instructions of each operation, beside their limits"
	@echo "make docs        the documentation as a site, in out/docs"
	@echo "make soak        an hour of a hundred thousand operations a second: nothing lost, nothing grown"
	@echo "make truth       stall loops on purpose and compare what the monitor tells: tables, and goals; GRID=file for another grid"
	@echo "make truth-long  the same on the large grid, and half an hour of hostile quiet"
	@echo "make fuzz        the fuzzer of each parser for FUZZ_SECONDS (60) each: runs, coverage, findings"
	@echo "make stress      a million stacks of threads that are hard to interrupt: a table; fails if one is harmed"
	@echo "make exports-check  reports in each foreign format, read by tools that are not ours: a table; fails if one reads them otherwise"
	@echo "make grouping    which issue each of some stalls belongs to, in builds that are the same to their authors: a table"
	@echo "make check-long  the longer checks: larger explorations, planted faults, sanitizers, fuzzers, a million stacks, the soak"
	@echo "make bench       this loop and others, on the workloads that run loops are compared by: tables, and goals"
	@echo "make plots       how what each operation costs grows, as plots in Docs/Performance"
	@echo "make format      bring the sources into form"
	@echo "make deps        install what is missing (make demo, test and check-long call it)"

deps:
	@Tools/deps.sh

demo: deps
	@Tools/demo.sh

scroll: deps
	@Tools/scroll.sh $(if $(RUNS),--runs=$(RUNS)) $(if $(JSON),--json)

test: deps
	swift build --build-tests
	swift test --disable-xctest --skip-build --skip SleepProtocolTests --skip 'StallMonitor.*Tests'
	swift test --disable-xctest --skip-build --filter SleepProtocolTests
	swift test --disable-xctest --skip-build --filter 'StallMonitor.*Tests'
	Tools/deps.sh bridges
	@touch Bridges/Package.swift
	swift test --disable-xctest --package-path Bridges
	@touch Examples/Package.swift
	swift test --disable-xctest --package-path Examples
	@touch Benchmarks/Package.swift
	swift test --disable-xctest --package-path Benchmarks
	@touch Truth/Package.swift
	swift test --disable-xctest --package-path Truth
	@touch Comparison/Package.swift
	swift test --disable-xctest --package-path Comparison
	Tools/check-client.sh
	Tools/check-snippets.sh

rules:
	@Tools/rules.sh

mutants:
	@Tools/mutants.sh

compare:
	@Tools/compare.sh

counts:
	@Tools/counts.sh

docs: deps
	@Tools/docs.sh

soak:
	@Tools/soak.sh

truth:
	@Tools/truth.sh $(GRID)

truth-long:
	@Tools/truth.sh long

fuzz: deps
	@Tools/fuzz.sh

stress:
	@Tools/stress.sh

exports-check: deps
	@Tools/check-exports.sh

grouping:
	@Tools/check-grouping.sh

check-long: deps
	MAINSPRING_LONG=1 swift test --disable-xctest
	Tools/mutants.sh
	# Not the forked children (M46): the thread sanitizer knows no threads in the child of a program that had several. One
	# test after the other: with many threads that come and go its own locks have been seen to hold each other up.
	swift test --disable-xctest --sanitize=thread --scratch-path .build/thread --no-parallel \
	  --skip SleepProtocolTests --skip 'StallMonitor.*Tests' --skip M46
	LSAN_OPTIONS=suppressions=$(CURDIR)/Tools/known-leaks.txt \
	  swift test --disable-xctest --sanitize=address --scratch-path .build/address --skip SleepProtocolTests --skip 'StallMonitor.*Tests'
	Tools/check-exports.sh
	Tools/check-grouping.sh
	Tools/fuzz.sh
	Tools/stress.sh
	Tools/soak.sh

bench:
	@Tools/bench.sh

plots:
	@Tools/plots.sh

format:
	swift format --in-place --recursive --parallel Package.swift Sources Tests Tools Fuzz Examples Bridges Benchmarks Comparison Truth

lint:
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Tools Fuzz Examples Bridges Benchmarks Comparison Truth

clean:
	rm -rf .build Examples/.build Bridges/.build Benchmarks/.build Comparison/.build Truth/.build
