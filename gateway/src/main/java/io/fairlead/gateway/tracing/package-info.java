/**
 * Traces: which requests are sampled, their spans (OpenTelemetry), the context that goes to API servers (W3C Trace Context), and
 * the export by OTLP.
 *
 * <p>Spans are made on the event loops of their requests and sent by one thread; nothing here blocks a loop. Nothing of it
 * is loaded where traces are off. Start with {@link io.fairlead.gateway.tracing.Tracing}.
 */
@NullMarked
package io.fairlead.gateway.tracing;

import org.jspecify.annotations.NullMarked;
