//go:build !unix

package proxy

import "os/exec"

// Where there are no groups of processes, the provider alone is ended.
func ownGroup(*exec.Cmd) {}

func signalGroup(cmd *exec.Cmd, force bool) { cmd.Process.Kill() }

func groupLives(*exec.Cmd) bool { return false }
