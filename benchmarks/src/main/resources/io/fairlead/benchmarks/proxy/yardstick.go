// The yardsticks that are written in Go: a reverse proxy of the standard library, an API server of watches alone, and a
// client that opens many of them.
package main

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"strconv"
	"sync/atomic"
	"time"
)

func main() {
	switch os.Args[1] {
	case "proxy": // LISTEN URL CERT KEY
		fail((&http.Server{Addr: os.Args[2], Handler: proxy(os.Args[3], os.Args[4])}).ListenAndServeTLS(os.Args[4], os.Args[5]))
	case "watches": // LISTEN CERT KEY
		fail((&http.Server{Addr: os.Args[2], Handler: http.HandlerFunc(watch), TLSNextProto: map[string]func(*http.Server, *tls.Conn, http.Handler){}}).
			ListenAndServeTLS(os.Args[3], os.Args[4]))
	case "watch": // URL COUNT CERT TOKEN: says "open" when all are, then the count of events on each line of input
		client(os.Args[2], number(os.Args[3]), os.Args[4], os.Args[5])
	}
}

func trusting(cert string) *tls.Config {
	pem, err := os.ReadFile(cert)
	fail(err)
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem)
	return &tls.Config{RootCAs: pool, ServerName: "localhost"}
}

func proxy(target, cert string) http.Handler {
	to, err := url.Parse(target)
	fail(err)
	reverse := httputil.NewSingleHostReverseProxy(to)
	reverse.Transport = &http.Transport{TLSClientConfig: trusting(cert), ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 1024}
	return reverse
}

// One event at once, then ?rate= of them a second; none if it is 0.
func watch(out http.ResponseWriter, request *http.Request) {
	if request.URL.Query().Get("watch") == "" {
		http.NotFound(out, request)
		return
	}
	out.Header().Set("Content-Type", "application/json")
	event := []byte(`{"type":"BOOKMARK","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"resourceVersion":"1"}}}` + "\n")
	send := func() bool {
		_, err := out.Write(event)
		out.(http.Flusher).Flush()
		return err == nil
	}
	send()
	var ticks <-chan time.Time
	if rate := number("0" + request.URL.Query().Get("rate")); rate > 0 {
		ticker := time.NewTicker(time.Second / time.Duration(rate))
		defer ticker.Stop()
		ticks = ticker.C
	}
	for {
		select {
		case <-request.Context().Done():
			return
		case <-ticks:
			if !send() {
				return
			}
		}
	}
}

func client(target string, count int, cert, token string) {
	config := trusting(cert)
	transport := &http.Transport{TLSClientConfig: config, TLSNextProto: map[string]func(string, *tls.Conn) http.RoundTripper{}}
	var events, open atomic.Int64
	limit := make(chan struct{}, 32)
	for range count {
		limit <- struct{}{}
		go func() {
			request, err := http.NewRequest("GET", target, nil)
			fail(err)
			request.Header.Set("Authorization", "Bearer "+token)
			answer, err := transport.RoundTrip(request)
			fail(err)
			lines := bufio.NewReaderSize(answer.Body, 1024)
			_, err = lines.ReadSlice('\n')
			fail(err)
			open.Add(1)
			<-limit
			for {
				if _, err := lines.ReadSlice('\n'); err != nil {
					fail(fmt.Errorf("a watch ended: %w", err))
				}
				events.Add(1)
			}
		}()
	}
	for open.Load() < int64(count) {
		time.Sleep(10 * time.Millisecond)
	}
	fmt.Println("open")
	for input := bufio.NewScanner(os.Stdin); input.Scan(); {
		fmt.Println(events.Load())
	}
}

func number(text string) int {
	value, err := strconv.Atoi(text)
	fail(err)
	return value
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
