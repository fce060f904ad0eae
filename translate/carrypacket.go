package translate

import (
	"ctxmigrate/translate/carry"
	"ctxmigrate/translate/jsontree"
)

// withheldSource is the source as a packet may carry it: whole, but for what is
// withheld.
func (c *Converter) withheldSource() ([]byte, error) {
	doc := jsontree.AppendCompact(nil, c.src[c.start():])
	if !c.snap.Secure || c.opts.KeepSecure {
		return doc, nil
	}
	other := V020
	if c.from == V020 {
		other = V01
	}
	var there Converter
	o := c.opts.neutral()
	o.Lossless = true
	mid, err := there.Append(nil, doc, other, o)
	if err != nil {
		return nil, err
	}
	return there.Append(nil, mid, c.from, o)
}

// appendCarryingPacket appends a packet that carries a document: in the metadata
// of its target, or in an entry of sources that is made for it.
func appendCarryingPacket(dst, packet []byte, of Form, doc []byte) []byte {
	value := func(bare string) []byte {
		v := []byte(`{"v":1,"of":"` + of.String() + `","for":"` + carry.Fingerprint(packet) + `",` + bare + `"document":`)
		return append(append(v, doc...), '}')
	}
	list := carry.MembersOf(packet)
	name := []byte(`"` + carry.Name + `"`)
	if t := carry.Index(list, "target"); t >= 0 {
		target := carry.MembersOf(list[t].Value)
		m := carry.Index(target, "metadata")
		if m < 0 {
			target = append(target, carry.Member{Name: []byte(`"metadata"`), Value: carry.AppendMembers(nil, []carry.Member{{Name: name, Value: value("")}})})
			list[t].Value = carry.AppendMembers(nil, target)
			return carry.AppendMembers(dst, list)
		}
		if jsontree.KindOf(target[m].Value) == jsontree.Object {
			inner := carry.MembersOf(target[m].Value)
			empty := ""
			if len(inner) == 0 {
				empty = `"empty":true,`
			}
			target[m].Value = carry.AppendMembers(nil, carry.Put(inner, value(empty)))
			list[t].Value = carry.AppendMembers(nil, target)
			return carry.AppendMembers(dst, list)
		}
	}
	entry := append([]byte(`{"label":"`+carry.Name+`","metadata":{"`+carry.Name+`":`), value("")...)
	entry = append(entry, '}', '}')
	n := carry.Index(list, "surrounding")
	if n < 0 {
		n = carry.Index(list, "privacy") // surrounding stands before it
		list = append(list[:n:n], append([]carry.Member{{Name: []byte(`"surrounding"`), Value: []byte(`{}`)}}, list[n:]...)...)
	}
	around := carry.MembersOf(list[n].Value)
	if k := carry.Index(around, "sources"); k >= 0 {
		v := jsontree.AppendCompact(nil, around[k].Value)
		around[k].Value = append(append(append(v[:len(v)-1:len(v)-1], ','), entry...), ']')
	} else {
		around = append(around, carry.Member{Name: []byte(`"sources"`), Value: append(append([]byte{'['}, entry...), ']')})
	}
	list[n].Value = carry.AppendMembers(nil, around)
	return carry.AppendMembers(dst, list)
}
