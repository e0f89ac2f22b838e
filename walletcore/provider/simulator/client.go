package simulator

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
)

// maxAnswer bounds what is read of an answer, in bytes.
const maxAnswer = 1 << 20

// client sends requests until they are answered. Safe for concurrent use.
type client struct {
	options *Options
	slots   chan struct{} // one for each request that may be under way
	report  *gathering
}

// reply is what came back for a request.
type reply struct {
	status int
	body   []byte
	// again: it was sent more than once, and an earlier copy may have been taken.
	again bool
	// lost says why there is no answer, once the retries are out.
	lost error
}

// send breaks the connection of the first copies as the cuts say, and then
// sends by the schedule until there is an answer. The error is the context's.
func (c *client) send(ctx context.Context, r *request, cuts []Cut) (reply, error) {
	var got reply
	for try := 0; ; try++ {
		if try < len(cuts) {
			got.lost = c.cut(ctx, r, cuts[try])
		} else {
			got.status, got.body, got.lost = c.exchange(ctx, r)
		}
		if err := ctx.Err(); err != nil {
			return got, err
		}
		got.again = try > 0
		if got.lost == nil || try == len(c.options.Retries) {
			return got, nil
		}
		wait := c.options.Retries[try]
		c.report.retried(wait)
		if err := c.options.Clock.Wait(ctx, wait); err != nil {
			return got, err
		}
	}
}

// exchange sends once and reads the answer. One of 500 or above is none: it
// asks for the same call again.
func (c *client) exchange(ctx context.Context, r *request) (int, []byte, error) {
	defer c.slot()()
	ctx, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	resp, err := c.do(ctx, r, bytes.NewReader(r.body))
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return 0, nil, fmt.Errorf("read the answer: %w", err)
	}
	c.report.answered(resp.StatusCode)
	if resp.StatusCode >= http.StatusInternalServerError {
		return 0, nil, fmt.Errorf("answered %d", resp.StatusCode)
	}
	return resp.StatusCode, body, nil
}

func (c *client) do(ctx context.Context, r *request, body io.Reader) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.url, body)
	if err != nil {
		return nil, err
	}
	req.ContentLength = int64(len(r.body))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set(r.header, r.signature)
	c.report.call()
	return c.options.Client.Do(req)
}

// slot waits for a place among the requests under way, and returns what frees
// it.
func (c *client) slot() (free func()) {
	c.slots <- struct{}{}
	return func() { <-c.slots }
}
