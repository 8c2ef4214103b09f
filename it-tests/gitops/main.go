// Command gitops brings a cluster to one state after the other with Argo CD's engine: each file of manifests is what a
// repository holds at one time. The engine lists and watches every resource of the cluster, applies what differs server-side,
// and deletes what the file no longer has. What it says of each object is printed, sorted, a line each.
//
//	gitops KUBECONFIG NAMESPACE FILE...
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/argoproj/argo-cd/gitops-engine/pkg/cache"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/engine"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/sync"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/sync/common"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/utils/kube"
	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/clientcmd"
)

const (
	mark    = "gitops.example.com/managed"
	manager = "gitops"
	timeout = 60 * time.Second
)

func main() {
	if len(os.Args) < 4 {
		fail(fmt.Errorf("usage: gitops KUBECONFIG NAMESPACE FILE..."))
	}
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	fail(err)
	config.QPS, config.Burst = 200, 400
	live := cache.NewClusterCache(config,
		cache.SetLogr(logr.Discard()),
		cache.SetPopulateResourceInfoHandler(func(object *unstructured.Unstructured, _ bool) (any, bool) {
			managed := isMarked(object)
			return managed, managed
		}))
	gitops := engine.NewEngine(config, live, engine.WithLogr(logr.Discard()))
	stop, err := gitops.Run()
	fail(err)
	defer stop()
	for _, file := range os.Args[3:] {
		bring(gitops, os.Args[2], file)
	}
}

// bring syncs the cluster to the manifests of one file and prints what became of each object.
func bring(gitops engine.GitOpsEngine, namespace, file string) {
	text, err := os.ReadFile(file)
	fail(err)
	wanted, err := kube.SplitYAML(text)
	fail(err)
	for _, object := range wanted {
		annotations := object.GetAnnotations()
		if annotations == nil {
			annotations = map[string]string{}
		}
		annotations[mark] = "yes"
		object.SetAnnotations(annotations)
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	results, err := gitops.Sync(ctx, wanted, func(resource *cache.Resource) bool { return resource.Info == true }, file, namespace,
		sync.WithPrune(true),
		sync.WithServerSideApply(true),
		sync.WithServerSideApplyManager(manager))
	fmt.Printf("%s: %s\n", filepath.Base(file), outcome(err))
	lines := make([]string, 0, len(results))
	for _, result := range results {
		lines = append(lines, line(result))
	}
	slices.Sort(lines)
	for _, text := range lines {
		fmt.Println(text)
	}
}

func isMarked(object *unstructured.Unstructured) bool { return object.GetAnnotations()[mark] == "yes" }

func outcome(err error) string {
	if err != nil {
		return err.Error()
	}
	return "synced"
}

func line(result common.ResourceSyncResult) string {
	return fmt.Sprintf("%s %s %s %s: %s", result.ResourceKey, result.SyncPhase, result.Status, result.HookPhase, result.Message)
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}
