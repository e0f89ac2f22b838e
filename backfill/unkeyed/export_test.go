package unkeyed

// ReadTraffic is the statement of a report, to be explained.
const ReadTraffic = readTraffic
