package apparmor

import "errors"

// NodescopeValidator is the validator of a host that has AppArmor, or has not.
func NodescopeValidator(enabled bool) Validator {
	if enabled {
		return &validator{}
	}
	// validateHost's own words.
	return &validator{validateHostErr: errors.New("AppArmor is not enabled on the host")}
}
