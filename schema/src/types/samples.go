package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand"
	"reflect"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/util/intstr"
)

const samplesOfEachKind = 3

var words = []string{"a", "kube-root-ca.crt", "Täglich <&> \"x\"", "日本\n\t", "true", "12", "🚢", "spec.x/y"}

// sample is one object, as Go writes it.
type sample struct {
	JSON     json.RawMessage `json:"json"`
	Protobuf string          `json:"protobuf"`
}

type filler struct{ random *rand.Rand }

func samples() {
	all := []sample{}
	random := filler{rand.New(rand.NewSource(1))}
	for _, group := range kinds {
		version, err := schema.ParseGroupVersion(group.apiVersion)
		check(err)
		for _, object := range group.objects {
			kind := version.WithKind(reflect.TypeOf(object).Name())
			for range samplesOfEachKind {
				all = append(all, write(random.object(reflect.TypeOf(object)), kind))
			}
		}
	}
	lines := make([]string, len(all))
	for i, one := range all {
		line, err := json.Marshal(one)
		check(err)
		lines[i] = string(line)
	}
	fmt.Println("[\n" + strings.Join(lines, ",\n") + "\n]")
}

func write(object runtime.Object, kind schema.GroupVersionKind) sample {
	object.GetObjectKind().SetGroupVersionKind(kind)
	text, err := json.Marshal(object)
	check(err)
	var wire strings.Builder
	check(protobuf.NewSerializer(nil, nil).Encode(object, &wire))
	return sample{text, base64.StdEncoding.EncodeToString([]byte(wire.String()))}
}

func (f filler) object(t reflect.Type) runtime.Object {
	value := reflect.New(t)
	f.fill(value.Elem(), 0)
	return value.Interface().(runtime.Object)
}

// fill sets about two thirds of the fields; lists and maps are never empty, which protobuf cannot tell from absent.
func (f filler) fill(v reflect.Value, depth int) {
	if f.leaf(v, depth) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if depth < 12 {
			v.Set(reflect.New(v.Type().Elem()))
			f.fill(v.Elem(), depth+1)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte(f.word()))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1+f.random.Intn(2), 2))
		for i := range v.Len() {
			f.fill(v.Index(i), depth+1)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range 1 + f.random.Intn(3) {
			key, element := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			key.SetString(f.word())
			f.fill(element, depth+1)
			v.SetMapIndex(key, element)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Type != typeMeta && !(depth > 8 && nested(v.Type().Field(i).Type)) && f.random.Intn(3) > 0 {
				f.fill(v.Field(i), depth+1)
			}
		}
	case reflect.String:
		v.SetString(f.word())
	case reflect.Bool:
		v.SetBool(f.random.Intn(2) == 0)
	case reflect.Int32:
		v.SetInt(int64(int32(f.random.Uint32())) >> f.random.Intn(32))
	case reflect.Int64:
		v.SetInt(int64(f.random.Uint64()) >> f.random.Intn(64))
	case reflect.Float64:
		v.SetFloat(f.random.NormFloat64())
	default:
		panic("type " + v.Type().String() + " is of no known form")
	}
}

// nested says whether a type may hold others, so that filling it has no end of itself.
func nested(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer:
		return nested(t.Elem())
	case reflect.Slice, reflect.Map, reflect.Struct:
		return true
	}
	return false
}

// leaf fills what writes itself.
func (f filler) leaf(v reflect.Value, depth int) bool {
	switch leaf := v.Addr().Interface().(type) {
	case *metav1.Time:
		leaf.Time = time.Unix(f.random.Int63n(4e9), 0).UTC()
	case *metav1.MicroTime:
		leaf.Time = time.UnixMicro(f.random.Int63n(4e15)).UTC()
	case *resource.Quantity:
		*leaf = resource.MustParse([]string{"0", "1500m", "2Gi", "12", "3k"}[f.random.Intn(5)])
	case *intstr.IntOrString:
		*leaf = intstr.FromString("http")
		if f.random.Intn(2) == 0 {
			*leaf = intstr.FromInt32(int32(f.random.Intn(70000)))
		}
	case *metav1.FieldsV1:
		leaf.SetRawBytes([]byte(`{"f:data":{".":{},"f:a":{}}}`))
	case *runtime.RawExtension:
		leaf.Raw = []byte(`{"kind":"Any","n":1.5}`)
	case *apiextensionsv1.JSON:
		leaf.Raw = []byte([]string{`{"a":[1,null]}`, `"x"`, `0`, `false`}[f.random.Intn(4)])
	case *apiextensionsv1.JSONSchemaPropsOrBool:
		leaf.Allows = f.random.Intn(2) == 0
		if f.random.Intn(2) == 0 {
			leaf.Allows = true
			leaf.Schema = &apiextensionsv1.JSONSchemaProps{Type: f.word()}
		}
	case *apiextensionsv1.JSONSchemaPropsOrArray:
		leaf.Schema = &apiextensionsv1.JSONSchemaProps{}
		f.fill(reflect.ValueOf(leaf.Schema).Elem(), depth+3)
		if f.random.Intn(2) == 0 {
			leaf.JSONSchemas, leaf.Schema = []apiextensionsv1.JSONSchemaProps{*leaf.Schema}, nil
		}
	case *apiextensionsv1.JSONSchemaPropsOrStringArray:
		leaf.Property = []string{f.word(), f.word()}
		if f.random.Intn(2) == 0 {
			leaf.Property, leaf.Schema = nil, &apiextensionsv1.JSONSchemaProps{Title: f.word()}
		}
	default:
		return false
	}
	return true
}

func (f filler) word() string { return words[f.random.Intn(len(words))] }

func check(err error) {
	if err != nil {
		panic(err)
	}
}
