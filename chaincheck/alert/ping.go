package alert

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// ping calls the dead man's switch, with a bounded number of attempts.
func (s *Sinks) ping(ctx context.Context, path, body string) error {
	if s.options.PingURL == "" {
		return nil
	}
	u, err := url.Parse(s.options.PingURL)
	if err != nil {
		return errors.New("the ping URL is not a URL")
	}
	target := u.JoinPath(path).String()
	wait := s.options.Pause
	for attempt := 1; ; attempt++ {
		again, err := s.post(ctx, target, body)
		if err == nil {
			return nil
		}
		if !again || attempt == s.options.Attempts {
			return fmt.Errorf("ping the dead man's switch (%s), %d attempts: %w", named(path), attempt, err)
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return fmt.Errorf("ping the dead man's switch (%s): %w", named(path), ctx.Err())
		case <-timer.C:
		}
		wait *= 2
	}
}

func named(path string) string {
	if path == "" {
		return "success"
	}
	return strings.TrimPrefix(path, "/")
}

// post makes one call and reports whether another may help. Its errors do not
// hold the URL.
func (s *Sinks) post(ctx context.Context, target, body string) (again bool, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, target, strings.NewReader(body))
	if err != nil {
		return false, errors.New("the URL cannot be called")
	}
	request.Header.Set("User-Agent", "walletctl")
	request.Header.Set("Content-Type", "text/plain; charset=utf-8")
	response, err := s.client.Do(request)
	if err != nil {
		var call *url.Error
		if errors.As(err, &call) {
			err = call.Err
		}
		return true, err
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 64<<10))
	if response.StatusCode >= 300 {
		passing := response.StatusCode >= 500 || response.StatusCode == http.StatusTooManyRequests
		return passing, fmt.Errorf("answered %d", response.StatusCode)
	}
	return false, nil
}
