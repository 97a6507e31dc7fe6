package main

import (
	"crypto"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"time"

	capi "k8s.io/api/certificates/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	capihelper "k8s.io/kubernetes/pkg/apis/certificates"
	"k8s.io/kubernetes/pkg/controller/certificates/authority"
)

func init() {
	subjects["certificates"] = func() (subject, error) { return signing{}, nil }
}

// signing answers what kube-apiserver and kube-controller-manager make of requests for certificates.
type signing struct{}

// signedRequest is a request in PEM and the certificate that Nodescope signed for it, with the CA in PEM.
type signedRequest struct {
	Request, Certificate, CA, CAKey string
	Usages                          []capi.KeyUsage
	// Lifetime is in seconds, Now in milliseconds since the epoch.
	Lifetime, Now int64
}

// parsed reads and verifies a request.
func parsed(request string) (*x509.CertificateRequest, error) {
	csr, err := capihelper.ParseCSR([]byte(request))
	if err != nil {
		return nil, err
	}
	return csr, csr.CheckSignature()
}

// verdicts says what the signers of kubelets object to.
func (w signedRequest) verdicts() (any, error) {
	csr, err := parsed(w.Request)
	if err != nil {
		return nil, err
	}
	usages := sets.NewString()
	for _, usage := range w.Usages {
		usages.Insert(string(usage))
	}
	text := func(err error) string {
		if err == nil {
			return ""
		}
		return err.Error()
	}
	return map[string]any{
		"serving": text(capihelper.ValidateKubeletServingCSR(csr, usages)),
		"client":  text(capihelper.ValidateKubeletClientCSR(csr, usages)),
	}, nil
}

// contents is what a certificate says, without its serial number and its signature.
func contents(der []byte, ca *x509.Certificate) (any, error) {
	c, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	if err := c.CheckSignatureFrom(ca); err != nil {
		return nil, err
	}
	extensions := []string{}
	for _, e := range c.Extensions {
		extensions = append(extensions, fmt.Sprintf("%s %v %x", e.Id, e.Critical, e.Value))
	}
	return map[string]any{
		"version": c.Version, "issuer": fmt.Sprintf("%x", c.RawIssuer), "subject": fmt.Sprintf("%x", c.RawSubject),
		"key": fmt.Sprintf("%x", c.RawSubjectPublicKeyInfo), "algorithm": c.SignatureAlgorithm.String(),
		"notBefore": c.NotBefore.Unix(), "notAfter": c.NotAfter.Unix(), "extensions": extensions,
	}, nil
}

// sign signs a request and shows both certificates.
func (w signedRequest) sign() (any, error) {
	csr, err := parsed(w.Request)
	if err != nil {
		return nil, err
	}
	certificate, _ := pem.Decode([]byte(w.CA))
	ca, err := x509.ParseCertificate(certificate.Bytes)
	if err != nil {
		return nil, err
	}
	keyBlock, _ := pem.Decode([]byte(w.CAKey))
	key, err := x509.ParsePKCS8PrivateKey(keyBlock.Bytes)
	if err != nil {
		return nil, err
	}
	own := &authority.CertificateAuthority{Certificate: ca, PrivateKey: key.(crypto.Signer)}
	// As signer.sign in pkg/controller/certificates/signer.
	der, err := own.Sign(csr.Raw, authority.PermissiveSigningPolicy{
		TTL: time.Duration(w.Lifetime) * time.Second, Usages: w.Usages,
		Backdate: 5 * time.Minute, Short: 8 * time.Hour,
		Now: func() time.Time { return time.UnixMilli(w.Now) },
	})
	if err != nil {
		return nil, err
	}
	theirs, err := contents(der, ca)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode([]byte(w.Certificate))
	ours, err := contents(block.Bytes, ca)
	if err != nil {
		return nil, fmt.Errorf("the certificate of Nodescope: %w", err)
	}
	return map[string]any{"ours": ours, "theirs": theirs}, nil
}

func (signing) answer(ask string, with json.RawMessage) (any, error) {
	switch ask {
	case "verdicts":
		return answerTo(with, signedRequest.verdicts)
	case "sign":
		return answerTo(with, signedRequest.sign)
	}
	return nil, fmt.Errorf("unknown operation %q", ask)
}
