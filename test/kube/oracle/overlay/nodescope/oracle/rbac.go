package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/selection"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/kubernetes/pkg/registry/rbac/validation"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac"
)

func init() {
	subjects["rbac"] = func() (subject, error) { return rbacQuestions{}, nil }
}

// rbacQuestions answers questions about roles, bindings and requests.
type rbacQuestions struct{}

// policy is what a server stores, in the order in which it is listed.
type policy struct {
	Roles               []*rbacv1.Role
	RoleBindings        []*rbacv1.RoleBinding
	ClusterRoles        []*rbacv1.ClusterRole
	ClusterRoleBindings []*rbacv1.ClusterRoleBinding
	User                string
	Groups              []string
}

func (p policy) GetRole(_ context.Context, namespace, name string) (*rbacv1.Role, error) {
	for _, role := range p.Roles {
		if role.Namespace == namespace && role.Name == name {
			return role, nil
		}
	}
	return nil, apierrors.NewNotFound(rbacv1.Resource("role"), name)
}

func (p policy) GetClusterRole(_ context.Context, name string) (*rbacv1.ClusterRole, error) {
	for _, role := range p.ClusterRoles {
		if role.Name == name {
			return role, nil
		}
	}
	return nil, apierrors.NewNotFound(rbacv1.Resource("clusterrole"), name)
}

func (p policy) ListRoleBindings(_ context.Context, namespace string) ([]*rbacv1.RoleBinding, error) {
	found := []*rbacv1.RoleBinding{}
	for _, binding := range p.RoleBindings {
		if binding.Namespace == namespace {
			found = append(found, binding)
		}
	}
	return found, nil
}

func (p policy) ListClusterRoleBindings(context.Context) ([]*rbacv1.ClusterRoleBinding, error) {
	return p.ClusterRoleBindings, nil
}

func (p policy) user() user.Info {
	return &user.DefaultInfo{Name: p.User, Groups: p.Groups}
}

// wanted is what a user wants to do.
type wanted struct {
	policy
	Kind, Verb, Group, Resource, Subresource, Namespace, Name, Path string
}

func (w wanted) decision() (any, error) {
	attributes := authorizer.AttributesRecord{
		User: w.user(), Verb: w.Verb, ResourceRequest: w.Kind == "resource", Path: w.Path,
		APIGroup: w.Group, Resource: w.Resource, Subresource: w.Subresource,
		Namespace: w.Namespace, Name: w.Name,
	}
	decision, reason, err := rbac.New(w, w, w, w).Authorize(context.Background(), attributes)
	if err != nil {
		return nil, err
	}
	answer := map[string]any{"allowed": decision == authorizer.DecisionAllow}
	if reason != "" {
		answer["reason"] = reason
	}
	return answer, nil
}

// granted is a role that a user writes or binds.
type granted struct {
	policy
	Namespace string
	Rules     []rbacv1.PolicyRule
}

func (g granted) escalation() (any, error) {
	ctx := request.WithNamespace(request.WithUser(context.Background(), g.user()), g.Namespace)
	resolver := validation.NewDefaultRuleResolver(g, g, g, g)
	if err := validation.ConfirmNoEscalation(ctx, resolver, g.Rules); err != nil {
		return err.Error(), nil
	}
	return "", nil
}

// asked is a request.
type asked struct{ Method, URL string }

func (a asked) attributes() (any, error) {
	factory := request.RequestInfoFactory{
		APIPrefixes: sets.NewString("api", "apis"), GrouplessAPIPrefixes: sets.NewString("api"),
	}
	made, err := http.NewRequest(a.Method, "https://server"+a.URL, nil)
	if err != nil {
		return nil, err
	}
	info, err := factory.NewRequestInfo(made)
	if err != nil {
		return nil, err
	}
	if !info.IsResourceRequest {
		return map[string]any{"kind": "path", "verb": info.Verb, "path": info.Path}, nil
	}
	return map[string]any{
		"kind": "resource", "verb": info.Verb, "group": info.APIGroup, "resource": info.Resource,
		"subresource": info.Subresource, "namespace": info.Namespace, "name": info.Name,
		"fieldTerms": fieldTerms(info.FieldSelector),
	}, nil
}

// fieldTerms are the terms of a field selector; none if it cannot be parsed.
func fieldTerms(text string) []map[string]any {
	terms := []map[string]any{}
	selector, err := fields.ParseSelector(text)
	if err != nil {
		return terms
	}
	for _, term := range selector.Requirements() {
		isNegated := term.Operator == selection.NotEquals
		terms = append(terms, map[string]any{"field": term.Field, "isNegated": isNegated, "value": term.Value})
	}
	return terms
}

func (rbacQuestions) answer(ask string, with json.RawMessage) (any, error) {
	switch ask {
	case "decision":
		return answerTo(with, wanted.decision)
	case "escalation":
		return answerTo(with, granted.escalation)
	case "attributes":
		return answerTo(with, asked.attributes)
	}
	return nil, fmt.Errorf("unknown operation %q", ask)
}
