package jsontree

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// shapes are documents of about so many bytes, each with another thing that
// could cost more than its length.
func shapes(size int) map[string][]byte {
	list := func(entry func(i int) string) []byte {
		b := []byte("[")
		for i := 0; len(b) < size; i++ {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, entry(i)...)
		}
		return append(b, ']')
	}
	object := func(member func(i int) string) []byte {
		b := list(member)
		b[0], b[len(b)-1] = '{', '}'
		return b
	}
	quoted := func(s string, n int) string { return `"` + strings.Repeat(s, n) + `"` }
	deep := append(bytes.Repeat([]byte(`{"a":[`), size/8), bytes.Repeat([]byte(`]}`), size/8)...)
	return map[string][]byte{
		"small": []byte(`{"protocol":"0.2.0","instance":"i","root":{"id":"app","role":"Application","title":"Notes","children":[{"id":"w","role":"Window","focused":true}]}}`),
		"items": list(func(i int) string {
			return fmt.Sprintf(`{"id":"item-%d","type":"row","title":"Row %d","content":[{"type":"text","text":"words of row %d"}],"payload":{"n":%d.5,"on":true,"off":null}}`, i, i, i, i)
		}),
		"text":       list(func(int) string { return quoted("The quick words of a long page of text. ", 100) }),
		"lines":      list(func(int) string { return quoted(`A line of text with an end,\n\tand \"quotes\".`, 40) }),
		"greek":      list(func(int) string { return quoted("λέξεις και πάλι λέξεις ", 40) }),
		"japanese":   list(func(int) string { return quoted("ことばと言葉、", 40) }),
		"emoji":      list(func(int) string { return quoted("\U0001F600\U0001F680", 40) }),
		"escapes":    list(func(int) string { return quoted(`\u3053\ud83d\ude00\n`, 40) }),
		"space":      list(func(i int) string { return "\n" + strings.Repeat(" ", 60) + fmt.Sprint(i) + "\r\n\t" }),
		"numbers":    list(func(i int) string { return fmt.Sprintf("%d.%de-%d", i*7919, i, i%300) }),
		"empty":      list(func(i int) string { return []string{"[]", "{}", `""`}[i%3] }),
		"members":    object(func(i int) string { return fmt.Sprintf(`"member-%d":%d`, i, i) }),
		"escaped":    object(func(i int) string { return fmt.Sprintf(`"\u006dember-%d":%d`, i, i) }),
		"same head":  object(func(i int) string { return fmt.Sprintf(`"%s%08d":0`, strings.Repeat("x", 200), i) }),
		"many names": list(func(i int) string { return string(namesObject(20 + i%5)) }),
		"deep":       deep,
	}
}

func namesObject(n int) []byte {
	b := []byte("{")
	for i := range n {
		b = fmt.Appendf(b, `"k%d":%d,`, i, i)
	}
	b[len(b)-1] = '}'
	return b
}

func eachShape(b *testing.B, f func(b *testing.B, doc []byte)) {
	docs := shapes(1 << 20)
	for _, name := range []string{"small", "items", "text", "lines", "greek", "japanese", "emoji", "escapes", "space", "numbers", "empty", "members", "escaped", "same head", "many names", "deep"} {
		b.Run(strings.ReplaceAll(name, " ", "-"), func(b *testing.B) {
			b.SetBytes(int64(len(docs[name])))
			b.ReportAllocs()
			f(b, docs[name])
		})
	}
}

func BenchmarkSkip(b *testing.B) {
	var r Reader
	eachShape(b, func(b *testing.B, doc []byte) {
		for range b.N {
			if _, err := readAll(&r, doc, len(doc)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkAppendCompact(b *testing.B) {
	var buf []byte
	eachShape(b, func(b *testing.B, doc []byte) {
		for range b.N {
			buf = AppendCompact(buf[:0], doc)
		}
	})
}

func BenchmarkDigestOf(b *testing.B) {
	eachShape(b, func(b *testing.B, doc []byte) {
		for range b.N {
			DigestOf(doc, false)
		}
	})
}

// BenchmarkLocate asks for a thousand places.
func BenchmarkLocate(b *testing.B) {
	doc := shapes(1 << 20)["items"]
	var offsets []int
	for i := range 1000 {
		offsets = append(offsets, i*len(doc)/1000)
	}
	b.SetBytes(int64(len(doc)))
	for range b.N {
		Locate(doc, offsets)
	}
}
