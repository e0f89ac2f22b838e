package service

import (
	"context"
	"fmt"
	"os"

	"github.com/walletctl/walletctl/cmd/internal/config"
	"github.com/walletctl/walletctl/cmd/internal/hint"
	"github.com/walletctl/walletctl/cmd/internal/metrics"
	"github.com/walletctl/walletctl/walletcore/broker"
)

// Broker connects to RabbitMQ; the connection comes back by itself from then
// on, /readyz looks at it, and it is closed after every part has ended.
func (s *Service) Broker(url config.Secret) (*broker.Conn, error) {
	ctx, cancel := context.WithTimeout(s.Context(), s.settings.BrokerWait)
	defer cancel()
	host, _ := os.Hostname()
	conn, err := broker.Dial(ctx, url.Reveal(), broker.Options{
		Name: fmt.Sprintf("%s@%s-%d", s.Name, host, os.Getpid()), Logger: s.Logger,
	})
	if err != nil {
		return nil, hint.With(fmt.Errorf("connect by AMQP_URL: %w", err),
			"check that RabbitMQ is up and that AMQP_URL has the right user, host and virtual host")
	}
	metrics.Register(s.Metrics, metrics.Broker(conn.Stats())...)
	s.Checks.Register("broker", func(context.Context) error { return conn.Healthy() })
	s.OnClose(func() { _ = conn.Close(context.Background()) })
	return conn, nil
}
