package translate_test

import (
	"testing"
)

const checkDir = "../testdata/check"

func TestX(t *testing.T) {}
