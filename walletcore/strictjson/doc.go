// Package strictjson reads JSON that an outside party sent, where a lenient
// reader could lose or invent money.
//
//   - Numbers never pass through a float: integers are read from their digits,
//     so that ids beyond 2^53 stay apart. Fractions and exponents are refused
//     wherever a number is read.
//   - A key that stands twice in one object is refused: two readers of the same
//     signed bytes could otherwise see different amounts.
//   - Keys match exactly, in case too.
//   - A value of the wrong type is an error that names the field, never a zero
//     value. Null reads as absent.
//
// Fields that nobody reads may hold anything that is JSON.
package strictjson
