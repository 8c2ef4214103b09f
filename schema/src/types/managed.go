package main

import (
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	extensionsopenapi "k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/kube-openapi/pkg/schemaconv"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/schema"
)

// managedType is how server-side apply treats a struct: whether as a whole, and what the table says of its fields.
type managedType struct {
	atomic bool
	fields map[string]string
}

type walker struct {
	schema *schema.Schema
	found  map[reflect.Type]managedType
	// embedded are types as parts of others, which have no schemas of their own there.
	embedded map[reflect.Type]managedType
}

// managedTypes reads the schemas that server-side apply uses: those of client-go and of the API extensions server.
func managedTypes() map[reflect.Type]managedType {
	found := map[reflect.Type]managedType{}
	embedded := map[reflect.Type]managedType{}
	converter := applyconfigurations.NewTypeConverter(scheme.Scheme)
	for _, group := range slices.Concat(kinds, otherKinds) {
		for _, object := range group.objects {
			pointer := reflect.New(reflect.TypeOf(object))
			instance, ok := pointer.Interface().(runtime.Object)
			if !ok || !strings.HasPrefix(pointer.Elem().Type().PkgPath(), "k8s.io/api/") {
				continue
			}
			gvks, _, err := scheme.Scheme.ObjectKinds(instance)
			if err != nil {
				continue
			}
			instance.GetObjectKind().SetGroupVersionKind(gvks[0])
			typed, err := converter.ObjectToTyped(instance)
			if err != nil {
				continue // lists and reviews have no schema: they are not applied
			}
			w := walker{typed.Schema(), found, embedded}
			w.walk(pointer.Elem().Type(), typed.TypeRef())
		}
	}
	extensions := extensionsSchema()
	w := walker{extensions, found, embedded}
	name := apiextensionsv1.CustomResourceDefinition{}.OpenAPIModelName()
	w.walk(reflect.TypeFor[apiextensionsv1.CustomResourceDefinition](), schema.TypeRef{NamedType: &name})
	if len(found[reflect.TypeFor[corev1.ServicePort]()].fields) == 0 || len(found) < 40 {
		panic("the schemas of server-side apply were not found")
	}
	for t, one := range embedded {
		if _, known := found[t]; !known {
			found[t] = one
		}
	}
	return found
}

func extensionsSchema() *schema.Schema {
	models := map[string]*spec.Schema{}
	definitions := extensionsopenapi.GetOpenAPIDefinitions(func(name string) spec.Ref {
		return spec.MustCreateRef("#/definitions/" + name)
	})
	for name, definition := range definitions {
		model := definition.Schema
		models[name] = &model
	}
	extensions, err := schemaconv.ToSchemaFromOpenAPI(models, false)
	if err != nil {
		panic(err)
	}
	return extensions
}

func (w walker) walk(t reflect.Type, ref schema.TypeRef) {
	atom, ok := w.schema.Resolve(ref)
	if !ok {
		panic("no schema of " + t.String())
	}
	switch t.Kind() {
	case reflect.Pointer:
		w.walk(t.Elem(), ref)
	case reflect.Slice:
		if atom.List != nil {
			w.walk(t.Elem(), atom.List.ElementType)
		}
	case reflect.Map:
		if atom.Map != nil {
			w.walk(t.Elem(), atom.Map.ElementType)
		}
	case reflect.Struct:
		if _, known := w.found[t]; known || leaves[t] != "" || atom.Map == nil {
			return
		}
		named := atom
		if ref.NamedType != nil {
			named, _ = w.schema.Resolve(schema.TypeRef{NamedType: ref.NamedType})
		}
		found := managedType{named.Map.ElementRelationship == schema.Atomic, map[string]string{}}
		w.found[t] = found
		w.members(t, atom.Map, found)
	}
}

func (w walker) members(t reflect.Type, declaring *schema.Map, found managedType) {
	for i := range t.NumField() {
		field := t.Field(i)
		name := strings.Split(field.Tag.Get("json"), ",")[0]
		if field.Anonymous && name == "" {
			part := managedType{false, map[string]string{}}
			w.embedded[field.Type] = part
			w.members(field.Type, declaring, part)
		} else if declared, ok := declaring.FindField(name); ok && name != "" {
			found.fields[name] = w.words(declared)
			w.walk(field.Type, declared.Type)
		}
	}
}

// words are what the table says of a field.
func (w walker) words(field schema.StructField) string {
	words := ""
	atom, _ := w.schema.Resolve(field.Type)
	if atom.List != nil && atom.List.ElementRelationship == schema.Associative {
		words += " list=set"
		if len(atom.List.Keys) > 0 {
			words = " list=map:" + strings.Join(atom.List.Keys, ",")
		}
	}
	inlineOrOverridden := field.Type.NamedType == nil || field.Type.ElementRelationship != nil
	if atom.Map != nil && atom.Map.ElementRelationship == schema.Atomic && inlineOrOverridden {
		words += " atomic"
	}
	if atom.Map != nil && field.Type.NamedType != nil && atom.Map.ElementRelationship != schema.Atomic {
		if whole, _ := w.schema.Resolve(schema.TypeRef{NamedType: field.Type.NamedType}); whole.Map.ElementRelationship == schema.Atomic {
			words += " granular"
		}
	}
	return words
}
