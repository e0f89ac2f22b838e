# walletctl. `make` alone lists what there is.

# sudo drops /usr/local/go/bin from the PATH.
export PATH := $(PATH):/usr/local/go/bin
SHELL := /bin/bash

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
TESTFLAGS ?=
FUZZTIME ?= 10s

.PHONY: help demo test soak fuzz bench lint build stack stack-down clean

help: ## list the targets
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

demo: build ## play a scripted day through the real services, then check every chain (KEEP=1: leave it up)
	@deploy/with-stack --own demo bin/walletctl demo

test: check-go ## run every test with -race on real servers (TESTFLAGS='-run X')
	@deploy/need gcc gcc libc6-dev
	@deploy/with-stack go test -race -timeout 20m $(TESTFLAGS) ./...

soak: check-go ## run the tests at length: more races, more deaths, more time
	@deploy/need gcc gcc libc6-dev
	@WALLET_SOAK=1 deploy/with-stack go test -race -timeout 90m $(TESTFLAGS) ./...

fuzz: check-go ## run every fuzz target for a while (FUZZTIME=10s)
	@FUZZTIME="$(FUZZTIME)" deploy/fuzz

bench: build ## measure, and print the ratios that README.md shows
	@deploy/with-stack deploy/bench

lint: check-go ## formatting, vet, staticcheck, shellcheck and the import rules
	@deploy/lint

build: check-go ## build static binaries into bin/
	@mkdir -p bin
	CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags '-s -w -X github.com/walletctl/walletctl/cmd/internal/version.Version=$(VERSION)' -o bin/ ./cmd/...

stack: ## start PostgreSQL with a replica, RabbitMQ and Redis, and print the URLs to export
	@deploy/stack up

stack-down: ## stop them and remove their data
	@deploy/stack down

clean: ## remove the binaries and every stack of this folder
	@rm -rf bin
	@for folder in .stack*; do [ ! -e "$$folder" ] || STACK_DIR="$$folder" deploy/stack down; done

.PHONY: check-go
check-go:
	@deploy/check-go
