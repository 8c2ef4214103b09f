// Package e2e names Kubernetes' own end-to-end suite, so that this module pins its version and all that it needs.
package e2e

import _ "k8s.io/kubernetes/test/e2e"
