package proxy

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"time"
)

// Command is a provider that is started. No shell is involved.
type Command struct {
	Args   []string // the program and its arguments
	Env    []string // nil stands for that of this process
	Dir    string
	Stderr io.Writer // nil discards it; a file is handed to the provider itself
}

// The times of an ending: from its beginning to asking the provider to end, and to
// ending it by force.
const (
	politeAfter = 2 * time.Second
	forceAfter  = 3500 * time.Millisecond
	restFor     = 200 * time.Millisecond // what is left on its output is read that long
)

// child is a provider that was started, with all that it starts.
type child struct {
	cmd    *exec.Cmd
	in     *os.File // its standard input
	out    *os.File // its standard output
	exited chan struct{}
}

func (c Command) start() (*child, error) {
	if len(c.Args) == 0 {
		return nil, errors.New("no command is named")
	}
	cmd := exec.Command(c.Args[0], c.Args[1:]...)
	cmd.Env, cmd.Dir, cmd.Stderr = c.Env, c.Dir, c.Stderr
	cmd.WaitDelay = restFor // where stderr is copied, a process that holds it is not waited for
	ownGroup(cmd)
	childIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, childOut, err := os.Pipe()
	if err != nil {
		childIn.Close()
		in.Close()
		return nil, err
	}
	cmd.Stdin, cmd.Stdout = childIn, childOut
	err = cmd.Start()
	childIn.Close()
	childOut.Close()
	if err != nil {
		in.Close()
		out.Close()
		return nil, err
	}
	p := &child{cmd, in, out, make(chan struct{})}
	go func() {
		cmd.Wait()
		close(p.exited)
	}()
	return p, nil
}

// end ends the provider and all that it started. Patient gives it the time to
// finish, since its input has just ended. Drained is closed when its output has
// ended; it is made to.
func (p *child) end(patient bool, drained <-chan struct{}) {
	begin := time.Now()
	left := func(d time.Duration) time.Duration { return max(0, d-time.Since(begin)) }
	polite := restFor
	if patient {
		polite = politeAfter
	}
	wait(p.exited, left(polite))
	signalGroup(p.cmd, false)
	wait(p.exited, left(forceAfter))
	for groupLives(p.cmd) && left(polite+restFor) > 0 {
		time.Sleep(5 * time.Millisecond)
	}
	signalGroup(p.cmd, true)
	wait(p.exited, time.Second)
	wait(drained, restFor)
	p.out.SetReadDeadline(time.Now()) // someone outside of the group may hold it still
	p.out.Close()
	p.in.Close() // a write to it that hangs ends
}

func wait(c <-chan struct{}, d time.Duration) {
	select {
	case <-c:
		return
	default:
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-c:
	case <-t.C:
	}
}
