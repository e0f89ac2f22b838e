// Package endtoend has tests only. They build the services and walletctl, run
// them as an operator would on real servers, and see a deposit through from the
// gateway's webhook to a closed chain, whatever dies on the way.
//
// A test has a platform: the services on a database and a broker host of their
// own. At its end requireWhole asks for everything that must hold:
//
//   - each paid deposit is CREDITED, with one entry of its amount and one receipt;
//   - nothing else moved money;
//   - each wallet's chain is closed, in arithmetic and in hashes, and walletctl
//     chaincheck finds the same on the replica;
//   - each effect of each confirmed deposit was published, under one message id;
//   - no message waits, none became a dead letter, no case is open, but for those
//     that the test is about;
//   - no service logged a password, a token or a key.
//
// Games are a platform whose gamings answer the providers of every dialect: what
// comes to three of them at once moves money once.
//
// Tests of servers that die run on a stack of their own and are left out by
// -short.
package endtoend
