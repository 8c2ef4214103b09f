// The yardsticks that are written in Go: a reverse proxy of the standard library, an API server of watches alone, a client
// that opens many of them, a client with a certificate, and an API server whose one CRD changes while it asks when the
// gateway's index knows.
package main

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	switch os.Args[1] {
	case "proxy": // LISTEN URL CERT KEY
		fail((&http.Server{Addr: os.Args[2], Handler: proxy(os.Args[3], os.Args[4])}).ListenAndServeTLS(os.Args[4], os.Args[5]))
	case "watches": // LISTEN CERT KEY PROTOCOL
		fail(server(os.Args[2], http.HandlerFunc(watch), os.Args[5]).ListenAndServeTLS(os.Args[3], os.Args[4]))
	case "watch": // URL COUNT CERT TOKEN PROTOCOL: says "open" when all are, then the count of events on each line of input
		client(os.Args[2], number(os.Args[3]), os.Args[4], os.Args[5], os.Args[6])
	case "requests": // URL CONNECTIONS SECONDS KEEP CERT CALLER-CERT CALLER-KEY: says how many were answered
		keep, err := strconv.ParseBool(os.Args[5])
		fail(err)
		requests(os.Args[2], number(os.Args[3]), number(os.Args[4]), keep, mutual(os.Args[6], os.Args[7], os.Args[8]))
	case "types": // LISTEN CERT KEY TOKEN: for each "COUNT URL" of input changes a CRD so often, and says how long URL took to know
		types(os.Args[2], os.Args[3], os.Args[4], os.Args[5])
	}
}

// An HTTP server of one protocol, http/1.1 or h2.
func server(listen string, handler http.Handler, protocol string) *http.Server {
	result := &http.Server{Addr: listen, Handler: handler}
	if protocol != "h2" {
		result.TLSNextProto = map[string]func(*http.Server, *tls.Conn, http.Handler){}
	}
	return result
}

func trusting(cert string) *tls.Config {
	pem, err := os.ReadFile(cert)
	fail(err)
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem)
	return &tls.Config{RootCAs: pool, ServerName: "localhost"}
}

func mutual(cert, callerCert, callerKey string) *tls.Config {
	caller, err := tls.LoadX509KeyPair(callerCert, callerKey)
	fail(err)
	settings := trusting(cert)
	settings.Certificates = []tls.Certificate{caller}
	return settings
}

// GETs over http/1.1 as fast as they are answered; each on a connection of its own if none is kept.
func requests(target string, connections, seconds int, keep bool, settings *tls.Config) {
	transport := &http.Transport{TLSClientConfig: settings, DisableKeepAlives: !keep, MaxIdleConnsPerHost: connections,
		TLSNextProto: map[string]func(string, *tls.Conn) http.RoundTripper{}}
	end := time.Now().Add(time.Duration(seconds) * time.Second)
	var answered atomic.Int64
	var all sync.WaitGroup
	for range connections {
		all.Go(func() {
			for time.Now().Before(end) {
				answer, err := transport.RoundTrip(get(target, ""))
				fail(err)
				if answer.StatusCode != http.StatusOK {
					fail(fmt.Errorf("%s: %s", target, answer.Status))
				}
				_, err = io.Copy(io.Discard, answer.Body)
				fail(err)
				fail(answer.Body.Close())
				answered.Add(1)
			}
		})
	}
	all.Wait()
	fmt.Println(answered.Load())
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

// Over http/1.1 each watch has a connection, over h2 a hundred share one.
func client(target string, count int, cert, token, protocol string) {
	var events, open atomic.Int64
	limit := make(chan struct{}, 32)
	var transport *http.Transport
	for i := range count {
		if i%watchesPerConnection == 0 {
			for open.Load() < int64(i) {
				time.Sleep(time.Millisecond)
			}
			transport = connections(cert, protocol)
		}
		limit <- struct{}{}
		of := transport
		go func() {
			follow(of, target, token, func() { open.Add(1); <-limit }, &events)
		}()
		if i%watchesPerConnection == 0 { // the others find the connection
			for open.Load() <= int64(i) {
				time.Sleep(time.Millisecond)
			}
		}
	}
	for open.Load() < int64(count) {
		time.Sleep(10 * time.Millisecond)
	}
	fmt.Println("open")
	for input := bufio.NewScanner(os.Stdin); input.Scan(); {
		fmt.Println(events.Load())
	}
}

const watchesPerConnection = 100

func connections(cert, protocol string) *http.Transport {
	if protocol == "h2" {
		return &http.Transport{TLSClientConfig: trusting(cert), ForceAttemptHTTP2: true}
	}
	return &http.Transport{TLSClientConfig: trusting(cert), TLSNextProto: map[string]func(string, *tls.Conn) http.RoundTripper{}}
}

func follow(transport *http.Transport, target, token string, opened func(), events *atomic.Int64) {
	answer, err := transport.RoundTrip(get(target, token))
	fail(err)
	lines := bufio.NewReaderSize(answer.Body, 1024)
	_, err = lines.ReadSlice('\n')
	fail(err)
	opened()
	for {
		if _, err := lines.ReadSlice('\n'); err != nil {
			fail(fmt.Errorf("a watch ended: %w", err))
		}
		events.Add(1)
	}
}

func get(target, token string) *http.Request {
	request, err := http.NewRequest("GET", target, nil)
	fail(err)
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	return request
}

// What a gateway learns types from, and no more: a CRD whose second version comes and goes, and no APIService.
type apiServer struct {
	lock     sync.Mutex
	revision int
	second   bool
	watchers map[chan string]bool
}

const crdTemplate = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"boats.example.com",` +
	`"uid":"8f3c","resourceVersion":"%d"},"spec":{"group":"example.com","scope":"Namespaced","names":{"plural":"boats","kind":"Boat"},` +
	`"versions":[{"name":"v1","served":true,"storage":true},{"name":"v2","served":%t,"storage":false}]},` +
	`"status":{"conditions":[{"type":"Established","status":"True"}]}}`

func types(listen, cert, key, token string) {
	api := &apiServer{revision: 100, watchers: map[chan string]bool{}}
	go func() { fail(server(listen, api, "h2").ListenAndServeTLS(cert, key)) }()
	asking := &http.Client{Transport: connections(cert, "http/1.1"), Timeout: time.Minute}
	for input := bufio.NewScanner(os.Stdin); input.Scan(); {
		words := strings.Fields(input.Text())
		end := time.Now().Add(changesMax)
		await(asking, words[1], token, api.second, end)
		for range number(words[0]) {
			began := time.Now()
			api.change()
			await(asking, words[1], token, api.second, end)
			fmt.Println(time.Since(began).Microseconds())
			time.Sleep(5 * time.Millisecond)
		}
	}
}

// In which all changes of one line of input must be known.
const changesMax = 4 * time.Minute

func await(asking *http.Client, served, token string, second bool, end time.Time) {
	wanted := `"ABSENT"`
	if second {
		wanted = `"SERVED"`
	}
	for {
		answer, err := asking.Do(get(served, token))
		fail(err)
		body, err := io.ReadAll(answer.Body)
		fail(err)
		answer.Body.Close()
		if strings.Contains(string(body), wanted) {
			return
		}
		if time.Now().After(end) {
			fail(fmt.Errorf("the index does not come to say %s: %d %s", wanted, answer.StatusCode, body))
		}
	}
}

func (api *apiServer) change() {
	api.lock.Lock()
	defer api.lock.Unlock()
	api.revision++
	api.second = !api.second
	for watcher := range api.watchers {
		watcher <- `{"type":"MODIFIED","object":` + api.crd() + "}\n"
	}
}

func (api *apiServer) crd() string {
	return fmt.Sprintf(crdTemplate, api.revision, api.second)
}

func (api *apiServer) ServeHTTP(out http.ResponseWriter, request *http.Request) {
	out.Header().Set("Content-Type", "application/json")
	crds := strings.HasSuffix(request.URL.Path, "/customresourcedefinitions")
	watching, _ := strconv.ParseBool(request.URL.Query().Get("watch"))
	switch {
	case request.URL.Path == "/version":
		fmt.Fprint(out, `{"major":"1","minor":"36","gitVersion":"v1.36.0"}`)
	case !crds && !strings.HasSuffix(request.URL.Path, "/apiservices"):
		http.Error(out, "{}", http.StatusNotFound)
	case watching:
		api.watch(out, request, crds)
	default:
		api.list(out, crds)
	}
}

func (api *apiServer) list(out http.ResponseWriter, crds bool) {
	api.lock.Lock()
	defer api.lock.Unlock()
	items := ""
	if crds {
		items = api.crd()
	}
	fmt.Fprintf(out, `{"kind":"List","apiVersion":"v1","metadata":{"resourceVersion":"%d"},"items":[%s]}`, api.revision, items)
}

func (api *apiServer) watch(out http.ResponseWriter, request *http.Request, crds bool) {
	events := make(chan string, 16)
	if crds {
		api.lock.Lock()
		api.watchers[events] = true
		if request.URL.Query().Get("resourceVersion") != strconv.Itoa(api.revision) { // it changed since the list
			events <- `{"type":"MODIFIED","object":` + api.crd() + "}\n"
		}
		api.lock.Unlock()
		defer func() {
			api.lock.Lock()
			delete(api.watchers, events)
			api.lock.Unlock()
		}()
	}
	for {
		out.(http.Flusher).Flush()
		select {
		case <-request.Context().Done():
			return
		case event := <-events:
			fmt.Fprint(out, event)
		}
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
