// Command clients talks to a Kubernetes API as programs do that are built on client-go: with typed clients that speak
// protobuf, with shared informers, and with what the server says of its types. It prints one line for each thing it saw and exits 0 if all of it was right.
//
//	clients typed KUBECONFIG NAMESPACE
//	clients informer KUBECONFIG NAMESPACE
//	clients openapi KUBECONFIG NAMESPACE
//	clients follow KUBECONFIG NAMESPACE
//	clients elect KUBECONFIG NAMESPACE
//
// The last two go on until SIGTERM.
package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	openapi "github.com/google/gnostic-models/openapiv2"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/yaml"
)

const patience = 60 * time.Second

func main() {
	if len(os.Args) != 4 {
		fail(fmt.Errorf("usage: clients typed|informer|openapi|follow|elect KUBECONFIG NAMESPACE"))
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	client, err := connect(os.Args[2])
	fail(err)
	switch os.Args[1] {
	case "typed":
		fail(typed(ctx, client, os.Args[3]))
	case "informer":
		fail(informer(ctx, client, os.Args[3]))
	case "openapi":
		fail(openAPI(client))
	case "follow":
		fail(follow(client, os.Args[3]))
	case "elect":
		fail(elect(client, os.Args[3]))
	default:
		fail(fmt.Errorf("unknown command %q (expected typed, informer, openapi, follow or elect)", os.Args[1]))
	}
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// connect makes a client that sends and accepts nothing but protobuf.
func connect(kubeconfig string) (*kubernetes.Clientset, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	config.ContentType = "application/vnd.kubernetes.protobuf"
	config.AcceptContentTypes = "application/vnd.kubernetes.protobuf"
	config.UserAgent = "fairlead-it-tests"
	return kubernetes.NewForConfig(config)
}

// typed goes through the life of an object, and through the errors that programs branch on.
func typed(ctx context.Context, client *kubernetes.Clientset, namespace string) error {
	configMaps := client.CoreV1().ConfigMaps(namespace)
	events, err := configMaps.Watch(ctx, metav1.ListOptions{FieldSelector: "metadata.name=typed"})
	if err != nil {
		return err
	}
	defer events.Stop()

	created, err := configMaps.Create(ctx, &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: "typed"},
		Data:       map[string]string{"a": "1"},
		BinaryData: map[string][]byte{"b": {0, 255, 10}},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	fmt.Println("created", created.Name, created.Data, created.BinaryData)

	_, err = configMaps.Create(ctx, created, metav1.CreateOptions{})
	fmt.Println("creation with a resourceVersion:", err)
	second, err := configMaps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "typed-too"}}, metav1.CreateOptions{})
	if err != nil {
		return err
	}

	stale := created.DeepCopy()
	created.Data["a"] = "2"
	updated, err := configMaps.Update(ctx, created, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	fmt.Println("updated", updated.Data)

	_, err = configMaps.Update(ctx, stale, metav1.UpdateOptions{})
	fmt.Println("stale update is a conflict:", apierrors.IsConflict(err))

	patched, err := configMaps.Patch(ctx, "typed", types.StrategicMergePatchType, []byte(`{"data":{"c":"3"}}`), metav1.PatchOptions{})
	if err != nil {
		return err
	}
	fmt.Println("patched", patched.Data)

	list, err := configMaps.List(ctx, metav1.ListOptions{Limit: 1})
	if err != nil {
		return err
	}
	fmt.Println("first page", len(list.Items), list.Continue != "")
	if err := configMaps.Delete(ctx, second.Name, *metav1.NewPreconditionDeleteOptions(string(second.UID))); err != nil {
		return err
	}

	if err := configMaps.Delete(ctx, "typed", metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions("other")}); !apierrors.IsConflict(err) {
		return fmt.Errorf("deletion of another uid: %w", err)
	}
	if err := configMaps.Delete(ctx, "typed", metav1.DeleteOptions{}); err != nil {
		return err
	}
	_, err = configMaps.Get(ctx, "typed", metav1.GetOptions{})
	fmt.Println("after deletion it is not found:", apierrors.IsNotFound(err), err)

	for _, want := range []watch.EventType{watch.Added, watch.Modified, watch.Modified, watch.Deleted} {
		event, err := next(ctx, events)
		if err != nil {
			return err
		}
		if event.Type != want {
			return fmt.Errorf("event %s (expected %s)", event.Type, want)
		}
		fmt.Println("event", event.Type, event.Object.(*corev1.ConfigMap).Data)
	}
	return nil
}

// informer keeps a cache and says what changes in it.
func informer(ctx context.Context, client *kubernetes.Clientset, namespace string) error {
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(namespace))
	configMaps := factory.Core().V1().ConfigMaps()
	seen := make(chan string, 100)
	note := func(what string, object any) {
		if configMap, ok := object.(*corev1.ConfigMap); ok && configMap.Name == "informed" {
			seen <- fmt.Sprintln(what, configMap.Name, configMap.Data)
		}
	}
	if _, err := configMaps.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { note("added", object) },
		UpdateFunc: func(_, object any) { note("updated", object) },
		DeleteFunc: func(object any) { note("deleted", object) },
	}); err != nil {
		return err
	}
	factory.Start(ctx.Done())
	for kind, synced := range factory.WaitForCacheSync(ctx.Done()) {
		fmt.Println("synced", kind, synced)
	}

	writer := client.CoreV1().ConfigMaps(namespace)
	object, err := writer.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "informed"}}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if err := expect(ctx, seen); err != nil {
		return err
	}
	object.Data = map[string]string{"a": "1"}
	if _, err := writer.Update(ctx, object, metav1.UpdateOptions{}); err != nil {
		return err
	}
	if err := expect(ctx, seen); err != nil {
		return err
	}
	cached, err := configMaps.Lister().ConfigMaps(namespace).Get("informed")
	if err != nil {
		return err
	}
	fmt.Println("cached", cached.Data)
	if err := writer.Delete(ctx, "informed", metav1.DeleteOptions{}); err != nil {
		return err
	}
	return expect(ctx, seen)
}

// openAPI reads the document of OpenAPI v2, which client-go asks for in protobuf alone.
func openAPI(client *kubernetes.Clientset) error {
	document, err := client.Discovery().OpenAPISchema()
	if err != nil {
		return err
	}
	for _, definition := range document.Definitions.AdditionalProperties {
		if definition.Name == "io.k8s.api.core.v1.ServiceAccount" {
			for _, property := range definition.Value.Properties.AdditionalProperties {
				if property.Name == "secrets" {
					fmt.Println("secrets", property.Value.Type.Value, extensions(property.Value.VendorExtension))
				}
			}
			fmt.Println("definition", definition.Value.Type.Value, extensions(definition.Value.VendorExtension))
		}
	}
	for _, path := range document.Paths.Path {
		if path.Name == "/api/v1/namespaces/{namespace}/serviceaccounts/{name}" {
			patch := path.Value.Patch
			fmt.Println("patch", patch.OperationId, slices.Contains(patch.Consumes, "application/strategic-merge-patch+json"))
			fmt.Println("answer", patch.Responses.ResponseCode[0].Value.GetResponse().Schema.GetSchema().XRef)
		}
	}
	return nil
}

// extensions are those by which kubectl merges lists and finds kinds.
func extensions(all []*openapi.NamedAny) map[string]any {
	wanted := map[string]any{}
	for _, extension := range all {
		if strings.Contains(extension.Name, "patch") || strings.Contains(extension.Name, "kind") {
			var value any
			fail(yaml.Unmarshal([]byte(extension.Value.Yaml), &value))
			wanted[extension.Name] = value
		}
	}
	return wanted
}

func next(ctx context.Context, events watch.Interface) (watch.Event, error) {
	select {
	case event, open := <-events.ResultChan():
		if !open {
			return event, fmt.Errorf("the watch ended early")
		}
		return event, nil
	case <-ctx.Done():
		return watch.Event{}, fmt.Errorf("no event: %w", ctx.Err())
	}
}

func expect(ctx context.Context, seen <-chan string) error {
	select {
	case line := <-seen:
		fmt.Print(line)
		return nil
	case <-ctx.Done():
		return fmt.Errorf("the informer saw nothing: %w", ctx.Err())
	}
}
