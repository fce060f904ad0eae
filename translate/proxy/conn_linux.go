package proxy

import (
	"net"
	"sync/atomic"
	"syscall"
)

// wrapConn makes a connection that is kept between asks tell before an ask is
// written that the provider has closed it: an ask that may have reached the
// provider is not sent again, so it had better not be lost on the way. It also
// acknowledges at once what the provider sends: one that sends head and body apart
// would otherwise wait for 40 ms in between.
func wrapConn(c net.Conn) net.Conn {
	s, ok := c.(syscall.Conn)
	if !ok {
		return c
	}
	raw, err := s.SyscallConn()
	if err != nil {
		return c
	}
	_, tcp := c.(*net.TCPConn)
	return &conn{Conn: c, raw: raw, tcp: tcp}
}

type conn struct {
	net.Conn
	raw  syscall.RawConn
	tcp  bool
	used atomic.Bool // something was read since the last write
}

func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		c.used.Store(true)
	}
	return n, err
}

func (c *conn) Write(p []byte) (int, error) {
	if !c.used.Swap(false) {
		return c.Conn.Write(p)
	}
	stale := false
	c.raw.Control(func(fd uintptr) {
		var b [1]byte
		_, _, err := syscall.Recvfrom(int(fd), b[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		stale = err != syscall.EAGAIN && err != syscall.EINTR // closed, or it said something unasked
	})
	if stale {
		return 0, errStale
	}
	n, err := c.Conn.Write(p)
	if c.tcp { // after the write, which turns it off
		c.raw.Control(func(fd uintptr) { syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_QUICKACK, 1) })
	}
	return n, err
}
