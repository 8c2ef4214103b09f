package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// last follows a request behind which the server may close the connection, whatever comes.
const last = "last\n"

// requests has a server of its own serve one connection, on which the bytes arrive and then the end.
func requests(question []byte) string {
	var read strings.Builder
	handler := func(w http.ResponseWriter, r *http.Request) {
		line, err := message(r)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		read.WriteString(line)
		if strings.Contains(strings.ToLower(strings.Join(r.Header["Connection"], " ")), "close") {
			read.WriteString(last)
		}
	}
	closed := make(chan struct{})
	server := http.Server{
		Handler:  http.HandlerFunc(handler),
		ErrorLog: log.New(io.Discard, "", 0),
		ConnState: func(_ net.Conn, state http.ConnState) {
			if state == http.StateClosed {
				close(closed)
			}
		},
	}
	listener := &one{conn: &connection{in: bytes.NewReader(question)}, closed: closed}
	_ = server.Serve(listener)
	<-closed
	return read.String()
}

// answers reads answers to GET requests until one is wrong, or does not say where it ends.
func answers(question []byte) string {
	in := bufio.NewReader(bytes.NewReader(question))
	var read strings.Builder
	for {
		answer, err := http.ReadResponse(in, &http.Request{Method: "GET"})
		if err != nil {
			return read.String()
		}
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			return read.String()
		}
		fmt.Fprintf(&read, "%d %s %x\n", answer.StatusCode, fields(answer.Header), body)
	}
}

// message is a request in one line: method, target, host, fields, body.
func message(r *http.Request) (string, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %s %s %s %x\n", r.Method, r.RequestURI, r.Host, fields(r.Header), body), nil
}

// fields has names in lower case and their order, and the values of one name in the order they came in. What is about
// framing or the connection is told by the body.
func fields(header http.Header) string {
	var lines []string
	for name, values := range header {
		name = strings.ToLower(name)
		switch name {
		case "connection", "content-length", "trailer":
			continue
		}
		for _, value := range values {
			lines = append(lines, fmt.Sprintf("%s=%x", name, value))
		}
	}
	slices.SortStableFunc(lines, func(a, b string) int {
		return strings.Compare(a[:strings.Index(a, "=")], b[:strings.Index(b, "=")])
	})
	return "[" + strings.Join(lines, ",") + "]"
}

// one is a listener with a single connection.
type one struct {
	conn   net.Conn
	once   sync.Once
	closed chan struct{}
}

func (o *one) Accept() (net.Conn, error) {
	var conn net.Conn
	o.once.Do(func() { conn = o.conn })
	if conn == nil {
		<-o.closed
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (o *one) Close() error   { return nil }
func (o *one) Addr() net.Addr { return o.conn.LocalAddr() }

// connection delivers bytes and then the end, and drops what is written to it.
type connection struct{ in *bytes.Reader }

func (c *connection) Read(b []byte) (int, error)         { return c.in.Read(b) }
func (c *connection) Write(b []byte) (int, error)        { return len(b), nil }
func (c *connection) Close() error                       { return nil }
func (c *connection) LocalAddr() net.Addr                { return &net.TCPAddr{} }
func (c *connection) RemoteAddr() net.Addr               { return &net.TCPAddr{} }
func (c *connection) SetDeadline(time.Time) error        { return nil }
func (c *connection) SetReadDeadline(time.Time) error    { return nil }
func (c *connection) SetWriteDeadline(t time.Time) error { return nil }
