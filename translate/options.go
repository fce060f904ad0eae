package translate

import (
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"ctxmigrate/askable"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
	"ctxmigrate/v01"
)

// Options say how documents are converted. The zero Options work, and so does a
// nil pointer to them.
type Options struct {
	From Form // of documents that do not say it; Auto refuses those

	Strict     bool // every warning but carry-stale refuses the document
	KeepSecure bool // pass the content of password fields and the like on
	Lossless   bool // keep what the target form has no place for
	MaxDepth   int  // levels of JSON, read and written; 0 stands for 10,000
	MaxBytes   int  // of a document; 0 stands for 256 MiB, less than 0 for no limit

	Instance  string       // of 0.1 and 0.2.0 answers that have none
	AppTitle  string       // of a root that is made up for a 0.1 answer
	AllFocus  bool         // from 0.1: mark the path of every listed id
	Locatable *bool        // to 0.1: written on every item
	Mapping   *v01.Mapping // from 0.1: what a mapping file says
	Secure    []string     // words that make an element secure, beside the built-in ones

	MaxSurrounding int              // to a packet: length of each list; 0 stands for 50, less than 0 for no limit
	Timestamp      string           // to a packet that has none, in RFC 3339
	Clock          func() time.Time // the timestamp that is assumed where none is given; nil stands for time.Now
	Redacted       bool             // to a packet without a privacy
	Consent        string           // the same: explicit, implicit or none; "" stands for none, and is then said to be assumed
	Producer       string           // to a packet without a producer; "" stands for ctxmigrate
	Method         string           // to a packet without a method: app, dom, extension, mcp or manual; "" stands for app
}

// DefaultMaxBytes is how large a document may be where nothing else is said.
const DefaultMaxBytes = 256 << 20

// Check answers an error where the options cannot be used to convert to a form: what
// is written with them would not be of that form. All conversions begin with it.
func (o *Options) Check(to Form) error {
	switch {
	case to < V01 || to > Askable:
		return fmt.Errorf("translate: %s is no form to convert to", to)
	case o.From > Askable:
		return fmt.Errorf("translate: %s is no form to convert from", o.From)
	case !utf8.ValidString(o.Instance) || !utf8.ValidString(o.AppTitle) || !utf8.ValidString(o.Producer):
		return errors.New("translate: the Instance, AppTitle and Producer of Options are UTF-8")
	case to != Askable:
		return nil
	case o.Consent != "" && !askable.IsConsent(o.Consent):
		return fmt.Errorf("translate: %q is no word for Options.Consent", o.Consent)
	case o.Method != "" && !askable.IsMethod(o.Method):
		return fmt.Errorf("translate: %q is no word for Options.Method", o.Method)
	case o.Timestamp != "":
		if err := new(time.Time).UnmarshalText([]byte(o.Timestamp)); err != nil {
			return fmt.Errorf("translate: Options.Timestamp %q is no time in RFC 3339", o.Timestamp)
		}
	}
	return nil
}

func (o *Options) maxBytes() int {
	switch {
	case o.MaxBytes == 0:
		return DefaultMaxBytes
	case o.MaxBytes < 0 || o.MaxBytes > jsontree.MaxBytes:
		return jsontree.MaxBytes
	}
	return o.MaxBytes
}

func (o *Options) maxDepth() int {
	if o.MaxDepth <= 0 {
		return jsontree.DefaultMaxDepth
	}
	return o.MaxDepth
}

// secure are all words that make an element secure beside the built-in ones.
func (o *Options) secure() []string {
	if o.Mapping == nil || len(o.Mapping.Secure) == 0 {
		return o.Secure
	}
	return slices.Concat(o.Secure, o.Mapping.Secure)
}

// encoder sets up w for packets.
func (o *Options) packets(w *askable.Encoder, words model.Words) {
	w.MaxSurrounding, w.Redacted, w.Consent = o.MaxSurrounding, o.Redacted, o.Consent
	w.Producer, w.Method, w.KeepSecure, w.Words = o.Producer, o.Method, o.KeepSecure, words
	w.Timestamp, w.Assumed = o.Timestamp, false
	if w.Timestamp == "" {
		now := o.Clock
		if now == nil {
			now = time.Now
		}
		w.Timestamp, w.Assumed = now().UTC().Format(time.RFC3339Nano), true
	}
}
