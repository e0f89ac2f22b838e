package deposit

import (
	"time"
)

// Service creates deposits, applies the messages of gateways to them and has
// them credited. Create and Apply work at once; jobs are worked while its queue
// runs, by any number of processes on one database.
type Service struct {
	Store
	opts Options
}

// NewService checks the options, and registers with the queue what it works.
// Nothing runs yet.
func NewService(o Options) (*Service, error) {
	opts := o.withDefaults()
	if err := opts.Validate(); err != nil {
		return nil, err
	}
	s := &Service{Store: Store{Pool: opts.Pool}, opts: opts}
	s.register()
	return s, nil
}

func (s *Service) now() time.Time { return s.opts.Queue.Now() }
