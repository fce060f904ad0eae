package batch

import "encoding/base64"

func base64Of(name string) string { return base64.StdEncoding.EncodeToString([]byte(name)) }

func unbase64(text string) (string, error) {
	raw, err := base64.StdEncoding.DecodeString(text)
	return string(raw), err
}
