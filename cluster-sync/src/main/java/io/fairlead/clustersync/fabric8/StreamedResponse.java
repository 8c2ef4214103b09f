package io.fairlead.clustersync.fabric8;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpHeaders;
import io.fairlead.http.Fields;
import io.fairlead.http.MutableFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** An answer's head with its body still to come. */
final class StreamedResponse extends StandardHttpHeaders implements HttpResponse<AsyncBody> {
    private final int code;
    private final AsyncBody body;
    private final HttpRequest request;

    private StreamedResponse(int code, Map<String, List<String>> headers, AsyncBody body, HttpRequest request) {
        super(headers);
        this.code = code;
        this.body = body;
        this.request = request;
    }

    static StreamedResponse of(int code, MutableFields headers, AsyncBody body, HttpRequest request) {
        return new StreamedResponse(code, fieldsOf(headers), body, request);
    }

    @Override
    public int code() {
        return code;
    }

    @Override
    public AsyncBody body() {
        return body;
    }

    @Override
    public HttpRequest request() {
        return request;
    }

    @Override
    public Optional<HttpResponse<?>> previousResponse() {
        return Optional.empty();
    }

    private static Map<String, List<String>> fieldsOf(MutableFields headers) {
        Map<String, List<String>> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        Fields all = headers.toFields();
        for (int i = 0; i < all.size(); i++) {
            fields.computeIfAbsent(all.name(i), _ -> new ArrayList<>()).add(all.value(i));
        }
        return fields;
    }
}
