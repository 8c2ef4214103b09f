// Command readers says what Go's HTTP libraries read in bytes, for tests that compare that with what Fairlead reads.
//
// Standard input has questions: a letter for the kind of reader, four bytes for the length, the bytes. Standard output has
// as many answers: four bytes for the length, a text. A text is one line for each message that was read completely:
//
//	q  requests of an HTTP/1.1 connection, as net/http's server hands them to its handler
//	a  answers to GET requests, as net/http's client reads them
//	f  requests of an HTTP/2 connection, as the framer of golang.org/x/net/http2 reads their frames
//	h  header blocks of an HTTP/2 connection, each behind two bytes for its length
package main

import (
	"bufio"
	"encoding/binary"
	"io"
	"log"
	"os"
	"runtime"
)

func main() {
	readers := map[byte]func([]byte) string{'q': requests, 'a': answers, 'f': frames, 'h': blocks}
	idle := runtime.NumGoroutine()
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	for {
		kind, err := in.ReadByte()
		if err == io.EOF {
			return
		}
		check(err)
		question := make([]byte, number(in))
		_, err = io.ReadFull(in, question)
		check(err)
		answer := readers[kind](question)
		for runtime.NumGoroutine() > idle {
			runtime.Gosched() // What the last question started must not meet the next one.
		}
		check(binary.Write(out, binary.BigEndian, uint32(len(answer))))
		_, err = out.WriteString(answer)
		check(err)
		if in.Buffered() == 0 {
			check(out.Flush())
		}
	}
}

func number(in io.Reader) uint32 {
	var number uint32
	check(binary.Read(in, binary.BigEndian, &number))
	return number
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
