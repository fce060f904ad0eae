//go:build unix

package proxy

import (
	"os/exec"
	"syscall"
)

// ownGroup puts a process and what it starts into a group of its own.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// signalGroup asks the group to end, or ends it.
func signalGroup(cmd *exec.Cmd, force bool) {
	s := syscall.SIGTERM
	if force {
		s = syscall.SIGKILL
	}
	syscall.Kill(-cmd.Process.Pid, s)
}

// groupLives reports whether a process of the group is left.
func groupLives(cmd *exec.Cmd) bool { return syscall.Kill(-cmd.Process.Pid, 0) == nil }
