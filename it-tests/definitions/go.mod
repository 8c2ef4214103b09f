// Projects whose CustomResourceDefinitions are read; nothing of their code is built, so that `go mod tidy` would empty this.
module fairlead.io/it-tests/definitions

go 1.26.0

require (
	github.com/argoproj/argo-rollouts v1.8.3
	github.com/cert-manager/cert-manager v1.21.2
	github.com/crossplane/crossplane v1.20.0
	github.com/fluxcd/source-controller v1.7.0
	github.com/kedacore/keda/v2 v2.16.1
	github.com/prometheus-operator/prometheus-operator v0.85.0
	github.com/tektoncd/pipeline v1.6.0
	istio.io/api v1.31.1
	knative.dev/serving v0.51.0
	sigs.k8s.io/cluster-api v1.14.2
	sigs.k8s.io/cluster-api-provider-aws/v2 v2.13.0
	sigs.k8s.io/gateway-api v1.6.3
)
