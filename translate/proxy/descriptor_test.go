package proxy_test

import (
	"strings"
	"testing"

	"ctxmigrate/translate"
	"ctxmigrate/translate/proxy"
)

// TestDescriptor is what is read from descriptors, and what is written in their
// place.
func TestDescriptor(t *testing.T) {
	for _, c := range []struct{ name, text, url, socket, token, at, made string }{
		{"url", "{\"a\":1.0,\n \"url\" : \"http://127.0.0.1:5/v1\",\"token\":\"t\", \"protocol\":\"0.1\"}\n", "http://127.0.0.1:5/v1", "", "t",
			"http://127.0.0.1:9", "{\"a\":1.0,\n \"url\" : \"http://127.0.0.1:9/v1\",\"token\":\"NEW\", \"protocol\":\"askable.context\"}\n"},
		{"host and port", `{"port":5,"authToken":"t","host":"localhost"}`, "http://localhost:5", "", "t",
			"http://127.0.0.1:9", `{"port":9,"authToken":"NEW","host":"127.0.0.1"}`},
		{"port alone, a string", `{"port":"5"}`, "http://127.0.0.1:5", "", "", "http://[::1]:9", `{"port":"9","token":"NEW"}`},
		{"socket", `{"socket":"/a b","auth_token":"t"}`, "", "/a b", "t", "unix:/c", `{"socket":"/c","auth_token":"NEW"}`},
		{"url of a socket", `{"url":"unix:/a","token":"t"}`, "", "/a", "t", "unix:/c", `{"url":"unix:/c","token":"NEW"}`},
		{"nested", `{"endpoint":{"url":"http://127.0.0.1:5","x":"é"},"token":"t"}`, "http://127.0.0.1:5", "", "t", "https://127.0.0.1:9", `{"endpoint":{"url":"https://127.0.0.1:9","x":"é"},"token":"NEW"}`},
		{"socket for a port", `{"port":5}`, "http://127.0.0.1:5", "", "", "unix:/c", ""},
	} {
		d, err := proxy.ReadDescriptor([]byte(c.text), proxy.DescriptorPaths{})
		if err != nil || d.URL != c.url || d.Socket != c.socket || d.Token != c.token {
			t.Errorf("%s: %+v %v", c.name, d, err)
			continue
		}
		made, err := d.Announce(c.at, nil, "NEW", translate.Askable)
		if string(made) != c.made || (err != nil) != (c.made == "") {
			t.Errorf("%s: %s %v", c.name, made, err)
		}
		if c.made != "" && !d.Alike(made) || d.Alike([]byte(`{"args":[]}`)) || d.Alike([]byte("x")) {
			t.Errorf("%s: what is alike", c.name)
		}
	}
	for _, text := range []string{"", "[]", "{}", `{"url":1}`, `{"url":"a","url":"b"}`, `{"url":"` + "\xff" + `"}`} {
		if _, err := proxy.ReadDescriptor([]byte(text), proxy.DescriptorPaths{}); err == nil || strings.Contains(err.Error(), "\xff") {
			t.Errorf("%q: %v", text, err)
		}
	}
	d, err := proxy.ReadDescriptor([]byte(`{"at":{"u":"http://127.0.0.1:5"},"url":"x","k":"t"}`), proxy.DescriptorPaths{URL: []string{"no", "at.u"}, Token: []string{"k"}})
	if err != nil || d.URL != "http://127.0.0.1:5" || d.Token != "t" {
		t.Errorf("named paths: %+v %v", d, err)
	}
}
