package io.fairlead.ittests;

/**
 * A type with one field, {@code spec.FIELD}, an integer up to a bound.
 *
 * @param plural its name in paths
 * @param kind its kind
 * @param group its group
 * @param field the field's name
 */
record BoundedType(String plural, String kind, String group, String field) {
    /** Its CustomResourceDefinition, with version {@code v1}. */
    String definition(int maximum) {
        return """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: %1$s.%3$s}
            spec:
              group: %3$s
              scope: Namespaced
              names: {plural: %1$s, kind: %2$s}
              versions:
              - name: v1
                served: true
                storage: true
                schema:
                  openAPIV3Schema:
                    type: object
                    properties: {spec: {type: object, properties: {%4$s: {type: integer, maximum: %5$d}}}}
            """.formatted(plural, kind, group, field, maximum);
    }
}
