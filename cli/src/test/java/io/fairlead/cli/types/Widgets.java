package io.fairlead.cli.types;

/** Definitions of {@code Widget.example.com}, as people write them. */
final class Widgets {
    /** Whose size has a bound that is written with an exponent. */
    static final String SIZED = with("spec: {type: object, properties: {size: {type: integer, maximum: 1.5e3}}}");

    private Widgets() {}

    /** Whose objects have some fields, in the flow style of YAML. */
    static String with(String properties) {
        return """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: widgets.example.com}
            spec:
              group: example.com
              names: {plural: widgets, kind: Widget}
              scope: Namespaced
              versions:
              - name: v1
                served: true
                storage: true
                schema:
                  openAPIV3Schema:
                    type: object
                    properties: {%s}
            """.formatted(properties);
    }
}
