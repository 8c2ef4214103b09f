package io.fairlead.net;

import io.fairlead.http.Fields;
import io.fairlead.http.HttpMethod;

/**
 * The head of a request to an upstream.
 *
 * @param method the method
 * @param target the origin-form target, sent byte for byte after the path of the endpoint's URL
 * @param fields the end-to-end fields; {@code Host} is set by the client
 * @param contentLength the body's length, 0 for none, -1 if unknown (then chunked)
 */
public record RequestHead(HttpMethod method, String target, Fields fields, long contentLength) {}
