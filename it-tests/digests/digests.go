// Prints the digests of the CustomResourceDefinitions on standard input as JSON: docs/digests.md in another language, by
// nothing else than its words.
package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"os"
	"sort"
	"strings"
	"unicode/utf16"

	"go.yaml.in/yaml/v3"
)

// A value is nil, bool, number, string, []any or map[string]any.
type number string

type version struct {
	Name   string `json:"name"`
	Schema string `json:"schema"`
}

type definition struct {
	Group    string    `json:"group"`
	Kind     string    `json:"kind"`
	API      string    `json:"api"`
	Full     string    `json:"full"`
	Versions []version `json:"versions"`
}

func main() {
	definitions := []definition{}
	decoder := yaml.NewDecoder(os.Stdin)
	for {
		var node yaml.Node
		err := decoder.Decode(&node)
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		definitions = append(definitions, digests(value(&node))...)
	}
	if err := json.NewEncoder(os.Stdout).Encode(definitions); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// digests looks into lists, and passes over whatever else is no definition.
func digests(document any) []definition {
	object, _ := document.(map[string]any)
	if items, ok := object["items"].([]any); ok {
		definitions := []definition{}
		for _, item := range items {
			definitions = append(definitions, digests(item)...)
		}
		return definitions
	}
	if object["kind"] != "CustomResourceDefinition" {
		return nil
	}
	spec := object["spec"].(map[string]any)
	made := definition{
		Group: spec["group"].(string),
		Kind:  spec["names"].(map[string]any)["kind"].(string),
		API:   digest("api", api(spec)),
		Full:  digest("full", full(spec)),
	}
	for _, each := range list(spec["versions"]) {
		given := each.(map[string]any)
		made.Versions = append(made.Versions, version{given["name"].(string), schemaDigest(given)})
	}
	return []definition{made}
}

func value(node *yaml.Node) any {
	switch node.Kind {
	case yaml.DocumentNode:
		return value(node.Content[0])
	case yaml.AliasNode:
		return value(node.Alias)
	case yaml.SequenceNode:
		list := []any{}
		for _, element := range node.Content {
			list = append(list, value(element))
		}
		return list
	case yaml.MappingNode:
		object := map[string]any{}
		for i := 0; i < len(node.Content); i += 2 {
			object[node.Content[i].Value] = value(node.Content[i+1])
		}
		return object
	case yaml.ScalarNode:
		return scalar(node)
	}
	return nil
}

func scalar(node *yaml.Node) any {
	switch node.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		return strings.EqualFold(node.Value, "true")
	case "!!int", "!!float":
		rational, ok := new(big.Rat).SetString(node.Value)
		if !ok {
			panic("number " + node.Value)
		}
		return number(decimal(rational))
	}
	// YAML 1.1 has more booleans.
	if node.Style == 0 {
		switch strings.ToLower(node.Value) {
		case "yes", "on":
			return true
		case "no", "off":
			return false
		}
	}
	return node.Value
}

// decimal writes an exact decimal as an integer and a power of ten.
func decimal(rational *big.Rat) string {
	if rational.Sign() == 0 {
		return "0"
	}
	ten, exponent := big.NewInt(10), 0
	mantissa := new(big.Rat).Set(rational)
	for !mantissa.IsInt() {
		mantissa.Mul(mantissa, new(big.Rat).SetInt(ten))
		exponent--
	}
	integer, rest := new(big.Int).Set(mantissa.Num()), new(big.Int)
	for {
		quotient, _ := new(big.Int).QuoRem(integer, ten, rest)
		if rest.Sign() != 0 {
			break
		}
		integer, exponent = quotient, exponent+1
	}
	if exponent == 0 {
		return integer.String()
	}
	return fmt.Sprintf("%se%d", integer, exponent)
}

func digest(sort string, form any) string {
	return fmt.Sprintf("v1:sha256:%x", sha256.Sum256([]byte("fairlead "+sort+" v1\n"+text(form))))
}

func text(form any) string {
	switch form := form.(type) {
	case nil:
		return "null"
	case bool:
		return fmt.Sprint(form)
	case number:
		return string(form)
	case string:
		return quoted(form)
	case []any:
		texts := []string{}
		for _, element := range form {
			texts = append(texts, text(element))
		}
		return "[" + strings.Join(texts, ",") + "]"
	case map[string]any:
		keys := []string{}
		for key := range form {
			keys = append(keys, key)
		}
		sort.Slice(keys, func(i, j int) bool { return before(keys[i], keys[j]) })
		texts := []string{}
		for _, key := range keys {
			texts = append(texts, quoted(key)+":"+text(form[key]))
		}
		return "{" + strings.Join(texts, ",") + "}"
	}
	panic(fmt.Sprintf("%T", form))
}

func before(a, b string) bool {
	left, right := utf16.Encode([]rune(a)), utf16.Encode([]rune(b))
	for i := 0; i < len(left) && i < len(right); i++ {
		if left[i] != right[i] {
			return left[i] < right[i]
		}
	}
	return len(left) < len(right)
}

func quoted(s string) string {
	escapes := map[rune]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\t': `\t`, '\n': `\n`, '\f': `\f`, '\r': `\r`}
	var quoted strings.Builder
	quoted.WriteByte('"')
	for _, r := range s {
		if escape, ok := escapes[r]; ok {
			quoted.WriteString(escape)
		} else if r < ' ' {
			fmt.Fprintf(&quoted, `\u%04x`, r)
		} else {
			quoted.WriteRune(r)
		}
	}
	quoted.WriteByte('"')
	return quoted.String()
}

func silent(v any) bool {
	l, isList := v.([]any)
	return v == nil || v == false || v == number("0") || v == "" || isList && len(l) == 0
}

func withoutSilence(v any) any {
	switch v := v.(type) {
	case map[string]any:
		copy := map[string]any{}
		for key, member := range v {
			if member = withoutSilence(member); !silent(member) {
				copy[key] = member
			}
		}
		return copy
	case []any:
		copy := []any{}
		for _, element := range v {
			copy = append(copy, withoutSilence(element))
		}
		return copy
	}
	return v
}

func list(v any) []any { l, _ := v.([]any); return l }

func sorted(elements []any) []any {
	copy := append([]any{}, elements...)
	sort.SliceStable(copy, func(i, j int) bool { return before(text(copy[i]), text(copy[j])) })
	return copy
}

func schemaDigest(version map[string]any) string { return digest("schema", schemaOf(version, false)) }

func schemaOf(version map[string]any, words bool) any {
	if schema, ok := version["schema"].(map[string]any); ok && schema["openAPIV3Schema"] != nil {
		return schemaForm(schema["openAPIV3Schema"].(map[string]any), words)
	}
	return nil
}

func schemaForm(schema map[string]any, words bool) map[string]any {
	form := map[string]any{}
	for keyword, v := range schema {
		if v == nil {
			continue
		}
		switch keyword {
		case "description", "title", "example", "externalDocs":
			if !words || silent(v) {
				continue
			}
		case "x-kubernetes-list-type":
			if v == "atomic" {
				continue
			}
		case "x-kubernetes-map-type":
			if v == "granular" {
				continue
			}
		case "required", "enum":
			v = sorted(list(v))
		case "items", "not":
			v = schemaForm(v.(map[string]any), words)
		case "additionalProperties":
			if schema, ok := v.(map[string]any); ok {
				v = schemaForm(schema, words)
			}
		case "allOf", "anyOf", "oneOf":
			forms := []any{}
			for _, each := range list(v) {
				forms = append(forms, schemaForm(each.(map[string]any), words))
			}
			v = sorted(forms)
		case "properties":
			forms := map[string]any{}
			for name, property := range v.(map[string]any) {
				forms[name] = schemaForm(property.(map[string]any), words)
			}
			if len(forms) == 0 {
				continue
			}
			v = forms
		case "x-kubernetes-validations":
			rules := []any{}
			for _, each := range list(v) {
				rule := map[string]any{}
				for name, field := range each.(map[string]any) {
					isMeaning := name == "rule" || name == "optionalOldSelf"
					if !silent(field) && (isMeaning || words) {
						rule[name] = field
					}
				}
				rules = append(rules, rule)
			}
			v = sorted(rules)
		}
		_, isFlag := v.(bool)
		kept := keyword == "default" || keyword == "additionalProperties" && isFlag ||
			strings.HasPrefix(keyword, "max") || keyword == "minimum" || keyword == "multipleOf"
		if kept || !silent(v) {
			form[keyword] = v
		}
	}
	return form
}

func names(spec map[string]any) any {
	names := withoutSilence(spec["names"]).(map[string]any)
	kind := names["kind"].(string)
	if names["singular"] == nil {
		names["singular"] = strings.ToLower(kind)
	}
	if names["listKind"] == nil {
		names["listKind"] = kind + "List"
	}
	return names
}

func conversion(spec map[string]any) any {
	if spec["conversion"] == nil {
		return map[string]any{"strategy": "None"}
	}
	conversion := withoutSilence(spec["conversion"]).(map[string]any)
	if webhook, ok := conversion["webhook"].(map[string]any); ok {
		delete(webhook, "clientConfig")
	}
	return conversion
}

func byName(versions []any) []any {
	sort.SliceStable(versions, func(i, j int) bool {
		return versions[i].(map[string]any)["name"].(string) < versions[j].(map[string]any)["name"].(string)
	})
	return versions
}

func api(spec map[string]any) any {
	form := map[string]any{"group": spec["group"], "scope": spec["scope"], "names": names(spec), "conversion": conversion(spec)}
	if !silent(spec["preserveUnknownFields"]) {
		form["preserveUnknownFields"] = spec["preserveUnknownFields"]
	}
	versions := []any{}
	for _, each := range list(spec["versions"]) {
		version := each.(map[string]any)
		if version["served"] != true {
			continue
		}
		served := map[string]any{"name": version["name"], "schema": schemaDigest(version)}
		for _, field := range []string{"storage", "subresources"} {
			if member := withoutSilence(version[field]); !silent(member) {
				served[field] = member
			}
		}
		if fields := sorted(list(version["selectableFields"])); len(fields) > 0 {
			served["selectableFields"] = fields
		}
		versions = append(versions, served)
	}
	form["versions"] = byName(versions)
	return form
}

func full(spec map[string]any) any {
	form := withoutSilence(spec).(map[string]any)
	form["names"], form["conversion"] = names(spec), conversion(spec)
	versions := []any{}
	for _, each := range list(spec["versions"]) {
		version := withoutSilence(each).(map[string]any)
		if fields := sorted(list(version["selectableFields"])); len(fields) > 0 {
			version["selectableFields"] = fields
		}
		if schema := schemaOf(each.(map[string]any), true); schema != nil {
			version["schema"] = schema
		}
		versions = append(versions, version)
	}
	form["versions"] = byName(versions)
	return form
}
