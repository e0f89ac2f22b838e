package tui

// helpLines lays out every key.
func (m *model) helpLines() []string {
	const keyWidth = 12
	w, s := m.width, &m.styles
	var lines []string
	for i, group := range m.keys.groups() {
		if i > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, s.bold.Render(cut(group.title, w)))
		for _, b := range group.bindings {
			prefix := "  " + fit(b.Help().Key, keyWidth)
			for n, line := range hang(prefix, b.Help().Desc, w) {
				if n == 0 && len(line) > len(prefix) {
					line = s.key.Render(prefix) + line[len(prefix):]
				}
				lines = append(lines, line)
			}
		}
	}
	return append(append(lines, ""), wrap(helpText, w)...)
}

const helpText = "A star marks what is selected, > the cursor. Sums count each deposit and withdrawal once; an effect " +
	"moves no money. Sending again is safe: what the ledger has already is answered with its first receipt. Every act " +
	"is recorded with your login."
