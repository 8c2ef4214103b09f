// An OpenID provider: that of zitadel/oidc's example, over TLS, whose keys are replaced on request.
//
//	POST /keys           signs with a new key from now on; the one before stays published
//	POST /keys?only=new  the same, and only the new key is published
//
// Its one client is "fairlead" with secret "secret"; its users are test-user2 and those of the example.
package main

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"flag"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	jose "github.com/go-jose/go-jose/v4"
	"github.com/zitadel/oidc/v3/example/server/exampleop"
	"github.com/zitadel/oidc/v3/example/server/storage"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

const bits = 2048

// signingKey is an RSA key with its id, and its own public part.
type signingKey struct {
	id  string
	rsa *rsa.PrivateKey
}

func newKey(number int) signingKey {
	key, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		log.Fatal(err)
	}
	return signingKey{fmt.Sprintf("key-%d", number), key}
}

func (k signingKey) ID() string                                  { return k.id }
func (k signingKey) Key() any                                    { return k.rsa }
func (k signingKey) SignatureAlgorithm() jose.SignatureAlgorithm { return jose.RS256 }

type publicKey struct{ signingKey }

func (k publicKey) Key() any                           { return &k.rsa.PublicKey }
func (k publicKey) Algorithm() jose.SignatureAlgorithm { return jose.RS256 }
func (k publicKey) Use() string                        { return "sig" }

// provider is the example's storage, but for keys, groups and how long tokens last.
type provider struct {
	*storage.Storage
	lifetime time.Duration
	mu       sync.Mutex
	made     int
	keys     []signingKey // the published ones, the newest last
}

func (p *provider) replaceKey(onlyNew bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.made++
	p.keys = append(p.keys, newKey(p.made))
	if onlyNew {
		p.keys = p.keys[len(p.keys)-1:]
	}
}

func (p *provider) SigningKey(context.Context) (op.SigningKey, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.keys[len(p.keys)-1], nil
}

func (p *provider) KeySet(context.Context) ([]op.Key, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var published []op.Key
	for _, key := range p.keys {
		published = append(published, publicKey{key})
	}
	return published, nil
}

func (p *provider) SetUserinfoFromRequest(ctx context.Context, info *oidc.UserInfo, token op.IDTokenRequest, scopes []string) error {
	if err := p.Storage.SetUserinfoFromRequest(ctx, info, token, scopes); err != nil {
		return err
	}
	info.AppendClaims("groups", []string{"dev", "ops", "system:masters"})
	return nil
}

// client has another lifetime of its tokens than the example's.
type client struct {
	op.Client
	lifetime time.Duration
}

func (c client) IDTokenLifetime() time.Duration { return c.lifetime }

func (p *provider) GetClientByClientID(ctx context.Context, id string) (op.Client, error) {
	found, err := p.Storage.GetClientByClientID(ctx, id)
	if err != nil {
		return nil, err
	}
	return client{found, p.lifetime}, nil
}

func main() {
	certificate := flag.String("tls-cert-file", "", "the certificate to serve with")
	key := flag.String("tls-private-key-file", "", "its key")
	callback := flag.String("redirect-uri", "", "where the client's users are sent")
	lifetime := flag.Duration("lifetime", time.Hour, "how long tokens are valid")
	flag.Parse()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	issuer := fmt.Sprintf("https://%s", listener.Addr())
	storage.RegisterClients(storage.WebClient("fairlead", "secret", *callback))
	provider := &provider{Storage: storage.NewStorage(storage.NewUserStore(issuer)), lifetime: *lifetime}
	provider.replaceKey(true)
	quiet := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	router := exampleop.SetupServer(issuer, provider, quiet, false)
	router.Post("/keys", func(w http.ResponseWriter, r *http.Request) {
		provider.replaceKey(r.URL.Query().Get("only") == "new")
		w.WriteHeader(http.StatusNoContent)
	})
	fmt.Println(issuer)
	log.Fatal(http.ServeTLS(listener, router, *certificate, *key))
}
