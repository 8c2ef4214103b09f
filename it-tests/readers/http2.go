package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

const (
	tableBytesMax = 4096
	frameBytesMax = 16384
)

// request is one whose end has not come.
type request struct {
	head *http2.MetaHeadersFrame
	body []byte
}

// frames reads requests until the connection is wrong; a stream that is wrong is one request less.
func frames(question []byte) string {
	in := bytes.NewReader(question)
	preface := make([]byte, len(http2.ClientPreface))
	if _, err := io.ReadFull(in, preface); err != nil || string(preface) != http2.ClientPreface {
		return ""
	}
	framer := http2.NewFramer(io.Discard, in)
	framer.SetMaxReadFrameSize(frameBytesMax)
	framer.ReadMetaHeaders = hpack.NewDecoder(tableBytesMax, nil)
	streams := map[uint32]*request{}
	var read strings.Builder
	for {
		frame, err := framer.ReadFrame()
		if ofStream := (http2.StreamError{}); errors.As(err, &ofStream) {
			streams[ofStream.StreamID] = nil
			continue
		}
		if err != nil {
			return read.String()
		}
		id := frame.Header().StreamID
		stream, known := streams[id]
		last := false
		switch frame := frame.(type) {
		case *http2.MetaHeadersFrame:
			if !known {
				stream = &request{head: frame}
				streams[id] = stream
			}
			last = frame.StreamEnded()
		case *http2.DataFrame:
			if stream != nil {
				stream.body = append(stream.body, frame.Data()...)
			}
			last = frame.StreamEnded()
		case *http2.RSTStreamFrame:
			streams[id] = nil
		}
		if last && stream != nil {
			read.WriteString(stream.line())
			streams[id] = nil
		}
	}
}

func (r *request) line() string {
	header := http.Header{}
	host := r.head.PseudoValue("authority")
	for _, field := range r.head.RegularFields() {
		switch {
		case field.Name == "host":
			if host == "" {
				host = field.Value
			}
		case field.Name == "cookie" && header.Get("Cookie") != "":
			header.Set("Cookie", header.Get("Cookie")+"; "+field.Value)
		default:
			header.Add(field.Name, field.Value)
		}
	}
	return fmt.Sprintf("%s %s %s %s %x\n",
		r.head.PseudoValue("method"), r.head.PseudoValue("path"), host, fields(header), r.body)
}

// blocks decodes header blocks until one is wrong.
func blocks(question []byte) string {
	var read strings.Builder
	decoder := hpack.NewDecoder(tableBytesMax, nil)
	for len(question) > 2 {
		end := 2 + int(binary.BigEndian.Uint16(question))
		decoded, err := decoder.DecodeFull(question[2:end])
		if err != nil {
			break
		}
		question = question[end:]
		for _, field := range decoded {
			fmt.Fprintf(&read, "%x=%x,", field.Name, field.Value)
		}
		read.WriteString("\n")
	}
	return read.String()
}
