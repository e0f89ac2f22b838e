// Package yamlfile reads the YAML files of the services, so that whatever is
// wrong with one is an error before the first request is served, and names the
// file and the line.
//
// Keys are known or refused. A file can be kept with the code: a secret in it
// is a reference to an environment variable or to a file, never the secret
// itself, and no error shows a secret, nor a text that stands where a
// reference should.
package yamlfile
