package simulator

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http/httptrace"
)

// Cut is how a connection breaks before the answer is read.
type Cut string

// The cuts.
const (
	// CutHalf: half of the body was sent. The call cannot have been taken.
	CutHalf Cut = "half"
	// CutSent: all of it was sent, and nothing was waited for.
	CutSent Cut = "sent"
	// CutAnswer: the answer began to come. The call was taken.
	CutAnswer Cut = "answer"
)

var allCuts = []Cut{CutHalf, CutSent, CutAnswer}

// errCut stands for the answer that was not read.
var errCut = errors.New("the connection was cut on purpose")

// cut sends a copy whose answer nobody reads. It returns errCut.
func (c *client) cut(ctx context.Context, r *request, how Cut) error {
	defer c.slot()()
	c.report.cutOff()
	ctx, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	var body io.Reader = bytes.NewReader(r.body)
	switch how {
	case CutHalf:
		body = io.MultiReader(bytes.NewReader(r.body[:len(r.body)/2]), brokenReader{})
	case CutSent:
		ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
			WroteRequest: func(httptrace.WroteRequestInfo) { cancel() },
		})
	}
	if resp, err := c.do(ctx, r, body); err == nil {
		_ = resp.Body.Close() // unread, which closes the connection
	}
	return errCut
}

// brokenReader ends a body before its end.
type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errCut }
