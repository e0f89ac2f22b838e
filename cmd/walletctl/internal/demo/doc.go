// Package demo plays a scripted day against the real service binaries, through
// their real HTTP and AMQP doors, with the faults that resends are made of, and
// proves at the end that every deposit was credited exactly once, and that every
// withdrawal was debited once, and paid once or given back once.
//
// It needs servers that may be thrown away: it migrates the databases, and
// starts and kills services of its own.
package demo
