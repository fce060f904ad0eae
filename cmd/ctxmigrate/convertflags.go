package main

import (
	"fmt"
	"io"
	"os"
	"time"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"ctxmigrate/askable"
	"ctxmigrate/translate"
	"ctxmigrate/v01"
)

// convertFlags are the flags that say how documents are converted.
type convertFlags struct {
	from, to             string
	strict, lossless     bool
	keepSecure, redacted bool
	mapFile, instance    string
	mapText              []byte // what mapFile holds
	appTitle, focus      string
	locatable, timestamp string
	consent, producer    string
	maxSurrounding       string
	toForm               translate.Form
	options              translate.Options
	fileTime             bool // --timestamp mtime
}

func (f *convertFlags) forms() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "to", Category: "Forms", Destination: &f.to,
			Usage: "the `FORM` to convert to: 0.1 (or v01), 0.2.0 (0.2, v020), askable (askable.context)"},
		fromFlag(&f.from),
	}
}

func fromFlag(to *string) cli.Flag {
	return &cli.StringFlag{Name: "from", Category: "Forms", Destination: to,
		Usage: "the `FORM` of documents that do not say it; those that say another one are refused"}
}

func parseFrom(from string) (translate.Form, error) {
	if from == "" {
		return translate.Auto, nil
	}
	form, err := translate.ParseForm(from)
	if err != nil {
		return form, usageError{text: "--from: " + err.Error()}
	}
	return form, nil
}

func (f *convertFlags) converting() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "strict", Category: converting, Destination: &f.strict,
			Usage: "refuse what would only be warned about, but for carry-stale"},
		&cli.BoolFlag{Name: "lossless", Category: converting, Destination: &f.lossless,
			Usage: "keep what the form has no place for under a member ctxmigrate, so that converting back gives the same values, but for what is withheld; strip takes it out"},
		&cli.BoolFlag{Name: "keep-secure", Category: converting, Destination: &f.keepSecure,
			Usage: "pass the content of password fields and the like on, which is withheld otherwise where the form changes; help map lists the words"},
		&cli.StringFlag{Name: "map", Category: converting, Destination: &f.mapFile,
			Usage: "a mapping `FILE` that says how to read the type words, links and authors of one app in 0.1 answers, and what is secure; see help map"},
		&cli.StringFlag{Name: "instance", Category: converting, Destination: &f.instance,
			Usage: "the instance of answers that have none; one is made from the text otherwise"},
		&cli.StringFlag{Name: "app-title", Category: converting, Destination: &f.appTitle,
			Usage: "the title of a root that is made up for a 0.1 answer"},
		&cli.StringFlag{Name: "focus", Category: converting, Destination: &f.focus,
			Usage: "`all` marks the path of every id that a 0.1 answer lists, not of one alone"},
		&cli.StringFlag{Name: "locatable", Category: converting, Destination: &f.locatable,
			Usage: "`BOOL`, true or false, is written on every item of a 0.1 answer, for hosts that ask only where told to"},
		&cli.StringFlag{Name: "timestamp", Category: converting, Destination: &f.timestamp,
			Usage: "the `TIME` of packets whose source has none: as in 2026-01-31T12:00:00Z, or now, or mtime for that of the file; where not given it is assumed to be that of the file, or the present for standard input"},
		&cli.BoolFlag{Name: "redacted", Category: converting, Destination: &f.redacted,
			Usage: "packets whose source has no privacy say that they are redacted"},
		&cli.StringFlag{Name: "consent", Category: converting, Destination: &f.consent,
			Usage: "the consent of packets whose source has no privacy: `WORD` is explicit, implicit or none"},
		&cli.StringFlag{Name: "producer", Category: converting, Destination: &f.producer,
			Usage: "the producer of packets whose source has none; ctxmigrate unless given"},
		&cli.StringFlag{Name: "max-surrounding", Category: converting, Destination: &f.maxSurrounding,
			Usage: "the most entries of each list around the target of a packet; 50 unless given; `N` may be none for no limit"},
	}
}

// check looks at the values of the flags and makes options of them.
func (f *convertFlags) check(r *readFlags) (err error) {
	if f.to == "" {
		return usageError{text: "to which form? --to takes 0.1, 0.2.0 or askable"}
	}
	o := &f.options
	if f.toForm, err = translate.ParseForm(f.to); err != nil {
		return usageError{text: "--to: " + err.Error()}
	}
	if o.From, err = parseFrom(f.from); err != nil {
		return err
	}
	for _, t := range []struct{ flag, text string }{{"instance", f.instance}, {"app-title", f.appTitle}, {"producer", f.producer}} {
		if !utf8.ValidString(t.text) {
			return usageError{text: fmt.Sprintf("--%s takes UTF-8 text", t.flag)}
		}
	}
	o.Strict, o.Lossless, o.KeepSecure = f.strict, f.lossless, f.keepSecure
	o.MaxDepth, o.MaxBytes, r.mapping = r.maxDepthOpt, r.maxBytesOpt, f.mapFile
	o.Instance, o.AppTitle, o.Producer, o.Redacted = f.instance, f.appTitle, f.producer, f.redacted
	for _, check := range []func() error{f.checkFocus, f.checkLocatable, f.checkTimestamp, f.checkConsent, f.checkSurrounding, f.readMapping} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (f *convertFlags) checkFocus() error {
	if f.focus != "" && f.focus != "all" {
		return usageError{text: fmt.Sprintf("--focus takes all, not %q", f.focus)}
	}
	f.options.AllFocus = f.focus == "all"
	return nil
}

func (f *convertFlags) checkLocatable() error {
	switch f.locatable {
	case "":
		return nil
	case "true", "false":
		is := f.locatable == "true"
		f.options.Locatable = &is
		return nil
	}
	return usageError{text: fmt.Sprintf("--locatable takes true or false, not %q", f.locatable)}
}

func (f *convertFlags) checkTimestamp() error {
	switch f.timestamp {
	case "":
	case "now":
		f.options.Timestamp = time.Now().UTC().Format(time.RFC3339Nano)
	case "mtime":
		f.fileTime = true
	default:
		if err := new(time.Time).UnmarshalText([]byte(f.timestamp)); err != nil {
			return usageError{text: fmt.Sprintf("--timestamp takes a time as in 2026-01-31T12:00:00Z, now or mtime, not %q", f.timestamp)}
		}
		f.options.Timestamp = f.timestamp
	}
	return nil
}

func (f *convertFlags) checkConsent() error {
	if f.consent == "" || askable.IsConsent(f.consent) {
		f.options.Consent = f.consent
		return nil
	}
	return usageError{text: fmt.Sprintf("--consent takes explicit, implicit or none, not %q", f.consent)}
}

func (f *convertFlags) checkSurrounding() (err error) {
	if f.maxSurrounding == "none" {
		f.options.MaxSurrounding = -1
		return nil
	}
	f.options.MaxSurrounding, err = count("max-surrounding", f.maxSurrounding, 1<<30)
	return err
}

func (f *convertFlags) readMapping() error {
	if f.mapFile == "" {
		return nil
	}
	var err error
	if f.mapText, err = readShort(f.mapFile); err != nil {
		return usageError{text: printable(f.mapFile) + ": " + reason(err)}
	}
	if f.options.Mapping, err = v01.ParseMapping(f.mapText); err != nil {
		return usageError{text: printable(f.mapFile) + ":" + printable(err.Error())}
	}
	return nil
}

// maxMapping is how many bytes a mapping file may have.
const maxMapping = 16 << 20

// readShort reads a file that is to be held in memory, which may be a device.
func readShort(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, maxMapping+1))
	if err == nil && len(src) > maxMapping {
		err = fmt.Errorf("is longer than %d MiB, which is more than a mapping file may have", maxMapping>>20)
	}
	return src, err
}
