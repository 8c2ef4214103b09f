package io.fairlead.net;

import io.fairlead.http.Fields;
import io.fairlead.http.HttpMethod;
import org.jspecify.annotations.Nullable;

/**
 * The head of a request to an upstream.
 *
 * @param method the method
 * @param target the origin-form target, sent byte for byte after the path of the endpoint's URL
 * @param fields the end-to-end fields; {@code Host} is set by the client
 * @param contentLength the body's length, 0 for none, -1 if unknown (then chunked)
 * @param sender by whose right it is made
 * @param only the servers that it may be sent to, and no others that the upstream has got since; null for those of the upstream
 */
public record RequestHead(
        HttpMethod method,
        String target,
        Fields fields,
        long contentLength,
        Sender sender,
        @Nullable Servers only) {
    /** One of this side's own, for the servers of the upstream. */
    public RequestHead(HttpMethod method, String target, Fields fields, long contentLength) {
        this(method, target, fields, contentLength, Sender.OWN, null);
    }
}
