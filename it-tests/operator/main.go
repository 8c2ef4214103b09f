// Command operator is an operator as people write them with controller-runtime: for each Buoy it keeps a ConfigMap and a status,
// and when a Buoy is deleted it takes the ConfigMap away before it gives the Buoy free. It runs until SIGTERM and prints
// what it did.
//
//	operator KUBECONFIG NAMESPACE
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const finalizer = "operator.example.com/mooring"

var buoyKind = schema.GroupVersionKind{Group: "operator.example.com", Version: "v1", Kind: "Buoy"}

func main() {
	if len(os.Args) != 3 {
		fail(fmt.Errorf("usage: operator KUBECONFIG NAMESPACE"))
	}
	ctrl.SetLogger(logr.Discard())
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	fail(err)
	config.UserAgent = "operator"
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Cache:   cache.Options{DefaultNamespaces: map[string]cache.Config{os.Args[2]: {}}},
		Metrics: server.Options{BindAddress: "0"},
	})
	fail(err)
	fail(ctrl.NewControllerManagedBy(manager).
		For(newBuoy()).
		Owns(&corev1.ConfigMap{}).
		Complete(&operator{manager.GetClient()}))
	fail(manager.Start(ctrl.SetupSignalHandler()))
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func newBuoy() *unstructured.Unstructured {
	buoy := &unstructured.Unstructured{}
	buoy.SetGroupVersionKind(buoyKind)
	return buoy
}

type operator struct {
	client.Client
}

// Reconcile brings the ConfigMap and the status of one Buoy in line with its spec.
func (o *operator) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	buoy := newBuoy()
	if err := o.Get(ctx, request.NamespacedName, buoy); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !buoy.GetDeletionTimestamp().IsZero() {
		return ctrl.Result{}, o.release(ctx, buoy)
	}
	if controllerutil.AddFinalizer(buoy, finalizer) {
		return ctrl.Result{}, o.Update(ctx, buoy)
	}
	depth, _, err := unstructured.NestedInt64(buoy.Object, "spec", "depth")
	if err != nil {
		return ctrl.Result{}, err
	}
	if err := o.moor(ctx, buoy, depth); err != nil {
		return ctrl.Result{}, err
	}
	if moored, found, _ := unstructured.NestedInt64(buoy.Object, "status", "moored"); found && moored == depth {
		return ctrl.Result{}, nil
	}
	before := buoy.DeepCopy()
	if err := unstructured.SetNestedField(buoy.Object, depth, "status", "moored"); err != nil {
		return ctrl.Result{}, err
	}
	fmt.Println("moors", buoy.GetName(), depth)
	return ctrl.Result{}, o.Status().Patch(ctx, buoy, client.MergeFrom(before))
}

// moor creates or updates the ConfigMap of a Buoy, which owns it.
func (o *operator) moor(ctx context.Context, buoy *unstructured.Unstructured, depth int64) error {
	mooring := mooringOf(buoy)
	_, err := controllerutil.CreateOrUpdate(ctx, o.Client, mooring, func() error {
		mooring.Data = map[string]string{"depth": strconv.FormatInt(depth, 10)}
		return controllerutil.SetControllerReference(buoy, mooring, o.Scheme())
	})
	return err
}

// release takes the ConfigMap away and then the finalizer.
func (o *operator) release(ctx context.Context, buoy *unstructured.Unstructured) error {
	if err := o.Delete(ctx, mooringOf(buoy)); err != nil && !apierrors.IsNotFound(err) {
		return err
	}
	if !controllerutil.RemoveFinalizer(buoy, finalizer) {
		return nil
	}
	fmt.Println("releases", buoy.GetName())
	return client.IgnoreNotFound(o.Update(ctx, buoy))
}

func mooringOf(buoy *unstructured.Unstructured) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
		Name:      "mooring-" + buoy.GetName(),
		Namespace: buoy.GetNamespace(),
	}}
}
