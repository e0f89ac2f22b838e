package tui

import (
	"context"
	"reflect"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// What the tests look at from outside.
var (
	Age     = age
	Cut     = cut
	Fit     = fit
	Hang    = hang
	Safe    = safe
	Width   = width
	Verdict = verdict
	Amount  = amountText
	Show    = show
)

// NewModel returns the screen without a terminal.
func NewModel(ctx context.Context, o Options) tea.Model { return newModel(ctx, o) }

// KeysInNoHelp lists the bindings that the help leaves out.
func KeysInNoHelp() []string {
	k := newKeyMap()
	shown := map[string]bool{}
	for _, g := range k.groups() {
		for _, b := range g.bindings {
			shown[b.Help().Key+b.Help().Desc] = true
		}
	}
	var left []string
	fields := reflect.ValueOf(k)
	for i := range fields.NumField() {
		name, b := fields.Type().Field(i).Name, fields.Field(i).Interface().(key.Binding)
		if !shown[b.Help().Key+b.Help().Desc] {
			left = append(left, name)
		}
	}
	return left
}
