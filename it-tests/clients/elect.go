package main

import (
	"context"
	"fmt"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// elect lets two candidates want one Lease, with the times that Kubernetes' own controllers use, and prints "leads NAME"
// and "ends NAME" as each begins and ends to lead. On SIGTERM the leader gives the Lease back, and the other must take it.
func elect(client *kubernetes.Clientset, namespace string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	leader.Store("")
	leaderelection.SetProvider(leaderships{})
	one, err := newCandidate(client, namespace, "one")
	if err != nil {
		return err
	}
	two, err := newCandidate(client, namespace, "two")
	if err != nil {
		return err
	}
	go one.run()
	go two.run()
	<-ctx.Done()

	if err := within(func() bool { return leader.Load() != "" }); err != nil {
		return err
	}
	first, second := one, two
	if leader.Load() == two.name {
		first, second = two, one
	}
	first.quit()
	if err := within(func() bool { return leader.Load() == second.name }); err != nil {
		return fmt.Errorf("%s does not follow %s: %w", second.name, first.name, err)
	}
	second.quit()
	return nil
}

// candidate wants the Lease until it quits.
type candidate struct {
	name     string
	elector  *leaderelection.LeaderElector
	ctx      context.Context
	cancel   context.CancelFunc
	finished sync.WaitGroup
}

func newCandidate(client *kubernetes.Clientset, namespace, name string) (*candidate, error) {
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Name: name,
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Name: "elected", Namespace: namespace},
			Client:     client.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: name},
		},
		LeaseDuration:   15 * time.Second,
		RenewDeadline:   10 * time.Second,
		RetryPeriod:     2 * time.Second,
		ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) {},
			OnStoppedLeading: func() {},
		},
	})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	c := &candidate{name: name, elector: elector, ctx: ctx, cancel: cancel}
	c.finished.Add(1)
	return c, nil
}

// run wants the Lease again each time it is lost.
func (c *candidate) run() {
	defer c.finished.Done()
	for c.ctx.Err() == nil {
		c.elector.Run(c.ctx)
	}
}

// quit gives the Lease back. Whether an elector tells its metrics of this end is a matter of chance.
func (c *candidate) quit() {
	leaderships{}.Off(c.name)
	c.cancel()
	c.finished.Wait()
}

// leader is who leads now; empty for nobody.
var leader atomic.Value

// leaderships are told in step with the election, before a Lease is given back; the callbacks are told later.
type leaderships struct{}

func (leaderships) NewLeaderMetric() leaderelection.LeaderMetric { return leaderships{} }

func (leaderships) On(name string) {
	fmt.Println("leads", name)
	leader.Store(name)
}

// Off is called for those that do not lead as well.
func (leaderships) Off(name string) {
	if leader.CompareAndSwap(name, "") {
		fmt.Println("ends", name)
	}
}

func (leaderships) SlowpathExercised(string) {}

func within(condition func() bool) error {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if condition() {
			return nil
		}
	}
	return fmt.Errorf("not after %s", patience)
}
