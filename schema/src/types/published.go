package main

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	extensionsopenapi "k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/validation/spec"
	kubernetesopenapi "k8s.io/kubernetes/pkg/generated/openapi"
)

// published are the schemas that servers publish, by the names of their types.
var published = definitions()

func definitions() map[string]common.OpenAPIDefinition {
	reference := func(name string) spec.Ref { return spec.MustCreateRef("#/definitions/" + name) }
	all := kubernetesopenapi.GetOpenAPIDefinitions(reference)
	for name, definition := range extensionsopenapi.GetOpenAPIDefinitions(reference) {
		all[name] = definition
	}
	return all
}

// publishedWords are what the table says of what clients are told of a field: whether it is required, its values, and a
// default that does not follow from its type.
func publishedWords(owner reflect.Type, f reflect.StructField, fieldName string, kept bool) string {
	model, ok := reflect.New(owner).Interface().(interface{ OpenAPIModelName() string })
	if !ok {
		return ""
	}
	schema := published[model.OpenAPIModelName()].Schema
	property, ok := schema.Properties[fieldName]
	if !ok {
		return ""
	}
	words := ""
	if slices.Contains(schema.Required, fieldName) {
		words += " !"
	}
	values := property.Enum
	if property.Items != nil {
		values = property.Items.Schema.Enum
	}
	if property.AdditionalProperties != nil {
		values = property.AdditionalProperties.Schema.Enum
	}
	if len(values) > 0 {
		words += " enum=" + joined(values)
	}
	if property.Default != nil && !(kept && reflect.ValueOf(property.Default).IsZero()) && f.Type.Kind() != reflect.Struct {
		value, _ := json.Marshal(property.Default)
		words += " default=" + string(value)
	}
	return words
}

func joined(values []any) string {
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = value.(string)
		if strings.ContainsAny(texts[i], ",_") {
			panic("a value that the table cannot hold: " + texts[i])
		}
	}
	return strings.ReplaceAll(strings.Join(texts, ","), " ", "_")
}
