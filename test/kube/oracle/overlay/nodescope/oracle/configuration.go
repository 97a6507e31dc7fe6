package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubelet/config/v1beta1"
	kubeletconfig "k8s.io/kubernetes/pkg/kubelet/apis/config"
	"k8s.io/kubernetes/pkg/kubelet/apis/config/scheme"
	kubeletv1beta1 "k8s.io/kubernetes/pkg/kubelet/apis/config/v1beta1"
	"k8s.io/kubernetes/pkg/kubelet/apis/config/validation"
	"k8s.io/kubernetes/pkg/kubelet/kubeletconfig/configfiles"
	utilfs "k8s.io/kubernetes/pkg/util/filesystem"
)

func init() {
	subjects["configuration"] = func() (subject, error) { return configuration{}, nil }
}

// configuration reads the file of --config.
type configuration struct{}

type configurationFile struct {
	Text string `json:"text"`
	Path string `json:"path"`
}

func (configuration) answer(ask string, with json.RawMessage) (any, error) {
	switch ask {
	case "load":
		return answerTo(with, loadedConfiguration)
	default:
		return nil, fmt.Errorf("configuration does not answer %q", ask)
	}
}

// strictError is what a kubelet logs as a warning when it decodes leniently.
func strictError(text string) (string, error) {
	_, codecs, err := scheme.NewSchemeAndCodecs(serializer.EnableStrict)
	if err != nil {
		return "", err
	}
	if _, _, err := codecs.UniversalDecoder().Decode([]byte(text), nil, nil); err != nil {
		return err.Error(), nil
	}
	return "", nil
}

func validationErrors(kc *kubeletconfig.KubeletConfiguration) []string {
	texts := []string{}
	err := validation.ValidateKubeletConfiguration(kc, utilfeature.DefaultFeatureGate)
	var all utilerrors.Aggregate
	switch {
	case err == nil:
	case errors.As(err, &all):
		for _, one := range all.Errors() {
			texts = append(texts, one.Error())
		}
	default:
		texts = append(texts, err.Error())
	}
	// pkg/kubelet/kubelet.go NewMainKubelet.
	if len(texts) == 0 && kc.SyncFrequency.Duration <= 0 {
		texts = append(texts, fmt.Sprintf("invalid sync frequency %d", kc.SyncFrequency.Duration))
	}
	return texts
}

func loadedConfiguration(file configurationFile) (any, error) {
	if err := os.MkdirAll(filepath.Dir(file.Path), 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(file.Path, []byte(file.Text), 0o600); err != nil {
		return nil, err
	}
	loader, err := configfiles.NewFsLoader(&utilfs.DefaultFs{}, file.Path)
	if err != nil {
		return nil, err
	}
	kc, err := loader.Load(context.Background())
	if err != nil {
		return nil, err
	}
	warning, err := strictError(file.Text)
	if err != nil {
		return nil, err
	}
	var written v1beta1.KubeletConfiguration
	if err := kubeletv1beta1.Convert_config_KubeletConfiguration_To_v1beta1_KubeletConfiguration(kc, &written, nil); err != nil {
		return nil, err
	}
	return map[string]any{"warning": warning, "errors": validationErrors(kc), "configuration": written}, nil
}
