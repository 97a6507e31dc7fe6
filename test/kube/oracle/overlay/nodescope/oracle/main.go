// Command oracle answers questions about what a kubelet does with the kubelet's own code: a line of JSON on
// standard input is a question, a line of JSON on standard output its answer, in the same order.
//
//	oracle <subject>
//	{"ask":"<operation>","with":{...}}   ->   {"answer":...} or {"error":"..."} or {"panic":"..."}
//
// It lies below k8s.io/kubernetes while it is built (see build-oracle.ts), because much of what it asks is not
// exported.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"k8s.io/klog/v2"
)

// subject answers the operations of one part of the kubelet. It may keep state from one question to the next.
type subject interface {
	answer(ask string, with json.RawMessage) (any, error)
}

// subjects are made anew for each run of the command.
var subjects = map[string]func() (subject, error){}

type question struct {
	Ask  string          `json:"ask"`
	With json.RawMessage `json:"with"`
}

type reply struct {
	Answer any    `json:"answer"`
	Error  string `json:"error,omitempty"`
	Panic  string `json:"panic,omitempty"`
}

func safely(to subject, q question) (r reply) {
	defer func() {
		if p := recover(); p != nil {
			r = reply{Panic: fmt.Sprintf("%v\n%s", p, debug.Stack())}
		}
	}()
	answer, err := to.answer(q.Ask, q.With)
	if err != nil {
		return reply{Error: err.Error()}
	}
	return reply{Answer: answer}
}

func serve(to subject, in io.Reader, out io.Writer) error {
	questions := json.NewDecoder(bufio.NewReaderSize(in, 1<<16))
	written := bufio.NewWriterSize(out, 1<<16)
	replies := json.NewEncoder(written)
	replies.SetEscapeHTML(false)
	for {
		var q question
		if err := questions.Decode(&q); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := replies.Encode(safely(to, q)); err != nil {
			return err
		}
		// A flush for every answer: who asks may wait for it before asking on.
		if err := written.Flush(); err != nil {
			return err
		}
	}
}

// quiet keeps the kubelet's own log to itself, unless it is asked for.
func quiet() {
	flags := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(flags)
	_ = flags.Set("logtostderr", "false")
	_ = flags.Set("alsologtostderr", "false")
	_ = flags.Set("stderrthreshold", "FATAL")
	klog.SetOutput(io.Discard)
}

func main() {
	if os.Getenv("NODESCOPE_ORACLE_LOG") == "" {
		quiet()
	}
	if len(os.Args) != 2 || subjects[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: oracle <subject>; subjects are:")
		for name := range subjects {
			fmt.Fprintln(os.Stderr, "  "+name)
		}
		os.Exit(2)
	}
	to, err := subjects[os.Args[1]]()
	if err == nil {
		err = serve(to, os.Stdin, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
