package docgen

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Answers are n different ordinary 0.1 answers of 5 to 17 items, of a few hundred
// bytes to a few thousand, with members in several orders. A loop over one document
// teaches a processor that document, and so measures little; this is what a stream
// looks like.
func Answers(seed uint64, n int) [][]byte {
	s := stream{rand.New(rand.NewPCG(seed, 0x5eed))}
	list := make([][]byte, n)
	for i := range list {
		list[i] = s.answer(i).Append(nil)
	}
	return list
}

type stream struct{ *rand.Rand }

var streamWords = strings.Fields(`the of and a to in is it you that he was for on are with as his they be at one have
	this from or had by hot word but what some we can out other were all there when up use your how said an each she
	quarterly planning review release meeting notes decision budget invoice \u00e9tude caf\u00e9 naïve 会議 обсуждение \"quoted\" 42`)

func (s stream) text(least, most int) *Value {
	words := make([]string, least+s.IntN(most-least+1))
	for i := range words {
		words[i] = streamWords[s.IntN(len(streamWords))]
	}
	return Raw(`"` + strings.Join(words, " ") + `"`)
}

func (s stream) answer(nr int) *Value {
	order := s.Perm(7)
	items, ids := List(), []string{}
	for i := range 5 + s.IntN(13) {
		kind := []string{"window", "pane", "thread", "message", "comment", "task", "cell", "link", "document", "board"}[s.IntN(10)]
		id := fmt.Sprintf("%s-%d", kind[:2], nr+i)
		members := []Member{M("id", Str(id)), M("type", Str(kind)), {}, {}, {}, {}, {}}
		if i > 0 {
			members[2] = M("parent", Str(ids[s.IntN(len(ids))]))
		}
		if s.IntN(5) > 0 {
			members[3] = M("title", s.text(3, 9))
		}
		if s.IntN(4) == 0 {
			members[4] = M("url", Str(fmt.Sprintf("https://notes.example.org/%s/%d", kind, s.IntN(1e6))))
		}
		if s.IntN(2) == 0 {
			members[5] = M("content", List(Obj(M("type", Str("text")), M("text", s.text(4, 20)))))
		}
		if s.IntN(5) == 0 {
			members[6] = M("payload", Obj(M("author", Str("Ada Lovelace")), M("created", Str("2026-10-28T11:15:41Z")), M("rank", Raw("1.50"))))
		}
		item := Obj()
		for _, k := range order {
			if members[k].Value != nil {
				item.Members = append(item.Members, members[k])
			}
		}
		items.Entries = append(items.Entries, item)
		ids = append(ids, id)
	}
	focus := ids[s.IntN(len(ids))]
	return Obj(M("protocol", Str("0.1")), M("instance", Str(fmt.Sprint("run-", nr))), M("items", items), M("focus", List(Str(focus))))
}
