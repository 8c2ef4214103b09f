package main

import (
	"context"
	"fmt"
	"os/signal"
	"syscall"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

// follow keeps a cache of ConfigMaps until SIGTERM and prints each call of its handler (ADDED, UPDATED, DELETED), each
// event of its watches (watched-ADDED, …) and at last what it holds (HELD), all with uid, resourceVersion and name.
//
// KUBE_FEATURE_WatchListClient in the environment says whether it begins with a streaming list; what such a list begins
// with is "initial", and its end the line "listed".
func follow(client *kubernetes.Clientset, namespace string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	configMaps := client.CoreV1().ConfigMaps(namespace)
	source := &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			return configMaps.List(ctx, options)
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			events, err := configMaps.Watch(ctx, options)
			if err != nil {
				return nil, err
			}
			return newToldWatch(events, options.SendInitialEvents != nil && *options.SendInitialEvents), nil
		},
	}
	informer := cache.NewSharedIndexInformer(
		cache.ToListWatcherWithWatchListSemantics(source, client), &corev1.ConfigMap{}, 0, cache.Indexers{})
	handled, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { tell("ADDED", object) },
		UpdateFunc: updated,
		DeleteFunc: deleted,
	})
	if err != nil {
		return err
	}
	informer.RunWithContext(ctx)
	for _, object := range informer.GetStore().List() {
		tell("HELD", object)
	}
	fmt.Println("synced", handled.HasSynced())
	return nil
}

// updated leaves out what is no change: a new list hands every object to the handlers again, "even though nothing
// changed" (cache.ResourceEventHandler).
func updated(before, object any) {
	if version(before) == version(object) {
		tell("UNCHANGED", object)
	} else {
		tell("UPDATED", object)
	}
}

func deleted(object any) {
	if unknown, missed := object.(cache.DeletedFinalStateUnknown); missed {
		object = unknown.Obj
	}
	tell("DELETED", object)
}

func version(object any) string {
	accessor, err := meta.Accessor(object)
	fail(err)
	return accessor.GetResourceVersion()
}

func tell(what string, object any) {
	accessor, err := meta.Accessor(object)
	fail(err)
	fmt.Println(what, accessor.GetUID(), accessor.GetResourceVersion(), accessor.GetName())
}

// toldWatch prints each event once the reflector has taken it.
type toldWatch struct {
	watch.Interface
	taken chan watch.Event
	done  chan struct{}
}

func newToldWatch(events watch.Interface, initial bool) *toldWatch {
	told := &toldWatch{Interface: events, taken: make(chan watch.Event), done: make(chan struct{})}
	go told.pass(initial)
	return told
}

func (w *toldWatch) ResultChan() <-chan watch.Event { return w.taken }

func (w *toldWatch) Stop() {
	select {
	case <-w.done:
	default:
		close(w.done)
	}
	w.Interface.Stop()
}

func (w *toldWatch) pass(initial bool) {
	defer close(w.taken)
	if initial {
		fmt.Println("lists")
	}
	for event := range w.Interface.ResultChan() {
		select {
		case w.taken <- event:
		case <-w.done:
			return
		}
		initial = w.tell(event, initial)
	}
	if initial {
		fmt.Println("cut")
	}
}

// tell prints an event and returns whether initial ones still follow.
func (w *toldWatch) tell(event watch.Event, initial bool) bool {
	switch event.Type {
	case watch.Added, watch.Modified, watch.Deleted:
		if initial {
			tell("initial", event.Object)
		} else {
			tell("watched-"+string(event.Type), event.Object)
		}
	case watch.Bookmark:
		accessor, err := meta.Accessor(event.Object)
		fail(err)
		if accessor.GetAnnotations()[metav1.InitialEventsAnnotationKey] == "true" {
			fmt.Println("listed")
			return false
		}
	}
	return initial
}
