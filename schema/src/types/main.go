// Writes down what the schema module has to know of Kubernetes' API types, read off the Go types themselves:
//
//	go run . table        > ../main/resources/io/fairlead/schema/typed/api-types.txt
//	go run . other-table  > ../main/resources/io/fairlead/schema/typed/other-api-types.txt
//	go run . samples      > ../test/resources/io/fairlead/schema/protobuf/samples.json
//	go run . times        > ../test/resources/io/fairlead/schema/typed/times.jsonl
//
// The table holds names, numbers, values and merge keys alone, no prose. The samples are random objects in JSON and protobuf as
// Go writes them; the same program writes the same samples. The times are texts with what Go makes of them.
package main

import (
	"bufio"
	"fmt"
	"os"
	"reflect"
	"sort"
	"strings"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	eventsv1 "k8s.io/api/events/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

type kindsOfVersion struct {
	apiVersion string
	objects    []any
}

// kinds are the objects that clients of every server send and receive, by their apiVersion.
var kinds = []kindsOfVersion{
	{"v1", []any{
		corev1.Namespace{}, corev1.NamespaceList{}, corev1.ConfigMap{}, corev1.ConfigMapList{}, corev1.Secret{},
		corev1.SecretList{}, corev1.ServiceAccount{}, corev1.ServiceAccountList{}, corev1.Event{}, corev1.EventList{},
		corev1.ResourceQuota{}, corev1.ResourceQuotaList{}, corev1.LimitRange{}, corev1.LimitRangeList{},
		corev1.Service{}, corev1.ServiceList{}, corev1.Endpoints{}, corev1.EndpointsList{},
		metav1.Status{}, metav1.DeleteOptions{},
	}},
	{"meta.k8s.io/v1", []any{metav1.PartialObjectMetadata{}, metav1.PartialObjectMetadataList{}}},
	{"authentication.k8s.io/v1", []any{
		authenticationv1.SelfSubjectReview{}, authenticationv1.TokenRequest{}, authenticationv1.TokenReview{},
	}},
	{"authorization.k8s.io/v1", []any{
		authorizationv1.LocalSubjectAccessReview{}, authorizationv1.SelfSubjectAccessReview{},
		authorizationv1.SelfSubjectRulesReview{}, authorizationv1.SubjectAccessReview{},
	}},
	{"autoscaling/v1", []any{autoscalingv1.Scale{}}},
	{"coordination.k8s.io/v1", []any{coordinationv1.Lease{}, coordinationv1.LeaseList{}}},
	{"discovery.k8s.io/v1", []any{discoveryv1.EndpointSlice{}, discoveryv1.EndpointSliceList{}}},
	{"events.k8s.io/v1", []any{eventsv1.Event{}, eventsv1.EventList{}}},
	{"rbac.authorization.k8s.io/v1", []any{
		rbacv1.Role{}, rbacv1.RoleList{}, rbacv1.RoleBinding{}, rbacv1.RoleBindingList{}, rbacv1.ClusterRole{},
		rbacv1.ClusterRoleList{}, rbacv1.ClusterRoleBinding{}, rbacv1.ClusterRoleBindingList{},
	}},
	{"apiextensions.k8s.io/v1", []any{
		apiextensionsv1.CustomResourceDefinition{}, apiextensionsv1.CustomResourceDefinitionList{},
	}},
}

// leaves are the types whose JSON is not that of their Go fields.
var leaves = map[reflect.Type]string{
	reflect.TypeFor[metav1.Time]():                                  "time",
	reflect.TypeFor[metav1.MicroTime]():                             "microTime",
	reflect.TypeFor[metav1.FieldsV1]():                              "raw",
	reflect.TypeFor[runtime.RawExtension]():                         "raw",
	reflect.TypeFor[resource.Quantity]():                            "quantity",
	reflect.TypeFor[intstr.IntOrString]():                           "intOrString",
	reflect.TypeFor[apiextensionsv1.JSON]():                         "raw",
	reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrBool]():        "schemaOrBool",
	reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrArray]():       "schemaOrSchemas",
	reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrStringArray](): "schemaOrStrings",
}

var typeMeta = reflect.TypeFor[metav1.TypeMeta]()

func main() {
	if len(os.Args) == 2 && os.Args[1] == "table" {
		table(typesOf(kinds))
	} else if len(os.Args) == 2 && os.Args[1] == "other-table" {
		others := typesOf(otherKinds)
		for _, object := range annotated {
			reach(others, reflect.TypeOf(object))
		}
		for known := range typesOf(kinds) {
			delete(others, known)
		}
		table(others)
	} else if len(os.Args) == 2 && os.Args[1] == "samples" {
		samples()
	} else if len(os.Args) == 2 && os.Args[1] == "times" {
		times()
	} else {
		fmt.Fprintln(os.Stderr, "expected one argument: table, other-table, samples or times")
		os.Exit(64)
	}
}

func table(types map[reflect.Type]string) {
	managed := managedTypes()
	sorted := make([]reflect.Type, 0, len(types))
	for t := range types {
		sorted = append(sorted, t)
	}
	sort.Slice(sorted, func(i, j int) bool { return name(sorted[i]) < name(sorted[j]) })
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	fmt.Fprintln(out, "# Generated by schema/src/types from the Go types of Kubernetes 1.36. A type, as which kind it is sent, and its fields")
	fmt.Fprintln(out, "# in their order: name, number in protobuf, type (* pointer, [] list, {} map, <name in Go>), + if written when empty,")
	fmt.Fprintln(out, "# patch= strategies and key= the merge key of strategic merge patches; how fields are managed: list= set or map:<keys>,")
	fmt.Fprintln(out, "# atomic (of a type: wherever it occurs), granular (though its type is atomic); what is published of them: ! if required, enum= the values (_ for a space), default= what it is")
	fmt.Fprintln(out, "# when left out unless that is the zero of a field with +. A field \".\" is a message of its own in protobuf alone: in JSON its")
	fmt.Fprintln(out, "# fields are those of the type itself.")
	for _, t := range sorted {
		atomic := ""
		if managed[t].atomic {
			atomic = " atomic"
		}
		fmt.Fprintln(out, name(t)+atomic+types[t])
		for i := range t.NumField() {
			field(out, t, t.Field(i), managed[t])
		}
	}
}

// reach collects the structs below a type.
func reach(types map[reflect.Type]string, t reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		reach(types, t.Elem())
	case reflect.Struct:
		if _, known := types[t]; known || leaves[t] != "" || t == typeMeta {
			return
		}
		types[t] = ""
		for i := range t.NumField() {
			reach(types, t.Field(i).Type)
		}
	}
}

func field(out *bufio.Writer, t reflect.Type, f reflect.StructField, owner managedType) {
	if f.Type == typeMeta {
		fmt.Fprintln(out, " kind 0 string")
		fmt.Fprintln(out, " apiVersion 0 string")
		return
	}
	json := strings.Split(f.Tag.Get("json"), ",")
	protobuf := strings.Split(f.Tag.Get("protobuf"), ",")
	embedded := f.Anonymous && json[0] == ""
	if json[0] == "" && !embedded || len(protobuf) < 2 {
		panic("field " + f.Name + " has no name in JSON or no number in protobuf")
	}
	fieldName := json[0]
	if embedded {
		fieldName = "."
	}
	line := " " + fieldName + " " + protobuf[1] + " " + expression(f.Type)
	options := strings.Join(json[1:], ",")
	structure := f.Type.Kind() == reflect.Struct
	kept := !embedded && !strings.Contains(options, "omitzero") && (structure || !strings.Contains(options, "omitempty"))
	if kept {
		line += " +"
	}
	if strategy := f.Tag.Get("patchStrategy"); strategy != "" {
		line += " patch=" + strategy
	}
	if key := f.Tag.Get("patchMergeKey"); key != "" {
		line += " key=" + key
	}
	line += owner.fields[json[0]]
	if !embedded {
		line += publishedWords(t, f, fieldName, kept && f.Type.Kind() != reflect.Pointer)
	}
	fmt.Fprintln(out, line)
}

func expression(t reflect.Type) string {
	if leaf := leaves[t]; leaf != "" {
		return named(t, leaf)
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + expression(t.Elem())
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "bytes"
		}
		return named(t, "[]"+expression(t.Elem()))
	case reflect.Map:
		return named(t, "{}"+expression(t.Elem()))
	case reflect.Struct:
		return name(t)
	case reflect.Bool, reflect.String, reflect.Int32, reflect.Int64, reflect.Float64:
		return named(t, t.Kind().String())
	default:
		panic("type " + t.String() + " is of no known form")
	}
}

// named says what Go calls a type that has a name of its own.
func named(t reflect.Type, expression string) string {
	if t.Name() == "" || t.Name() == t.Kind().String() {
		return expression
	}
	return "<" + t.String() + ">" + expression
}

func name(t reflect.Type) string {
	path := t.PkgPath()
	for _, prefix := range []string{
		"k8s.io/api/", "k8s.io/apimachinery/pkg/apis/", "k8s.io/apiextensions-apiserver/pkg/apis/",
		"k8s.io/kube-aggregator/pkg/apis/",
	} {
		path = strings.TrimPrefix(path, prefix)
	}
	return path + "." + t.Name()
}
