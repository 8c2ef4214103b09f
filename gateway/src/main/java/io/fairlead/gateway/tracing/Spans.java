package io.fairlead.gateway.tracing;

import io.fairlead.schema.protobuf.ProtobufWriter;
import java.util.List;

/**
 * Spans as they are sent: protobuf of OTLP ({@code opentelemetry/proto/trace/v1/trace.proto}).
 *
 * @param count how many
 * @param bytes the fields {@code spans} of a message {@code ScopeSpans}
 */
record Spans(int count, byte[] bytes) {
    private static final int RESOURCE_SPANS = 1;
    private static final int RESOURCE = 1;
    private static final int RESOURCE_ATTRIBUTES = 1;
    private static final int SCOPE_SPANS = 2;
    private static final int SCOPE = 1;
    private static final int SCOPE_NAME = 1;
    private static final int SCOPE_VERSION = 2;

    /**
     * The body of one export, a message {@code ExportTraceServiceRequest}.
     *
     * @param origin the process
     */
    static byte[] request(List<Spans> all, Origin origin) {
        ProtobufWriter request = new ProtobufWriter();
        request.message(RESOURCE_SPANS, ofProcess -> {
            ofProcess.message(RESOURCE, resource -> origin.attributes().writeTo(resource, RESOURCE_ATTRIBUTES));
            ofProcess.message(SCOPE_SPANS, ofScope -> {
                ofScope.message(SCOPE, scope -> {
                    scope.text(SCOPE_NAME, "io.fairlead.gateway");
                    scope.text(SCOPE_VERSION, origin.version());
                });
                all.forEach(spans -> ofScope.raw(spans.bytes()));
            });
        });
        return request.bytes();
    }

    /**
     * The process whose spans they are.
     *
     * @param version of the program
     * @param instance which no other process has
     */
    record Origin(String version, String instance) {
        Attributes attributes() {
            return new Attributes()
                    .put("service.name", "fairlead")
                    .put("service.version", version)
                    .put("service.instance.id", instance);
        }
    }
}
