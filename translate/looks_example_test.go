package translate_test

import (
	"fmt"
	"log"

	"ctxmigrate/translate"
)

func ExampleCheck() {
	found := translate.Check([]byte(`{"protocol":"0.2.0","instance":"k3","root":{"id":"app","role":"Application",
 "children":[{"id":"a","role":"Row"},{"id":"a","role":"Carousel"}]}}`), nil)
	for _, f := range found.List {
		fmt.Printf("%d:%d %s %s: %s (%s)\n", f.Line, f.Column, f.Severity, f.Code, f.Message(), f.Rule.From)
	}
	// Output:
	// 2:38 error duplicate-id: the id "a" appears again (RFC-0001 R4)
	// 2:38 warning role-unknown: the role "Carousel" is none of the thirteen words (RFC-0001 R3)
}

func ExampleDiff() {
	old := []byte(`{"protocol":"0.1","instance":"k3","items":[{"id":"n","type":"note","title":"Plan"}],"focus":["n"]}`)
	native := []byte(`{"protocol":"0.2.0","instance":"k3","root":{"id":"app","role":"Application","children":[
		{"id":"n","role":"Document","subrole":"note","title":"Plans","focused":true}]}}`)
	list, err := translate.Diff(old, native, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range list {
		fmt.Println(d.Kind, d.What, d.From, d.To, string(d.Old), string(d.New))
	}
	// Output:
	// changed title /items/0/title /root/children/0/title "Plan" "Plans"
}

func ExampleExplain() {
	src := []byte(`{"protocol":"0.1","instance":"k3","items":[{"id":"l","type":"list"},{"id":"n","type":"note","parent":"l"}],"focus":[]}`)
	x, err := translate.Explain(src, translate.V020, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, o := range x.Elements {
		fmt.Println(o.Source, "->", o.Target)
		for _, r := range o.Reasons {
			if r.Of == "role" {
				fmt.Printf("  %s: %s (%s)\n", r.Is, r.Text, r.Section)
			}
		}
	}
	// Output:
	//  -> /root
	//   Application: a root was made up, since no item is the application (4.1)
	// /items/0 -> /root/children/0
	//   List: the type "list" has this role wherever it is (4.3)
	// /items/1 -> /root/children/0/children/0
	//   Row: the type "note" is an entry, and what it is in says the role (4.3)
}

func ExampleSurvey() {
	var s translate.Survey
	if err := s.Add([]byte(`{"protocol":"0.1","items":[{"id":"l","type":"list"},{"id":"n","type":"gadget","parent":"l"}]}`), nil); err != nil {
		log.Fatal(err)
	}
	for _, w := range s.Words() {
		fmt.Println(w.Word, w.Count, w.Choice.Known)
	}
	text, _ := s.AppendMapping(nil)
	fmt.Printf("%s", text)
	// Output:
	// gadget 1 false
	// list 1 true
	// {
	//   "types": {
	//     "gadget": {"role": "Group", "class": "entry"},
	//     "list": {"role": "List", "class": "fixed"}
	//   }
	// }
}
