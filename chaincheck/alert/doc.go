// Package alert tells the outside how a job that runs in cron ended: a textfile
// for Prometheus' node exporter, and the ping of a dead man's switch, which
// raises an alarm when the pings stop. It knows no database, so that it works
// where the database does not.
//
// A sink that fails never changes what the job says of itself: it is an error
// of its own, to be logged.
package alert
