package provider

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
)

// Profiles are all providers that one process serves.
type Profiles struct {
	byKey map[profileKey]*Profile
}

type profileKey struct{ brand, provider string }

// NewProfiles returns the profiles of list, each added as by [Profiles.Add].
func NewProfiles(list ...*Profile) (*Profiles, error) {
	profiles := &Profiles{byKey: make(map[profileKey]*Profile, len(list))}
	for _, p := range list {
		if err := profiles.Add(p); err != nil {
			return nil, err
		}
	}
	return profiles, nil
}

// Add refuses a profile that stands there already; one that shares a secret
// with another, since what was signed for one of them would be accepted at the
// other; and one whose ids would be taken for another's. The error is a
// *ProfileError. It is for the start of a program, before calls are served.
func (s *Profiles) Add(p *Profile) error {
	key := profileKey{p.Brand, p.Provider}
	if _, ok := s.byKey[key]; ok {
		return p.fault("provider", "stands twice")
	}
	for _, other := range s.byKey {
		switch {
		case p.sharesSecret(other):
			return p.fault("secrets", "hold one that "+other.String()+" has too")
		case p.sharesIDs(other):
			return p.fault("namespace", "is also that of "+other.String())
		}
	}
	s.byKey[key] = p
	return nil
}

func (p *Profile) fault(field, reason string) error {
	return &ProfileError{Brand: p.Brand, Provider: p.Provider, Field: field, Reason: reason}
}

// Find returns the profile that a URL names.
func (s *Profiles) Find(brand, provider string) (*Profile, bool) {
	p, ok := s.byKey[profileKey{brand, provider}]
	return p, ok
}

// Len returns the number of profiles.
func (s *Profiles) Len() int { return len(s.byKey) }

func (p *Profile) sharesSecret(o *Profile) bool {
	for _, x := range p.secrets {
		for _, y := range o.secrets {
			if bytes.Equal(x, y) {
				return true
			}
		}
	}
	return false
}

// sharesIDs: in one brand two providers may have the same player; over all
// players, also two brands would be in each other's way.
func (p *Profile) sharesIDs(o *Profile) bool {
	if p.Namespace != o.Namespace {
		return false
	}
	return p.Brand == o.Brand || p.Policy.IDs == Global || o.Policy.IDs == Global
}

// All lists the profiles by brand, then provider.
func (s *Profiles) All() []*Profile {
	return slices.SortedFunc(maps.Values(s.byKey), func(a, b *Profile) int {
		return cmp.Or(cmp.Compare(a.Brand, b.Brand), cmp.Compare(a.Provider, b.Provider))
	})
}
