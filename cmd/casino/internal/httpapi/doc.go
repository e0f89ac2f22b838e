// Package httpapi is casino's door for the brands' own sites: create a
// deposit or a withdrawal, look at one. docs/http.md is its contract.
//
// What holds:
//
//   - A service token belongs to one brand and fixes it: what another brand
//     owns does not exist for its caller.
//   - Creating is idempotent by the caller's key, for ever. A resend gets the
//     first one, another content is a conflict that names the field.
//   - A request is refused whole, with the field and the reason, or done whole.
//   - Amounts are decimal strings, checked as text before a number is built.
package httpapi
