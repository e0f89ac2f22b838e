package tui

import (
	"cmp"
	"slices"
	"strings"
)

// dimension is a field that rows are filtered by.
type dimension struct {
	name  string
	value func(*row) string
}

var dimensions = []dimension{
	{"brand", func(r *row) string { return r.brand }},
	{"step", func(r *row) string { return r.step }},
	{"class", func(r *row) string { return r.class }},
	{"owner", func(r *row) string { return r.owner }},
}

// filter holds one value a dimension; a dimension that is not in it lets
// everything pass.
type filter map[int]string

func (f filter) passes(r *row) bool {
	for d, value := range f {
		if dimensions[d].value(r) != value {
			return false
		}
	}
	return true
}

// String lists it: "brand acme, owner nobody".
func (f filter) String() string {
	var parts []string
	for d := range dimensions {
		if value, ok := f[d]; ok {
			parts = append(parts, dimensions[d].name+" "+valueName(d, value))
		}
	}
	return strings.Join(parts, ", ")
}

func valueName(d int, value string) string {
	switch {
	case value != "":
		return value
	case dimensions[d].name == "owner":
		return "nobody"
	}
	return "none"
}

// choice is a line of the picker: a value of a dimension, or no filter at all.
type choice struct {
	dimension int // -1: no filter
	value     string
	rows      int
}

// choices lists every value that rows have, in a dimension the most frequent
// first.
func choices(rows []row) []choice {
	all := []choice{{dimension: -1, rows: len(rows)}}
	for d := range dimensions {
		counts := map[string]int{}
		for i := range rows {
			counts[dimensions[d].value(&rows[i])]++
		}
		begin := len(all)
		for value, n := range counts {
			all = append(all, choice{d, value, n})
		}
		slices.SortFunc(all[begin:], func(a, b choice) int {
			return cmp.Or(cmp.Compare(b.rows, a.rows), strings.Compare(a.value, b.value))
		})
	}
	return all
}

func (c choice) String() string {
	if c.dimension < 0 {
		return "everything"
	}
	return dimensions[c.dimension].name + " " + valueName(c.dimension, c.value)
}
