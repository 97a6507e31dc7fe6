package main

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net/http"
	"testing/synctest"

	"k8s.io/kubernetes/pkg/kubelet/prober"
	httpprobe "k8s.io/kubernetes/pkg/probe/http"
)

func init() {
	subjects["probes"] = func() (subject, error) { return probesAndHooks{}, nil }
	subjects["probeWorker"] = func() (subject, error) {
		return inBubble(func() (subject, error) { return probeWorkers{}, nil })
	}
}

// probesAndHooks run over the network of this machine.
type probesAndHooks struct{}

func (probesAndHooks) answer(ask string, with json.RawMessage) (any, error) {
	switch ask {
	case "probe":
		return answerTo(with, prober.NodescopeProbe)
	case "hook":
		return answerTo(with, func(asked prober.NodescopeAsked) (any, error) {
			// As in NewMainKubelet.
			return prober.NodescopeHook(asked, &http.Client{
				Transport:     &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}},
				CheckRedirect: httpprobe.RedirectChecker(false),
			})
		})
	default:
		return nil, fmt.Errorf("probes and hooks do not answer %q", ask)
	}
}

// probeWorkers take a new worker through its life with every question.
type probeWorkers struct{}

func (probeWorkers) answer(ask string, with json.RawMessage) (any, error) {
	if ask != "run" {
		return nil, fmt.Errorf("probe workers do not answer %q", ask)
	}
	return answerTo(with, func(run prober.NodescopeWorkerRun) (any, error) {
		return prober.NodescopeRunWorker(run, synctest.Wait)
	})
}
